import { afterEach, describe, expect, it, vi } from 'vitest';
import { LineWindow } from '../../../lib/formats/bytes/line-window.ts';
import { DEEP } from '../../support/depth.ts';
import { CLASSIC, readText, rowsOf } from '../reading.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Lines of each run; far more than a reader keeps. */
const LINES = DEEP ? 40_000 : 8000;

describe('a run of lines that are not a puzzle', () => {
  const idle: Array<[name: string, line: string]> = [
    ['blank lines', '\n'],
    ['blank lines that end with CR LF', '\r\n'],
    ['lines of spaces', ' \t \n'],
    ['comments of two bytes', '#\n'],
    ['other comments', '// x\n; y\n'],
  ];
  it.each(idle)('is skipped without reading single lines: %s', (_name, line) => {
    const has = vi.spyOn(LineWindow.prototype, 'has');
    const { records } = readText(`${CLASSIC}\n${line.repeat(LINES)}${CLASSIC}\n`);
    const lines = line.split('\n').length - 1;
    expect(records.map((record) => record.line)).toEqual([1, LINES * lines + 2]);
    // Two for each piece of 32 KiB in which the head is surveyed.
    const pieces = Math.ceil((line.length * LINES) / 32_768);
    expect(has.mock.calls.length).toBeLessThan(Math.max(20, 10 + 2 * pieces));
  });

  const junk: Array<[name: string, line: string]> = [
    ['one letter', 'x\n'],
    ['two letters', 'x y\n'],
    ['a word', 'words\n'],
    ['prose', 'Dear reader, none today\n'],
    ['signs', '=\n'],
    ['bytes of UTF-8', 'ü\n'],
  ];
  it.each(junk)('is one record, and each line is read a few times: %s', (_name, line) => {
    const has = vi.spyOn(LineWindow.prototype, 'has');
    const { records } = readText(`${CLASSIC}\n${line.repeat(LINES)}\n${CLASSIC}\n`);
    expect(records.map((record) => [record.line, record.lineEnd, record.notes?.error !== undefined])).toEqual(
      [
        [1, 1, false],
        [2, LINES + 1, true],
        [LINES + 3, LINES + 3, false],
      ],
    );
    // The head is also read to detect the format.
    expect(has.mock.calls.length).toBeLessThan(8 * LINES);
  });

  it('is one record for each line that may be a damaged puzzle, and each is read a few times', () => {
    const has = vi.spyOn(LineWindow.prototype, 'has');
    const { records } = readText(`${CLASSIC}\n${`${CLASSIC.slice(1)}\n`.repeat(LINES)}\n${CLASSIC}\n`);
    expect(records.map(({ line }) => line)).toEqual([
      ...Array.from({ length: LINES + 1 }, (_, at) => at + 1),
      LINES + 3,
    ]);
    expect(records.filter(({ notes }) => notes?.error === undefined)).toHaveLength(2);
    expect(has.mock.calls.length).toBeLessThan(16 * LINES);
  });

  it('ends at the first line that may start a puzzle', () => {
    const { records } = readText(`${CLASSIC}\n${'x\n'.repeat(LINES)}${rowsOf(CLASSIC).join('\n')}\n`);
    expect(records.map(({ line, lineEnd }) => [line, lineEnd])).toEqual([
      [1, 1],
      [2, LINES + 1],
      [LINES + 2, LINES + 10],
    ]);
  });

  it('reads each ruler once for each recogniser, not once for each line before it', () => {
    const has = vi.spyOn(LineWindow.prototype, 'has');
    const { records } = readText(`${CLASSIC}\n${'---\n'.repeat(LINES)}${CLASSIC}\n`);
    expect(records.map(({ line }) => line)).toEqual([1, LINES + 2]);
    expect(has.mock.calls.length).toBeLessThan(16 * LINES);
  });

  it('is not kept: the reader drops each line as it arrives', () => {
    const held: number[] = [];
    const consume = LineWindow.prototype.consume;
    vi.spyOn(LineWindow.prototype, 'consume').mockImplementation(function (this: LineWindow, lines) {
      held.push(this.tail - this.head);
      consume.call(this, lines);
    });
    readText(`${CLASSIC}\n\n${'no puzzle here\n'.repeat(LINES)}`);
    expect(Math.max(...held)).toBeLessThan(100);
  });
});

describe('JSON that only opens', () => {
  const board = JSON.stringify(rowsOf(CLASSIC).map((row) => [...row]));
  it.each([
    ['a list', `[${board},`, `,${board}]`],
    ['one board after the other', `${board}\n`, `\n${board}`],
  ])('is one record for all of it: in %s', (_name, before, after) => {
    const { records } = readText(`${before}${'[[["5",'.repeat(LINES)}${after}`);
    expect(records.map(({ notes }) => notes?.error?.code)).toEqual([undefined, 'bad_character', undefined]);
  });

  it('is one record for each board that is cut off within', () => {
    const broken = board.slice(0, 60);
    const { records } = readText(`[${board},${broken},${broken},${broken},${board}]`);
    expect(records.map(({ notes }) => notes?.error !== undefined)).toEqual([false, true, true, true, false]);
  });
});
