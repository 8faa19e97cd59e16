/** The result files do not depend on the number of threads, or on WebAssembly but for ordinary 9x9. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PUZZLE_STATUSES } from '../../lib/batch/solving/puzzle-status.ts';
import { systemClock } from '../../lib/node/system.ts';
import { workerPool } from '../../lib/node/worker-pool.ts';
import { ENGINE_NAMES } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { resultFiles } from '../support/run-job.ts';
import { sameFiles } from './same-files.ts';

describe('files of every format', () => {
  const files = sameFiles();
  let expected: Awaited<ReturnType<typeof resultFiles>>[];
  beforeAll(async () => {
    expected = [];
    for (const { text, options } of files) expected.push(await resultFiles(text, options));
  });

  it('have all kinds of results', () => {
    const records = expected.flatMap(({ records = '[]' }) => JSON.parse(records) as { status: string }[]);
    expect(new Set(records.map(({ status }) => status))).toEqual(new Set(PUZZLE_STATUSES));
  });

  it('give the same result files by one thread and by two', async () => {
    const pools = new Map(
      ENGINE_NAMES.map((name) => {
        const engine = createEngine(name);
        const { solver, close } = workerPool(2, engine, systemClock);
        onTestFinished(close);
        return [name, { engine, solver, clock: systemClock }];
      }),
    );
    for (const [at, { name, text, options }] of files.entries()) {
      const dependencies = pools.get((options.engine ?? 'dlx') as (typeof ENGINE_NAMES)[number]);
      expect(await resultFiles(text, options, { dependencies }), name).toEqual(expected[at]);
    }
  });

  it('give the same result files with and without WebAssembly, but for ordinary 9x9', async () => {
    const thread = new Worker(new URL('plain-thread.mjs', import.meta.url), { env: process.env });
    const [results] = await once(thread, 'message');
    let [whole, ordinary] = [0, 0];
    for (const [at, { name, options }] of files.entries()) {
      const records: Found[] = JSON.parse(expected[at]!.records ?? '[]');
      if (!records.some(isOrdinary)) {
        // WebAssembly has a memory of its own.
        const { maxBytes } = expected[at]!;
        expect({ ...results[at], maxBytes }, name).toEqual({ ...expected[at], maxBytes });
        whole++;
        continue;
      }
      const plain: Found[] = JSON.parse(results[at].records);
      expect(plain.length, name).toBe(records.length);
      for (const [index, record] of records.entries()) {
        ordinary += compareWithoutWebAssembly(record, plain[index]!, options, `${name}, record ${index + 1}`);
      }
    }
    expect(whole).toBeGreaterThan(0);
    expect(ordinary).toBeGreaterThan(0);
  });
});

interface Found {
  readonly status: string;
  readonly size?: number;
  readonly box?: string;
  readonly variant?: string;
  readonly solution?: string;
  readonly error?: { readonly code: string };
}

/** Whether a puzzle is solved by another search without WebAssembly. */
function isOrdinary({ size, box, variant }: Found): boolean {
  return size === 9 && box === '3x3' && variant === 'standard';
}

/**
 * Without WebAssembly, the general core solves an ordinary 9x9: statuses and unique solutions are the same, but not the
 * puzzles that run out of nodes. `bitboard` refuses it.
 *
 * @returns 1 if the records were compared, 0 if one search ran out of nodes
 */
function compareWithoutWebAssembly(
  record: Found,
  plain: Found,
  { engine, solutions }: Readonly<Record<string, string>>,
  name: string,
): 0 | 1 {
  if (engine === 'bitboard' && isOrdinary(record)) {
    expect([plain.status, plain.error?.code], name).toEqual(['unreadable', 'unsupported_variant']);
    return 1;
  }
  if (record.status === 'limit' || plain.status === 'limit') return 0;
  expect(plain.status, name).toBe(record.status);
  if (record.status === 'solved' && solutions !== '1') expect(plain.solution, name).toBe(record.solution);
  return 1;
}
