/** The files of smoke, and the comparison of a result with that of this machine. */
import { expect, test } from 'vitest';
import type { Manifest } from '../../../../lib/batch/delivery/manifest.ts';
import type { VersionOutcome } from '../../../../lib/batch/delivery/result-set.ts';
import { OPTION_NAMES } from '../../../../lib/batch/options.ts';
import { knownPuzzles, optionFiles, picture } from '../../../../lib/cli/remote/smoke/smoke-files.ts';
import {
  difference,
  type SolvedHere,
  solveHere,
  solveLike,
} from '../../../../lib/cli/remote/smoke/solve-here.ts';
import { systemHashing } from '../../../../lib/node/system.ts';

test('every option of an upload has a file, under a key that S3 allows and no other has', () => {
  const files = optionFiles('odd/');
  expect(files.map(({ option }) => option).sort()).toEqual([...OPTION_NAMES].sort());
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
  for (const { name } of files) expect(Buffer.byteLength(name)).toBeLessThan(950);
});

test('the hundred known puzzles are solved but for three', async () => {
  const here = await solveHere(knownPuzzles('known.txt'));
  expect(here.kind === 'completed' && here.stats.puzzles).toMatchObject({ total: 100, solved: 97 });
  expect(here.kind === 'completed' && [...here.files.keys()]).toContain('exceptions.jsonl');
});

const sha256 = (bytes: Uint8Array) => {
  const hash = systemHashing.sha256();
  hash.update(bytes);
  return hash.hex();
};

function manifest(files: Readonly<Record<string, string>>): VersionOutcome {
  const listed = Object.entries(files).map(([name, text]) => {
    const bytes = new TextEncoder().encode(text);
    return { name, bytes: bytes.length, sha256: sha256(bytes) };
  });
  return { kind: 'completed', key: 'manifest.json', manifest: { files: listed } as unknown as Manifest };
}

function rejected(code: string): VersionOutcome {
  return {
    kind: 'rejected',
    key: 'error.json',
    reject: { error: { code, message: 'no puzzles' } } as never,
  };
}

const SOLVED: SolvedHere = {
  kind: 'completed',
  files: new Map(
    ['solutions.txt', 'exceptions.jsonl', 'stats.json'].map((name) => [name, new TextEncoder().encode(name)]),
  ),
  stats: {} as never,
};
const REJECTED: SolvedHere = { kind: 'rejected', error: { code: 'not_text', message: 'a PNG' } as never };
const SAME = {
  'solutions.txt': 'solutions.txt',
  'exceptions.jsonl': 'exceptions.jsonl',
  'stats.json': 'other',
};

test.each([
  ['the same bytes, but for times', SOLVED, manifest(SAME), undefined],
  [
    'other solutions',
    SOLVED,
    manifest({ ...SAME, 'solutions.txt': 'solutions.tx_' }),
    'solutions.txt differs from the result of this machine',
  ],
  [
    'more bytes',
    SOLVED,
    manifest({ ...SAME, 'exceptions.jsonl': 'exceptions.jsonl+' }),
    'exceptions.jsonl differs',
  ],
  [
    'other files',
    SOLVED,
    manifest({ 'solutions.csv': '' }),
    'it has the files solutions.csv, here exceptions.jsonl, ',
  ],
  ['a reject of a solved file', SOLVED, rejected('not_text'), 'the stack rejected the file (no puzzles)'],
  ['the same reject', REJECTED, rejected('not_text'), undefined],
  [
    'another reject',
    REJECTED,
    rejected('empty'),
    'the stack rejects it with empty, this machine with not_text',
  ],
  ['a solved picture', REJECTED, manifest(SAME), 'the stack solved a file that is rejected here (a PNG)'],
] as const)('a stack with %s', (_, here, outcome, expected) => {
  const found = difference(here, outcome);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(expected);
});

test('a picture is rejected', async () => {
  expect((await solveHere(picture('picture.png'))).kind).toBe('rejected');
});

test('the stack may have default options, which the comparison uses', async () => {
  const file = knownPuzzles('known.txt');
  const options = {
    engine: 'bitboard',
    output: 'jsonl',
    solutions: 2,
    'max-nodes': 50_000_000,
    records: false,
  };
  const outcome = { kind: 'completed', manifest: { options } } as unknown as VersionOutcome;
  const here = await solveLike(file, outcome);
  expect(here.kind === 'completed' && [...here.files.keys()]).toContain('solutions.jsonl');
});
