/** A reader that continues from the state of another one reads the same records. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectFormat, openReader, type PuzzleDetection } from '../../../lib/formats/formats.ts';
import type { ReaderState } from '../../../lib/formats/reader.ts';
import { RecordBlock } from '../../../lib/formats/records/record-block.ts';
import { DEEP, propertyRuns } from '../../support/depth.ts';
import { CELL_LAYOUTS } from '../cell-layouts.ts';
import { bytesOf, CLASSIC, CLASSIC_SOLUTION, fixture, plainNotes, rowsOf } from '../reading.ts';

const grid = `${rowsOf(CLASSIC).join('\n')}\n`;
const spaced = grid.replaceAll(/(.)(?=.)/g, '$1 ');

/** A region map. */
const boxes = 'aaabbbccc'.repeat(3) + 'dddeeefff'.repeat(3) + 'ggghhhiii'.repeat(3);

const spaces = CLASSIC.replaceAll('.', ' ');
/** The first and the fifth row are blank. */
const blankRows = [0, 1, 2, 3, 0, 5, 6, 7, 8]
  .map((row) => (row === 0 ? ' '.repeat(9) : spaces.slice(row * 9, row * 9 + 9)))
  .join('\n')
  .concat('\n');
const drawnMarks = `+------------+\n${'| 1 23 456 | 789 12 3 | 4 5 6 |\n'.repeat(9)}+------------+\n`;

const cells = Array.from(CLASSIC, (symbol) => (symbol === '.' ? '' : symbol));
const laidOut = (name: string, blank: string) => CELL_LAYOUTS[name]!.write(cells, blank);
const code = laidOut('a list on lines of its own', '0');
const quoted = laidOut('lines in quotes', '.');
const tabbed = laidOut('tabs', '');

