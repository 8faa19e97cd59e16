/** Files of any format and form: records, flat memory, backpressure, early end, abort. */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import * as browser from '../../lib/api/browser.ts';
import {
  createSolver,
  DlxBatchError,
  generateMany,
  type SolveRecord,
  solveAll,
} from '../../lib/api/index.ts';
import { HEAD_BYTES } from '../../lib/formats/reader.ts';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { MIXED_FILE, MIXED_STATUSES } from '../support/puzzles.ts';

async function all(records: AsyncIterable<SolveRecord>): Promise<SolveRecord[]> {
  const found: SolveRecord[] = [];
  for await (const record of records) found.push(record);
  return found;
}

/** Text in pieces of random lengths. */
async function* pieces(bytes: Uint8Array, seed: number): AsyncGenerator<Uint8Array, void, void> {
  const random = new RandomSource(seed);
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + (random.next() % 100);
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

const lines = Array.from(generateMany(200, { seed: 1 }), ({ puzzle }) => `${puzzle}\n`).join('');

/** A file of generated puzzles that reports what was read, and whether it was closed. */
function countedFile(repeats: number) {
  const file = { bytesRead: 0, closed: false, records: endless() };
  async function* endless(): AsyncGenerator<string, void, void> {
    try {
      for (let k = 0; k < repeats; k++) {
        file.bytesRead += lines.length;
        yield lines;
      }
    } finally {
      file.closed = true;
    }
  }
  return file;
}

describe('solveAll', () => {
  it('yields a record for each puzzle, of each status', async () => {
    const records = await all(solveAll(MIXED_FILE, { maxNodes: 5 }));
    expect(records.map(({ status }) => status)).toEqual(MIXED_STATUSES);
    expect(records.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('gives the same records for text, bytes, compressed bytes and pieces, with and without threads', async () => {
    const bytes = readFileSync(new URL('../fixtures/formats/mixed.txt', import.meta.url));
    const expected = await all(solveAll(bytes));
    expect(expected.length).toBe(22);
    expect(await all(solveAll(bytes.toString()))).toEqual(expected);
    expect(await all(solveAll(gzipSync(bytes)))).toEqual(expected);
    expect(await all(browser.solveAll(gzipSync(bytes)))).toEqual(expected);
    expect(await all(solveAll(pieces(bytes, 1)))).toEqual(expected);
    const text = bytes.toString();
    const halves = [text.slice(0, 1000), text.slice(1000)];
    expect(await all(solveAll(halves))).toEqual(expected);
    await using solver = createSolver({ workers: 3 });
    expect(await all(solver.solveAll(pieces(bytes, 2)))).toEqual(expected);
  });

  it('reads web streams, and cancels one that is not read to its end', async () => {
    let isCancelled = false;
    const stream = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new TextEncoder().encode(lines.repeat(100))),
        cancel: () => {
          isCancelled = true;
        },
      });
    for await (const { status } of solveAll(stream())) {
      expect(status).toBe('solved');
      break;
    }
    expect(isCancelled).toBe(true);
    expect(await all(solveAll(new Response(MIXED_FILE).body!))).toEqual(await all(solveAll(MIXED_FILE)));
  });

  it('joins characters that two pieces of text share', async () => {
    const text = 'id,puzzle\n😀,1.....3..4.....2\n';
    const at = text.indexOf('😀') + 1;
    const [record] = await all(solveAll([text.slice(0, at), text.slice(at)]));
    expect(record).toMatchObject({ status: 'solved', id: '😀' });
  });

  it('solves the problems of exact-cover files', async () => {
    const file = 'a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n';
    const [record] = await all(solveAll(file, { format: 'dlx' }));
    expect(record).toMatchObject({ status: 'solved', solution: ['c e', 'a d f', 'b g'], exact: true });
  });

  it('reads nothing before the first record is requested, and no more than a few blocks ahead', async () => {
    const file = countedFile(1000);
    const records = solveAll(file.records);
    expect(file.bytesRead).toBe(0);
    // The head decides the format; then a block of at most 512 puzzles is read at a time.
    const ahead = HEAD_BYTES + 2 * 512 * 82 + lines.length;
    for (let k = 0; k < 20_000; k++) {
      const { done } = await records.next();
      expect(done).toBe(false);
      if (file.bytesRead > k * 82 + ahead) throw new Error(`record ${k}: ${file.bytesRead} bytes read`);
    }
    expect(file.bytesRead).toBeGreaterThanOrEqual(20_000 * 82);
    await records.return();
    expect(file.closed).toBe(true);
  });

  it('keeps memory flat over a long stream', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const usedBytes = () => {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    let early = 0;
    let solved = 0;
    for await (const { status } of solveAll(countedFile(300).records, { engine: 'bitboard' })) {
      if (status === 'solved' && ++solved === 10_000) early = usedBytes();
      if (solved === 40_000) break;
    }
    // 30,000 records would take 15 MB.
    expect(usedBytes() - early).toBeLessThan(2_000_000);
  });

  it.each([
    ['text without puzzles', 'hello', 'no_puzzles'],
    [
      'another container',
      Uint8Array.from([0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59]),
      'unsupported_compression',
    ],
    ['damaged data', gzipSync(lines).subarray(0, 100), 'corrupt'],
  ])('throws a typed error for %s', async (_, file, code) => {
    const failure = { code: 'unreadable_file', cause: { code } };
    await expect(all(solveAll(file))).rejects.toMatchObject(failure);
    await expect(all(browser.solveAll(file))).rejects.toMatchObject(failure);
  });

  it.each([
    ['bad_argument', () => solveAll(undefined as never)],
    ['bad_argument', () => solveAll(5 as never)],
    ['bad_argument', () => solveAll(new Float64Array(3) as never)],
    ['bad_option', () => solveAll('', { format: 'pdf' })],
    ['bad_option', () => solveAll('', { size: 9 } as never)],
    ['bad_option', () => solveAll('', { signal: 5 } as never)],
    ['bad_option', () => solveAll('', { alphabet: '11' })],
    ['bad_option', () => createSolver({ workers: 0 })],
    ['bad_option', () => browser.createSolver({ workers: 2 })],
    ['bad_option', () => browser.createSolver({ createWorker: 5 } as never)],
  ])('wrong use throws at once: %s for %s', (code, call) => {
    expect(call).toThrow(expect.objectContaining({ name: 'DlxBatchError', code }));
  });

  it('a piece of a wrong type throws while it is read', async () => {
    await expect(all(solveAll([5] as never))).rejects.toMatchObject({ code: 'bad_argument' });
  });

  it('passes an error of the source through, and closes it', async () => {
    const broken = new Error('the connection broke');
    async function* source(): AsyncGenerator<string, void, void> {
      yield lines;
      throw broken;
    }
    await expect(all(solveAll(source()))).rejects.toBe(broken);
  });
});

/** A source that never answers after its first piece. */
async function* stalled(): AsyncGenerator<string, void, void> {
  yield lines;
  await new Promise(() => {});
}

describe('an AbortSignal', () => {
  it('ends the wait for a source that never answers', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await expect(all(solveAll(stalled(), { signal: controller.signal }))).rejects.toThrow('enough');
  });

  it.each([1, 2])('ends a search that takes minutes, with %i threads', async (workers) => {
    await using solver = createSolver({ workers, engine: 'backtrack' });
    const limits = { maxNodes: Number.POSITIVE_INFINITY, solutions: Number.POSITIVE_INFINITY };
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 50);
    const solved = solver.solve('.'.repeat(625), { ...limits, signal: controller.signal });
    await expect(solved).rejects.toThrow('enough');
  });

  it('that is aborted in advance reads nothing', async () => {
    const file = countedFile(1);
    const records = solveAll(file.records, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(all(records)).rejects.toThrow('enough');
    expect(file.bytesRead).toBe(0);
  });
});

