import { describe, expect, test } from 'vitest';
import { print, writeText } from '../../../lib/cli/terminal/output.ts';
import { ProgressLine } from '../../../lib/cli/terminal/progress.ts';
import { eraseProgress, type Screen } from '../../../lib/cli/terminal/terminal.ts';

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