const texts: Record<string, string> = {
  'lines, labels and junk':
    `${CLASSIC}\n${CLASSIC} easy\nnonsense\n${CLASSIC.slice(3)}\n\n${CLASSIC}:1\nx\ny\n\n`.repeat(3),
  'lines with an end': `${CLASSIC}\n${CLASSIC}\nend\n${CLASSIC}\nnonsense\n`,
  'small puzzles and their rows': `${'1...'.repeat(4)}\n`
    .repeat(3)
    .concat('\n', 'ABCDEFGHIJKLMNOP\n'.repeat(16)),
  'rows with and without blank lines': `${grid}${grid}\n${grid}\n# comment\n\n${grid.slice(0, 30)}\n\n${grid}`,
  'rows, each followed by a blank line': grid.replaceAll('\n', '\n\n').repeat(3),
  'tokens, counted and in rows': `${spaced}\n${spaced.replaceAll('\n', ' ')}\n${spaced}${spaced}\n16 17\n`,
  'count first': `3\n${grid}${grid}${grid}\n2\n${grid}${grid}`,
  'numbered cases': `1\n${spaced}2\n${spaced}3\n${spaced}`,
  'rows of two sizes, one too many': `8\n${'........\n'.repeat(8)}\n${grid}${grid}${grid.slice(0, 10)}\n${grid}${grid.slice(0, 20)}\n${'........\n'.repeat(8)}`,
  'numbered grids with blank lines': `1\n\n${grid}\n2\n\n${grid}\n3\n\n${grid}`,
  'rows without a break, the last grid cut short': `${grid}${grid}${grid}${grid.slice(0, 40)}\n\n${grid}`,
  'lines of 256 and one cut short': `${'.'.repeat(255)}A\n${'.'.repeat(255)}P\n${'.'.repeat(192)}1\n${'.'.repeat(255)}B\n`,
  'lines of 16': '1234............\n'.repeat(20),
  'full grids after puzzles with blanks': `${CLASSIC.replaceAll('.', '*')}\n${CLASSIC_SOLUTION}\n${CLASSIC.replaceAll('.', '_')}\n${CLASSIC_SOLUTION}\n${CLASSIC.replace('.', '0')}\n${CLASSIC}\n`,
  'cells of larger puzzles, counted':
    `${`${'0 '.repeat(40)}\n`.repeat(3)}${'16 '.repeat(16)}\n${`${'0 '.repeat(40)}\n`.repeat(3)}\n`.repeat(2),
  'lines with # for blanks, among comments':
    `#17\n${CLASSIC.replace('5', '.').replaceAll('.', '#')}\n# ${CLASSIC}\n#${CLASSIC}\n${CLASSIC.replaceAll('.', '#')} # x\n`.repeat(
      3,
    ),
  'lists in program code':
    `a = [\n${quoted}${quoted}]\n${code}\n${code.replace('[5', '5')}${code}${laidOut('a Python list', '0')}`.repeat(
      2,
    ),
  'spreadsheets, with empty rows between grids': `${tabbed}${'\t'.repeat(8)}\n${tabbed}${'\t'.repeat(8)}\n${'\t'.repeat(8)}\n${tabbed.slice(tabbed.indexOf('\n') + 1)}\n\n${tabbed}`,
  'drawings in Markdown': `${laidOut('a Markdown table with an empty head', ' ')}\n${laidOut('cells in frames', ' ')}${laidOut('a box a group', ' ')}\n${laidOut('a box a group without a frame', ' ')}`,
  'sizes before grids': `9 9\n${spaced}3 3\n${spaced}\n9x9\n${laidOut('commas', '0')}`,
  'numbered lines and groups': `1. ${CLASSIC}\n2. ${CLASSIC.slice(1)}\n3. ${CLASSIC} easy\n${laidOut('groups with slashes', '0')}${laidOut('groups with spaces', '0')}\nx1 ${CLASSIC}\n:0000:x:${CLASSIC}:::\n`,
  headers: `Grid 01\n${grid}Grid 02\n${grid}# comment\n\nGrid 03\n\n${grid}`,
  'a drawn grid': fixture('simple-sudoku.ss').repeat(2),
  'drawn grids under a title':
    `+---+---+---+\n${grid.replaceAll(/^(...)(...)(...)$/gm, '|$1|$2|$3|').replaceAll(/((?:.*\n){3})/g, '$1+---+---+---+\n')}\n`.repeat(
      3,
    ),
  '16x16': fixture('poj3076.txt').repeat(2),
  table: `id,puzzle,solution\n1,${CLASSIC},\n# x\n2,${CLASSIC.slice(2)},\n3,${CLASSIC},${CLASSIC}\n`,
  'table with fields on several lines': `sep=;\nno;grid;map\n1;"${grid}";${boxes}\n2;${CLASSIC};${boxes.slice(1)}\n3;"${grid}"; "${rowsOf(boxes).join('\n')}"\n4;"${CLASSIC}\n`,
  'JSON lists': `[\n  ${JSON.stringify(rowsOf(CLASSIC).map((row) => [...row]))},\n null, "${CLASSIC}", {"puzzle": "${CLASSIC}"}, [[1,2]], ${JSON.stringify(rowsOf(CLASSIC))}]`,
  'JSON objects in other objects':
    `{"message":"a \\" {[","easy":[{"puzzle":"${CLASSIC}","id":1}, "${CLASSIC}"],\n"tags":["x",{"y":1}],"more":{"puzzles":[{"board":"${CLASSIC}"},\n{"unknown":[1]}],"variant":"x"},"hard":"${CLASSIC}"}\n{"list":[[${[...CLASSIC].map((cell) => (cell === '.' ? 0 : cell))}]],"count":1}`.repeat(
      3,
    ),
  links:
    `https://example.com/?bd=${CLASSIC}\n${CLASSIC}\n.~R1C1_5~R2C2_7\nhttps://sudokupad.app/abc123\n`.repeat(
      2,
    ),
  'JSON with a byte-order mark, solutions in pairs and apart': `\ufeff${JSON.stringify([
    [CLASSIC, CLASSIC_SOLUTION],
    { input: CLASSIC, output: CLASSIC_SOLUTION, rating: 1.5 },
    { input: CLASSIC, output: CLASSIC_SOLUTION, rating: null },
    { level: 'easy', quizzes: [CLASSIC, CLASSIC], solutions: [CLASSIC_SOLUTION, CLASSIC_SOLUTION] },
    { level: 'hard', puzzles: [] },
  ])}`,
  'JSON lines': `{"puzzle": "${CLASSIC}", "id": 7}\n`.repeat(4),
  'lines and rows with spaces for blanks': `${spaces}\n${spaces}\n${blankRows}${blankRows}\n         \n${blankRows}\n\n${spaces.slice(0, 78)}\n    \n${blankRows}`,
  'candidates in columns': `${drawnMarks}${drawnMarks}\n${CLASSIC}\n${drawnMarks}\n`,
  'region maps on the lines below':
    `${CLASSIC}\n${boxes}\n\n# one\n${CLASSIC.slice(1)}\n\n${boxes}\n${CLASSIC}\n${boxes.slice(1)}\n${CLASSIC}\n\n`.repeat(
      2,
    ),
  'region maps in rows above': `${rowsOf(boxes).join('\n')}\n\n${grid}\n`.repeat(3).concat(grid),
  OpenSudoku: `<opensudoku>\n${`<game data="${CLASSIC.replaceAll('.', '0')}" />\n`.repeat(4)}<game data="12" />\n</opensudoku>`,
};