describe('a solver', () => {
  it.each([1, 2])('with %i threads solves puzzles and files at the same time', async (workers) => {
    await using solver = createSolver({ workers, engine: 'bitboard' });
    const puzzles = lines.trim().split('\n');
    const [first, second, ...single] = await Promise.all([
      all(solver.solveAll(lines)),
      all(solver.solveAll(lines)),
      ...puzzles.slice(0, 20).map((puzzle) => solver.solve(puzzle)),
    ]);
    expect(first).toEqual(second);
    expect(first.map(({ status }) => status)).toEqual(puzzles.map(() => 'solved'));
    expect(single.map(({ solution }) => solution)).toEqual(
      first.slice(0, 20).map(({ solution }) => solution),
    );
  });

  it('starts threads for much work, with the same records', async () => {
    // So much that this thread alone takes longer than it waits before it starts others.
    const file = () => countedFile(40).records;
    await using solver = createSolver({ workers: 2 });
    expect(await all(solver.solveAll(file()))).toEqual(await all(solveAll(file())));
  });

  it('fails after close, and what is in progress fails', async () => {
    const solver = createSolver({ workers: 1, engine: 'backtrack' });
    const limits = { maxNodes: Number.POSITIVE_INFINITY, solutions: Number.POSITIVE_INFINITY };
    const inProgress = solver.solve('.'.repeat(625), limits);
    setTimeout(() => solver.close(), 20);
    await expect(inProgress).rejects.toMatchObject({ code: 'closed' });
    await expect(solver.solve('.'.repeat(81))).rejects.toBeInstanceOf(DlxBatchError);
    expect(() => solver.solveAll('')).toThrow('closed');
  });
});
