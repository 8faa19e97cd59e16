import { describe, expect, test } from 'vitest';
import { print, writeText } from '../../../lib/cli/terminal/output.ts';
import { ProgressLine } from '../../../lib/cli/terminal/progress.ts';
import { eraseProgress, type Screen } from '../../../lib/cli/terminal/terminal.ts';
import { truncated, widthOf } from '../../../lib/cli/terminal/width.ts';

/** A screen that records its output. */
function screen(changes: Partial<Screen> = {}): Screen & { readonly written: string[] } {
  const written: string[] = [];
  return { isTTY: true, columns: 20, write: (text) => written.push(text), ...changes, written };
}

describe('a live line', () => {
  test('replaces its previous text, is cut to the terminal, and is removed', () => {
    const terminal = screen();
    const line = new ProgressLine(terminal, 0);
    line.show(() => ({ done: 'short' }), 0);
    line.show(() => ({ done: 'x'.repeat(24) }), 200);
    print(['output'], terminal as unknown as NodeJS.WritableStream);
    expect(terminal.written).toEqual(['\r\x1b[Kshort', `\r\x1b[K${'x'.repeat(18)}…`, '\r\x1b[K', 'output\n']);
  });

  test('waits for the end of a line of output', () => {
    const terminal = screen();
    const line = new ProgressLine(terminal, 0);
    writeText('5346', terminal as unknown as NodeJS.WritableStream);
    line.show(() => ({ done: 'first' }), 0);
    writeText('78\n', terminal as unknown as NodeJS.WritableStream);
    line.show(() => ({ done: 'second' }), 0);
    expect(terminal.written).toEqual(['5346', '78\n', '\r\x1b[Ksecond']);
  });

  test('is not drawn again within a tenth of a second', () => {
    const terminal = screen();
    const line = new ProgressLine(terminal, 0);
    line.show(() => ({ done: 'first' }), 0);
    line.show(() => ({ done: 'second' }), 99);
    expect(terminal.written).toHaveLength(1);
  });

  test('is not drawn without a terminal', () => {
    const file = screen({ isTTY: undefined });
    const line = new ProgressLine(file, 0);
    line.show(() => ({ done: 'text' }), 0);
    eraseProgress();
    expect(line.visible).toBe(false);
    expect(file.written).toEqual([]);
  });

  test('escapes control characters and direction marks', () => {
    const terminal = screen();
    new ProgressLine(terminal, 0).show(() => ({ done: 'a\x1b\u202e\n' }), 0);
    expect(terminal.written).toEqual(['\r\x1b[Ka\\u001b\\u202e\\u000a']);
  });
});

test.each([
  ['fits', 10, 'end', 'fits'],
  ['too long for it', 8, 'end', 'too lon…'],
  ['inbox/a/long/name.txt', 11, 'middle', 'inbox…e.txt'],
  ['🙂🙂🙂🙂', 6, 'end', '🙂🙂…'],
  ['数独謎題.txt', 12, 'end', '数独謎題.txt'],
  ['数独謎題.txt', 11, 'end', '数独謎題.t…'],
  ['数独謎題.txt', 6, 'end', '数独…'],
  ['数独謎題.txt', 8, 'middle', '数….txt'],
  ['数独謎題', 4, 'middle', '…題'],
  ['e\u0301e\u0301e\u0301', 2, 'end', 'e\u0301…'],
] as const)('%j in %i columns, cut at its %s, is %j', (text, width, where, result) => {
  expect(truncated(text, width, where)).toBe(result);
  expect(widthOf(truncated(text, width, where))).toBeLessThanOrEqual(width);
});