describe.each(Object.entries(texts))('%s', (_name, text) => {
  it.each([
    // Every place in deep tests, some in others.
    ['LF', text, DEEP ? 1 : 37],
    ['CR LF', text.replaceAll('\n', '\r\n'), DEEP ? 3 : 127],
    ['lone CR', text.replaceAll('\n', '\r'), DEEP ? 3 : 127],
  ])('ended by %s, are read the same by readers that take over anywhere', (_ends, ended, step) => {
    const bytes = bytesOf(ended);
    const detection = detected(bytes);
    const whole = readOn(detection, bytes, []);
    for (let cut = 1; cut < bytes.length; cut += step) {
      expect(readOn(detection, bytes, [cut]).records, `taken over at byte ${cut}`).toEqual(whole.records);
    }
  });

  it('is long enough for several readers to take over', () => {
    const bytes = bytesOf(text);
    const everywhere = Array.from({ length: bytes.length }, (_, at) => at);
    expect(readOn(detected(bytes), bytes, everywhere).takeovers).toBeGreaterThan(3);
  });

  it('are read the same by several readers, one after the other', () => {
    const bytes = bytesOf(text);
    const detection = detected(bytes);
    const whole = readOn(detection, bytes, []).records;
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        expect(
          readOn(
            detection,
            bytes,
            cuts.sort((a, b) => a - b),
          ).records,
        ).toEqual(whole);
      }),
      { numRuns: propertyRuns(4) },
    );
  });
});

function detected(bytes: Uint8Array): PuzzleDetection {
  const detection = detectFormat(bytes, true, {});
  if (detection.kind !== 'puzzles') throw new Error(`the text is ${detection.kind}`);
  return detection;
}

/** All records, read by readers each of which takes over at a cut at which the previous one is between two puzzles. */
function readOn(
  detection: PuzzleDetection,
  bytes: Uint8Array,
  cuts: readonly number[],
): { records: unknown[]; takeovers: number } {
  const open = (from?: ReaderState) =>
    openReader(detection, {}, { acquire: (layout) => new RecordBlock(layout, 3) }, from);
  const records: unknown[] = [];
  let takeovers = 0;
  let reader = open();
  let at = 0;
  for (const cut of cuts) {
    if (cut <= at) continue;
    for (const block of reader.push(bytes.slice(at, cut))) records.push(...recordsOf(block));
    at = cut;
    for (const block of reader.flush()) records.push(...recordsOf(block));
    const rest = reader.checkpoint();
    if (rest === undefined) continue;
    takeovers++;
    at -= rest.unreadBytes;
    reader = open(JSON.parse(JSON.stringify(rest.state)));
  }
  for (const block of reader.push(bytes.slice(at))) records.push(...recordsOf(block));
  for (const block of reader.end()) records.push(...recordsOf(block));
  return { records, takeovers };
}

/** The records of a block; an unreadable record has no layout of its own. */
function recordsOf(block: RecordBlock): unknown[] {
  const { layout, geometry, cells, line, lineEnd, notes } = block;
  return Array.from({ length: block.count }, (_, i) => ({
    line: line[i],
    lineEnd: lineEnd[i],
    // Where blocks start decides which blank is a note and which is the layout's.
    notes: plainNotes(notes.get(i)),
    ...(block.isReadable(i) && {
      layout: [layout.format, layout.alphabet.name, block.blankOf(i), geometry.size, layout.arrangement],
      cells: cells.slice(i * geometry.cellCount, (i + 1) * geometry.cellCount).join(),
    }),
  }));
}
