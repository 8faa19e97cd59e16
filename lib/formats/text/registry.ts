/** The layouts of text, in the order in which they are asked about a line. A new one is one file and one entry. */

import { boxed } from './drawings/boxed.ts';
import { marksDrawing } from './drawings/marks-drawing.ts';
import { count } from './headers/count.ts';
import { end } from './headers/end.ts';
import { header } from './headers/header.ts';
import { sections } from './headers/sections.ts';
import { bank } from './lines/bank.ts';
import { expected } from './lines/expected.ts';
import { jigsaw } from './lines/jigsaw.ts';
import { line } from './lines/line.ts';
import { pencilmarks } from './lines/pencilmarks.ts';
import { variants } from './lines/variants.ts';
import type { GridWriter, TextFormat } from './recogniser.ts';
import { rows } from './rows/rows.ts';
import { spacedLine, spacedRows } from './rows/spaced-blanks.ts';
import { samurai } from './samurai/samurai.ts';
import { samuraiLine } from './samurai/samurai-line.ts';
import { tokens } from './tokens/tokens.ts';
import { walls } from './tokens/walls.ts';

/** Those that only say that puzzles follow; asked whatever format the user named. */
const HEADERS: readonly TextFormat[] = [header, sections, end, count];

const GRIDS: readonly TextFormat[] = [
  variants,
  pencilmarks,
  jigsaw,
  expected,
  bank,
  spacedLine,
  line,
  spacedRows,
  samuraiLine,
  samurai,
  marksDrawing,
  rows,
  boxed,
  walls,
  tokens,
];

export const TEXT_FORMAT_NAMES = [
  'line',
  'pencilmarks',
  'jigsaw',
  'walls',
  'expected',
  'bank',
  'samurai-line',
  'samurai',
  'rows',
  'boxed',
  'tokens',
] as const;

/** The formats to ask, all of them or the one the user named. */
export function textFormats(only?: string): readonly TextFormat[] {
  return [...HEADERS, ...GRIDS.filter((format) => only === undefined || format.name === only)];
}

const writers = new Map(
  GRIDS.flatMap((format): [string, GridWriter][] =>
    format.writer === undefined ? [] : [[format.name, format.writer]],
  ),
);

/** How solutions are written in a layout of text. */
export function textWriter(format: string): GridWriter | undefined {
  return writers.get(format);
}
