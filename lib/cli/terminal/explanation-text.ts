/** An explanation of a file as text. */
import type { FileExplanation, PuzzleKind } from '../../batch/job/explanation.ts';
import { numberText } from '../../batch/quantities.ts';
import { noPuzzlesText } from '../../batch/results/job-totals.ts';
import { visibleText } from '../../formats/bytes/visible-text.ts';
import { commentCount, unusedText } from './summary.ts';

const LABEL_WIDTH = 14;

/** Returns the lines of an explanation; text from the file has no control characters. */
export function explanationLines(file: FileExplanation): string[] {
  const lines: string[] = [];
  const add = (label: string, text: string | undefined) => {
    if (text !== undefined) lines.push(`  ${label.padEnd(LABEL_WIDTH)}${visibleText(text)}`);
  };
  const addBlock = (texts: readonly string[]) => {
    for (const text of texts) lines.push(`  ${' '.repeat(LABEL_WIDTH)}${visibleText(text)}`.trimEnd());
  };
  add('container', file.container);
  add('encoding', file.encoding);
  add('format', file.format ?? 'none');
  add('columns', columnsText(file));
  add('puzzles', puzzlesText(file));
  addBlock(file.kinds.map(kindText));
  for (const [warning, puzzles] of Object.entries(file.warnings)) {
    add('warning', `${warning}: ${puzzleCount(puzzles)}`);
  }
  if (file.comments !== undefined) {
    add('comments', commentCount(file.comments.lines));
    addBlock(file.comments.first.map(({ line, text }) => `line ${numberText(line)}: ${text}`));
  }
  if (file.firstPuzzle !== undefined) {
    const { index, line, drawing } = file.firstPuzzle;
    add('first puzzle', `puzzle ${numberText(index)}, line ${numberText(line)}`);
    addBlock(drawing.trimEnd().split('\n'));
  }
  if (file.firstError !== undefined) {
    const { index, code, message } = file.firstError;
    add('first error', `${index === undefined ? '' : `puzzle ${numberText(index)}: `}${code}: ${message}`);
  }
  for (const [k, { option, size, values }] of file.options.entries()) {
    const place = size === undefined ? '' : ` (${size})`;
    add(k === 0 ? 'if wrong, pass' : '', ` --${option}${place}: ${values.join(', ')}`);
  }
  return lines;
}

function columnsText({ columns }: FileExplanation): string | undefined {
  if (columns === undefined) return undefined;
  const { separator, puzzle, solution, id, regions, rules, unused } = columns;
  const parts = [`puzzle in "${puzzle}"`];
  if (solution !== undefined) parts.push(`solution in "${solution}"`);
  if (id !== undefined) parts.push(`name in "${id}"`);
  if (regions !== undefined) parts.push(`regions in "${regions}"`);
  for (const rule of rules ?? []) parts.push(`rules in "${rule}"`);
  if (unused.length > 0) parts.push(unusedText(unused));
  return `separated by ${separator === '\t' ? 'tabs' : `"${separator}"`}; ${parts.join(', ')}`;
}

function puzzlesText({ puzzles, unreadable, invalid, noPuzzles, otherPuzzles }: FileExplanation): string {
  if (noPuzzles !== undefined) return noPuzzlesText(noPuzzles);
  const parts = [puzzleCount(puzzles)];
  if (unreadable > 0) parts.push(`${numberText(unreadable)} unreadable`);
  if (invalid > 0) parts.push(`${numberText(invalid)} with clashing givens`);
  if (otherPuzzles > 0) parts.push(`${numberText(otherPuzzles)} of kinds that are not listed`);
  return parts.join(', ');
}

function kindText({ format, size, variant, box, alphabet, blank, puzzles }: PuzzleKind): string {
  const boxes = box === undefined ? '' : `, boxes ${box}`;
  return `${numberText(puzzles)} ${size} ${variant}: format ${format}, digits ${alphabet}, blank "${blank}"${boxes}`;
}

function puzzleCount(puzzles: number): string {
  return `${numberText(puzzles)} ${puzzles === 1 ? 'puzzle' : 'puzzles'}`;
}
