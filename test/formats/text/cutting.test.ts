import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../support/depth.ts';
import { CELL_LAYOUTS } from '../cell-layouts.ts';
import { bytesOf, CLASSIC, fixture, readText, rowsOf } from '../reading.ts';

const rows = rowsOf(CLASSIC);
const hdu = fixture('hdu1426.txt');
const poj = fixture('poj3076.txt');
const board = JSON.stringify(rows.map((row) => [...row]));

const cells = Array.from(CLASSIC, (symbol) => (symbol === '.' ? '' : symbol));
const laidOut = (name: string, blank: string) => CELL_LAYOUTS[name]!.write(cells, blank);

/** Texts with all layouts, line ends and damage whose reading depends on more than one byte. */
const texts: Record<string, string> = {
  lines:
    `\ufeff# größer\r\n${CLASSIC}\r\n${CLASSIC} leicht ü\r${CLASSIC}\n\n${CLASSIC.slice(2)}\r\n${CLASSIC}`.repeat(
      3,
    ),
  'many equal lines': `${CLASSIC}\r\n`.repeat(23),
  rows: `${rows.join('\n')}\n\n${rows.join('\r\n\r\n')}\r\n\r\n${rows.slice(1).join('\r')}\r\r${rows.join('\n')}`,
  tokens: `${hdu}\n${hdu.replace(/\s+/g, ' ')}\n\n${hdu.replace(/\s+/g, '\n')}`,
  'a row too many': `${rows.join('\n')}\n${rows[0]}\n\n${rows.join('\n')}\n${rows[0]}\n${rows[1]}\n`,
  '16x16 and 4x4': `3\n${poj}${poj}\n1..4..2..3..4..1\n..4..2..3..4..1.\n\n${poj.slice(0, 100)}`,
  'tables and drawings': `${laidOut('semicolons', '')}${laidOut('semicolons', '')}\r\n${laidOut('tabs', '')}\r${laidOut('a Markdown table with names of columns', ' ')}\n${laidOut('a box a group', ' ')}${laidOut('cells in frames', ' ')}`,
  'program code': `${laidOut('a list on lines of its own', '0')}${laidOut('a C array', '0')}// end\n${laidOut('a MATLAB matrix', '0')}${laidOut('a Rust vector', '0').replace('5', 'five')}\n${laidOut('Prolog facts', '_')}`,
  'lines with groups': `${laidOut('groups with slashes', '0')}${laidOut('fields on a line', '')}1) ${CLASSIC}\n${laidOut('a list on a line', '0').replace('5', '')}`,
  'numbers between bars, a row without blanks first': numbersBetweenBars(),
  headers: `Grid 01\n${rows.join('\n')}\nGrid 02\n${rows.slice(0, 7).join('\n')}\nGrid 03\n${rows.join('\n')}`,
  'umlauts in a grid': `${CLASSIC.replace('7', 'ü')}\n${rows.join('\n').replace('6', 'ß')}\n\n${CLASSIC}`,
  'a list of boards': `[${board},\n${board.replace('],', ',')},${board.replace('"', '')},${board},[],${board}]`,
  'a board a line': `${board}\r\n{"puzzle":"${CLASSIC}","name":"ä"}\n["x]\n${board}\n`,
};

/** Two 16x16 with numbers of two digits; the first row has no blank, so the distances of its cells are checked. */
function numbersBetweenBars(): string {
  const cell = (row: number, column: number) => {
    const value = ((row * 4 + Math.floor(row / 4) + column) % 16) + 1;
    return row > 0 && (row + column) % 3 === 0 ? ' .' : String(value).padStart(2);
  };
  const lines = Array.from({ length: 16 }, (_, row) => {
    const boxes = Array.from({ length: 4 }, (_, box) =>
      Array.from({ length: 4 }, (_, k) => cell(row, box * 4 + k)).join(' '),
    );
    return boxes.join(' | ').trimStart();
  });
  return `${lines.join('\n')}\n\n`.repeat(2);
}

describe.each(Object.entries(texts))('cutting the bytes of "%s"', (_name, text) => {
  const bytes = bytesOf(text);
  const whole = readText(bytes);

  it('reads something', () => {
    expect(whole.records.filter(({ notes }) => notes?.error === undefined).length).toBeGreaterThan(0);
  });

  it('gives the same records, lines, errors and blocks byte by byte', () => {
    const cuts = Array.from({ length: bytes.length }, (_, at) => at);
    expect(readText(bytes, {}, cuts)).toEqual(whole);
  });

  it('gives the same records, lines, errors and blocks anywhere', () => {
    const cuts = fc.uniqueArray(fc.nat(bytes.length), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (at) => {
        const sorted = at.sort((a, b) => a - b);
        expect(readText(bytes, {}, sorted)).toEqual(whole);
      }),
      { numRuns: propertyRuns(12) },
    );
  });
});
