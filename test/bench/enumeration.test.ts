import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dominoes } from '../exact-cover/board-problems.ts';
import { measureEnumeration, measurePeer } from './enumeration.ts';

test('the benchmark of enumerations finds all solutions', () => {
  expect(measureEnumeration(dominoes(4, 4))).toMatchObject({ solutions: 36, ms: expect.any(Number) });
});

test('it reads the statistics of a peer, and names one that writes none', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'bench-enumeration-test-')), 'a.dlx');
  writeFileSync(path, 'a\na\n');
  const command = 'cat; echo "Altogether 36 solutions, 10+20 mems, 42 updates, 9 bytes" >&2';
  expect(measurePeer({ name: 'some', command }, path, 2)).toMatchObject({ solutions: 36, updates: 42 });
  expect(() => measurePeer({ name: 'none', command: 'cat' }, path, 1)).toThrow(
    'peer none wrote no line "Altogether N solutions, ..., N updates"',
  );
});
