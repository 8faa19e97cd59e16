/** Files of every kind that people have give the right records, however they are named. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { folderWith, runProgram } from '../program.ts';
import { type Expected, WILD_FILES } from './kinds.ts';

const folder = folderWith(
  Object.fromEntries(WILD_FILES.map(({ name, content }) => [name, content])),
  afterAll,
);

interface WrittenRecord {
  readonly status: string;
  readonly line: number;
  readonly solution?: string | readonly string[];
  readonly error?: { readonly code: string; readonly message: string };
}

/** The records of a file's result set. */
function recordsOf(name: string): WrittenRecord[] {
  const results = join(folder, 'out', name);
  const file = readdirSync(results).find((found) => found === 'records.jsonl')!;
  const text = readFileSync(join(results, file), 'utf8').trimEnd();
  return text === '' ? [] : text.split('\n').map((record) => JSON.parse(record));
}

function symbolsOf(solution: WrittenRecord['solution']): string[] {
  const text = Array.isArray(solution) ? solution.join(' ') : String(solution);
  return /\s/.test(text.trim()) ? text.trim().split(/\s+/) : [...text.trim()];
}

function check(record: WrittenRecord, expected: Expected, digitOf: (symbol: string) => number): void {
  expect(record).toMatchObject({ status: expected.status });
  if (expected.line !== undefined) expect(record.line).toBe(expected.line);
  if (expected.status === 'solved') {
    expect(symbolsOf(record.solution).map(digitOf)).toEqual(expected.solution);
  } else {
    expect(record.error?.code).toBe(expected.code);
    expect(record.error?.message).toMatch(expected.words);
  }
}

test.each(WILD_FILES)('$name', async ({ name, exit, records, refused, summary, digitOf = Number }) => {
  const { status, stderr } = await runProgram(folder, ['solve', '--records', '-o', 'out', name]);
  expect({ status, stderr }).toMatchObject({ status: exit });
  if (refused !== undefined) expect(stderr).toMatch(refused);
  if (summary !== undefined) expect(stderr).toMatch(summary);
  if (records === undefined) return;
  const written = recordsOf(name);
  expect(written).toHaveLength(records.length);
  for (const [k, expected] of records.entries()) check(written[k]!, expected, digitOf);
});
