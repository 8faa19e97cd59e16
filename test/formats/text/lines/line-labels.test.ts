/** Lines with labels, most of which a fast path reads, among lines that only look like them. */
import { expect, it } from 'vitest';
import { CLASSIC, CLASSIC_SOLUTION, plainNotes, type ReadRecord, readText } from '../../reading.ts';

const MAP = 'aaabbbccc'.repeat(3) + 'dddeeefff'.repeat(3) + 'ggghhhiii'.repeat(3);
const LINES: readonly string[] = [
  `${CLASSIC} a`,
  `${CLASSIC} easy, 1.5 by Ann`,
  `${CLASSIC} ${CLASSIC_SOLUTION}`,
  `${CLASSIC} b`,
  `${CLASSIC} ${CLASSIC_SOLUTION.replace('5', '9')} checked`,
  `${CLASSIC} c`,
  `${CLASSIC} ${MAP}`,
  `${CLASSIC} d`,
  `${CLASSIC} easy ${MAP} last`,
  `${CLASSIC} e`,
  `${CLASSIC} schön`,
  `${CLASSIC} # comment`,
  `${CLASSIC}\ttab`,
  `${CLASSIC} f  `,
  `${CLASSIC}   `,
  CLASSIC,
  `${CLASSIC.replaceAll('.', '0')} g`,
  `${CLASSIC.slice(1)} short`,
  `${CLASSIC} h`,
];

const factsOf = ({ format, size, grid, notes }: ReadRecord) => ({
  format,
  size,
  grid,
  notes: { ...plainNotes(notes), error: notes?.error?.code },
});

it.each([
  ['LF', '\n'],
  ['CR LF', '\r\n'],
  ['lone CR', '\r'],
])('each line is read as it is alone: %s', (_name, end) => {
  const text = LINES.map((line) => line + end).join('');
  const { records } = readText(text);
  const alone = LINES.map((line) => readText(`${CLASSIC}\n\n${line}\n`).records[1]);
  expect(records.map(factsOf)).toEqual(alone.map(factsOf));
  for (let cut = 1; cut < text.length; cut += 13) {
    expect(readText(text, {}, [cut]).records.map(factsOf)).toEqual(records.map(factsOf));
  }
});
