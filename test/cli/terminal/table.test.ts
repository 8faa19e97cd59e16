import { describe, expect, test } from 'vitest';
import { type Column, tableLines } from '../../../lib/cli/terminal/table.ts';

const TABLE: readonly Column[] = [
  { title: 'STATE' },
  { title: 'KEY', shrinks: 'middle' },
  { title: 'COUNT', align: 'right' },
  { title: 'NOTE', shrinks: 'end' },
];
const ROWS = [
  ['done', 'inbox/a-rather-long-name.txt', '12', ''],
  ['failed', 'inbox/b.txt', '3,456', 'the function ran out of memory'],
];

describe('a table', () => {
  test('is as wide as its texts without a terminal', () => {
    expect(tableLines(TABLE, ROWS, undefined)).toEqual([
      'STATE   KEY                           COUNT  NOTE',
      'done    inbox/a-rather-long-name.txt     12',
      'failed  inbox/b.txt                   3,456  the function ran out of memory',
    ]);
  });

  test('first cuts the end of its last column, then the middle of another', () => {
    expect(tableLines(TABLE, ROWS, 60)).toEqual([
      'STATE   KEY                           COUNT  NOTE',
      'done    inbox/a-rather-long-name.txt     12',
      'failed  inbox/b.txt                   3,456  the function r…',
    ]);
    expect(tableLines(TABLE, ROWS, 45)).toEqual([
      'STATE   KEY               COUNT  NOTE',
      'done    inbox/a…name.txt     12',
      'failed  inbox/b.txt       3,456  the functio…',
    ]);
  });

  test('decorates padded cells', () => {
    const paint = (cell: string, column: number, row: number) => (column === 0 ? `<${row}:${cell}>` : cell);
    expect(tableLines(TABLE, ROWS, undefined, paint)[1]).toBe(
      '<0:done  >  inbox/a-rather-long-name.txt     12',
    );
  });

  test('escapes line breaks and direction marks in texts', () => {
    expect(tableLines([{ title: 'KEY' }], [['a\n\u202eb']], undefined)).toEqual(['KEY', 'a\\u000a\\u202eb']);
  });

  test('cuts a column with a maximum, also without a terminal', () => {
    const table = [{ title: 'KEY', shrinks: 'middle', maxWidth: 20 }, { title: 'N' }] as const;
    const rows = [['inbox/a-rather-long-name.txt', '1']];
    expect(tableLines(table, rows, undefined)).toEqual([
      'KEY                   N',
      'inbox/a-r…g-name.txt  1',
    ]);
  });
});
