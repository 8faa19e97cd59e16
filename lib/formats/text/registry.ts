/** The layouts of text, in the order in which the reader tries them. A new layout is one file and one entry here. */
import { boxed } from './drawings/boxed.ts';
import { marksDrawing } from './drawings/marks-drawing.ts';
import { cellGrids } from './grids/cell-grids.ts';
import { cellLines } from './grids/cell-lines.ts';
import { count } from './headers/count.ts';
import { descriptions } from './headers/descriptions.ts';
import { end } from './headers/end.ts';
import { header } from './headers/header.ts';
import { ruleHeading } from './headers/rule-heading.ts';
import { sections } from './headers/sections.ts';
import { sizeHeader } from './headers/size.ts';
import { bank } from './lines/bank.ts';
import { coordinates } from './lines/coordinates.ts';
import { expected } from './lines/expected.ts';
import { hodoku } from './lines/hodoku.ts';
import { jigsaw } from './lines/jigsaw.ts';
import { line } from './lines/line.ts';
import { pencilmarks } from './lines/pencilmarks.ts';
import { variants } from './lines/variants.ts';
import type { Recogniser } from './recogniser.ts';
import { rows } from './rows/rows.ts';
import { spacedLine, spacedRows } from './rows/spaced-blanks.ts';
import { samurai, samuraiLine } from './samurai/samurai.ts';
import { tokensFormat } from './tokens/tokens.ts';
import { walls } from './tokens/walls.ts';

const HEADERS: readonly Recogniser[] = [header, sections, descriptions, ruleHeading, end, count, sizeHeader];

const GRIDS: readonly Recogniser[] = [
  variants,
  pencilmarks,
  bank,
  jigsaw,
  expected,
  hodoku,
  spacedLine,
  line,
  spacedRows,
  samuraiLine,
  samurai,
  marksDrawing,
  coordinates,
  rows,
  boxed,
  walls,
  tokensFormat,
  cellLines,
  cellGrids,
];

/**
 * The recognisers in the order in which they are tried.
 *
 * @param words of other modules, which come first
 * @param only the format that the user named: headers are read, and this format alone
 */
export function recognisersOf(words: readonly Recogniser[], only?: string): readonly Recogniser[] {
  return [...HEADERS, ...[...words, ...GRIDS].filter(({ name }) => only === undefined || name === only)];
}
