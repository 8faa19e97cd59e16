/**
 * Lines that introduce a puzzle and may name it: `Grid 01`, `Puzzle 7:`, `Game #3 (hard)`, `Sudoku-4`. The line becomes the
 * puzzle's id.
 */

import { ANGLES, DIGIT, KINDS, LETTER } from '../../bytes/byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';
import { isDescription } from './descriptions.ts';
import { sectionOf } from './sections.ts';

const HEADER =
  /^(?:grid|puzzle|sudoku|game|board|case|test|problem|level|example|sample|input|jigsaw|quiz|number|no\.?|nr\.?)[\s#_-]*\d+\s*(?:[:.]?|[(:,.-](?!.*[\d._*?-]{8}).*)$/i;
const MAX_HEADER_BYTES = 80;

/** Whether a line introduces or describes a puzzle, or opens a section. */
export function isHeader(line: Line): boolean {
  // All have a letter, or are comments of markup.
  if ((line.kinds & (LETTER | ANGLES)) === 0) return false;
  const { known } = line;
  known.isHeader ??= sectionOf(line) !== undefined || isTitle(line) || isDescription(line);
  return known.isHeader;
}

function isTitle(line: Line): boolean {
  if (line.length < 4 || line.length > MAX_HEADER_BYTES || (line.kinds & DIGIT) === 0) return false;
  return (KINDS[line.bytes[line.from]] & LETTER) !== 0 && HEADER.test(line.text);
}

export const header: Recogniser = {
  name: 'header',
  minBytes: 4,
  has: LETTER,
  match(line) {
    if (!isTitle(line)) return NO;
    line.context.nextId = line.string(line.from, line.end);
    line.context.sink.survey?.onHeader();
    return 1;
  },
};
