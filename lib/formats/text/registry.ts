/** The layouts of text, in the order in which they are asked about a line. A new one is one file and one entry. */
import { bank } from './bank.ts';
import { boxed } from './boxed.ts';
import { count } from './count.ts';
import { end } from './end.ts';
import { expected } from './expected.ts';
import { header } from './header.ts';
import { jigsaw } from './jigsaw.ts';
import { line } from './line.ts';
import { marksDrawing } from './marks-drawing.ts';
import { pencilmarks } from './pencilmarks.ts';
import { rows } from './rows.ts';
import { samurai } from './samurai.ts';
import { samuraiLine } from './samurai-line.ts';
import { sections } from './sections.ts';
import { spacedLine, spacedRows } from './spaced-blanks.ts';
import type { GridWriter, TextFormat } from './text-format.ts';
import { tokens } from './tokens.ts';
import { variants } from './variants.ts';
import { walls } from './walls.ts';

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
