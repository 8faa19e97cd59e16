import { describe, expect, it } from 'vitest';
import { CLASSIC, readText, rowsOf } from '../../reading.ts';

/** The candidates of each cell of the classic puzzle, by the givens of its units. */
const CELLS = Array.from(CLASSIC, (given, cell) => {
  if (given !== '.') return given;
  const [row, column] = [Math.floor(cell / 9), cell % 9];
  const seen = Array.from(CLASSIC).filter((_, other) => {
    const [r, c] = [Math.floor(other / 9), other % 9];
    const sameBox = Math.floor(r / 3) === Math.floor(row / 3) && Math.floor(c / 3) === Math.floor(column / 3);
    return r === row || c === column || sameBox;
  });
  return [...'123456789'].filter((digit) => !seen.includes(digit)).join('');
});
/** The same as 729 characters. */
const MARKS = CELLS.map((cell) => [...'123456789'].map((d) => (cell.includes(d) ? d : '.')).join('')).join(
  '',
);

interface Style {
  readonly frames?: readonly [top: string, middle: string, bottom: string];
  readonly bar?: string;
  readonly cell?: (text: string) => string;
}

function draw({ frames, bar, cell = (text) => text }: Style, cells: readonly string[] = CELLS): string {
  const frame = ([left, between, right]: string) =>
    `${left}${Array(3).fill('-'.repeat(29)).join(between)}${right}\n`;
  let text = frames === undefined ? '' : frame(frames[0]);
  for (let row = 0; row < 9; row++) {
    const texts = cells.slice(row * 9, row * 9 + 9).map((each) => cell(each).padEnd(9));
    const boxes = [0, 3, 6].map((from) => texts.slice(from, from + 3).join(' '));
    text += bar === undefined ? `${boxes.join(' ')}\n` : `${bar} ${boxes.join(` ${bar} `)} ${bar}\n`;
    if (frames !== undefined && row % 3 === 2) text += frame(frames[row === 8 ? 2 : 1]);
  }
  return text;
}

const plus: Style = { frames: ['+++', '+++', '+++'], bar: '|' };
const outcome = (text: string) =>
  readText(text).records.map(({ format, variant, grid, line, lineEnd, notes }) =>
    notes?.error === undefined ? [format, variant, grid, line, lineEnd] : [notes.error.code],
  );

describe('candidates drawn in rows and columns', () => {
  const styles: Array<[name: string, style: Style, lines: number]> = [
    ['with a frame of +', plus, 13],
    ['with a frame of dots and colons', { frames: ['...', ':+:', "'''"], bar: '|' }, 13],
    ['with a frame of *', { frames: ['*-*', '|+|', '*-*'], bar: '|' }, 13],
    ['without anything drawn', {}, 9],
    ['in braces', { ...plus, cell: (text) => `{${text}}` }, 13],
    ['in braces if there are several', { cell: (text) => (text.length > 1 ? `{${text}}` : text) }, 9],
  ];
  it.each(styles)('%s are the same as 729 characters', (_name, style, lines) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = draw(style).replaceAll('\n', end);
      expect(outcome(text)).toEqual([['pencilmarks', 'sukaku', MARKS, 1, lines]]);
      const cuts = Array.from({ length: text.length }, (_, at) => at);
      expect(readText(text, {}, cuts).records).toEqual(readText(text).records);
    }
  });

  it('may follow each other, and be among other puzzles', () => {
    const text = `${draw(plus)}${draw(plus)}\n${CLASSIC}\n${draw({})}\n${rowsOf(CLASSIC).join('\n')}\n`;
    expect(outcome(text).map(([format, , , line]) => [format, line])).toEqual([
      ['pencilmarks', 1],
      ['pencilmarks', 14],
      ['line', 28],
      ['pencilmarks', 29],
      ['rows', 39],
    ]);
  });

  it('may be none in a cell: {}', () => {
    const cells = CELLS.map((cell, k) => (k === 2 ? '' : cell));
    const [[, , grid]] = outcome(draw({ ...plus, cell: (text) => `{${text}}` }, cells));
    expect(grid).toBe(`${MARKS.slice(0, 18)}.........${MARKS.slice(27)}`);
  });

  it('are named pencilmarks by the user', () => {
    expect(readText(draw(plus), { format: 'pencilmarks' }).records).toMatchObject([{ grid: MARKS }]);
    expect(readText(draw(plus), { format: 'rows' }).detection.kind).toBe('unreadable');
  });
});

describe('no candidates are read', () => {
  const harmed = (from: string, to: string) => draw(plus).replace(from, to);
  it.each([
    ['if a cell is empty', harmed(' 124 ', '     ')],
    ['if a digit is repeated', harmed(' 124 ', ' 122 ')],
    ['if digits are not in order', harmed(' 124 ', ' 421 ')],
    ['if a cell has a zero', harmed(' 124 ', ' 120 ')],
    ['if a cell has a dot', harmed(' 124 ', ' .   ')],
    ['if a row is missing', draw(plus).split('\n').slice(2).join('\n')],
    ['if the file ends too early', draw(plus).split('\n').slice(0, 9).join('\n')],
  ])('%s, but the puzzles around are', (_name, text) => {
    const records = outcome(`${CLASSIC}\n\n${text}\n\n${CLASSIC}\n`);
    expect(records.map(([format]) => format)).not.toContain('pencilmarks');
    expect(records.length).toBeGreaterThan(2);
    expect([records[0][2], records.at(-1)?.[2]]).toEqual([CLASSIC, CLASSIC]);
  });

  it.each([
    ['in a grid of givens alone', draw({}, Array.from(CLASSIC.replaceAll('.', '1'))), 'tokens'],
    ['in walls and digits', `${walls().join('\n')}\n`, 'walls'],
  ])('%s', (_name, text, format) => {
    expect(outcome(text).map(([found]) => found)).toEqual([format]);
  });
});

/** HDU 4069: the boxes of a 9x9 as walls, and no digits. */
function walls(): string[] {
  return Array.from({ length: 9 }, (_row, row) =>
    Array.from({ length: 9 }, (_column, column) => {
      const upDown = (row % 3 === 0 ? 16 : 0) + (row % 3 === 2 ? 64 : 0);
      return upDown + (column % 3 === 0 ? 128 : 0) + (column % 3 === 2 ? 32 : 0);
    }).join(' '),
  );
}
