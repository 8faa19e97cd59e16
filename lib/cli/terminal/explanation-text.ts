/** An explanation of a file as text. */
import type { FileExplanation, PuzzleKind } from '../../batch/job/explanation.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import { noPuzzlesText } from '../../batch/results/job-totals.ts';
import { visibleText } from '../../formats/bytes/visible-text.ts';
import { commentCount, unusedText } from './summary.ts';

const LABEL_WIDTH = 14;

/** Returns an explanation as lines of text; text from the file has no control characters. */
export function explanationLines(file: FileExplanation): string[] {
  const all: string[] = [];
  const add = (label: string, text: string | undefined, lines: readonly string[] = []) => {
    if (text === undefined) return;
    const width = Math.max(LABEL_WIDTH, label.length + 1);
    all.push(`  ${label.padEnd(width)}${visibleText(text)}`);
    for (const line of lines) all.push(`  ${' '.repeat(width)}${visibleText(line)}`.trimEnd());
  };
  add('container', file.container);
  add('encoding', file.encoding);
  add('format', file.format ?? 'none');
  add('columns', columnsText(file));
  add('puzzles', puzzlesText(file), file.kinds.map(kindText));
  for (const [warning, puzzles] of Object.entries(file.warnings)) {
    add('warning', `${warning}: ${puzzleCount(puzzles)}`);
  }
  if (file.comments !== undefined) {
    const { lines, first } = file.comments;
    add(
      'comments',
      commentCount(lines),
      first.map(({ line, text }) => `line ${numberText(line)}: ${text}`),
    );
  }
  if (file.firstPuzzle !== undefined) {
    const { index, line, drawing } = file.firstPuzzle;
    const text = `puzzle ${numberText(index)}, line ${numberText(line)}`;
    add('first puzzle', text, drawing.trimEnd().split('\n'));
  }
  if (file.firstError !== undefined) {
    const { index, code, message } = file.firstError;
    add('first error', `${index === undefined ? '' : `puzzle ${numberText(index)}: `}${code}: ${message}`);
  }
  const [option, ...options] = file.options.map(optionText);
  add('if wrong, pass', option, options);
  return all;
}

function optionText({ option, size, values }: FileExplanation['options'][number]): string {
  return `--${option}${size === undefined ? '' : ` (${size})`}: ${values.join(', ')}`;
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
  return counted(puzzles, 'puzzle');
}
