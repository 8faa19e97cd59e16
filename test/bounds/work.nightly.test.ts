/**
 * The work for a file is at most a + b * its size: counted by V8 for all code (see `work-thread.ts`), and by the program
 * itself. Files of every format, and files made from them by seeds, grow to four times their size.
 */
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wellFormedFiles } from '../formats/catalogue.ts';
import { DEEP, propertyRuns } from '../support/depth.ts';
import { type GrownText, grownText, textOf } from './grown-texts.ts';
import type { WorkAnswer, WorkRequest } from './work-thread.ts';

let thread: Worker;
beforeAll(() => {
  thread = new Worker(new URL('./work-thread.ts', import.meta.url));
});
afterAll(() => thread.terminate());

function workOf(request: WorkRequest): Promise<WorkAnswer> {
  return new Promise((resolve, reject) => {
    thread.removeAllListeners();
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.postMessage(request);
  });
}

/** Characters of a file; four times as many are less than a head. */
const LENGTH = 8000;
/** Blocks of code for each byte: ordinary formats take 2 to 400, the worst mutation of thousands 1,800. */
const MAX_BLOCKS = 4000;
/** Bytes examined for each byte: at most 150 were found. */
const MAX_EXAMINED = 500;
/** A record of a few characters has a result of a few hundred. */
const MAX_OUTPUT = 400;

/** Checks that the second three quarters of a text take no more than so much for each byte. */
async function expectLinear(text: GrownText, maxBlocks = MAX_BLOCKS): Promise<void> {
  const [small, large] = [LENGTH, 4 * LENGTH].map((length) => textOf(text, length));
  const bytes = Buffer.byteLength(large!) - Buffer.byteLength(small!);
  const [before, after] = [await workOf({ text: small! }), await workOf({ text: large! })];
  expect((after.blocks - before.blocks) / bytes).toBeLessThan(maxBlocks);
  expect((after.examined - before.examined) / bytes).toBeLessThan(MAX_EXAMINED);
  expect((after.outputBytes - before.outputBytes) / bytes).toBeLessThan(MAX_OUTPUT);
}

/** Some formats; in the run of a night all. */
const FORMATS = Object.entries(wellFormedFiles()).filter((_, k) => DEEP || k % 20 === 3);

describe('the work for a file', () => {
  it.each(FORMATS)('of the format: %s', async (_name, pieces) => {
    await expectLinear({ start: pieces[0]!, unit: pieces.slice(1).join(''), end: '' });
  });

  it.each(['{}', '{"a":1}\n'])('of objects without a puzzle, each read a few times: %j', async (unit) => {
    await expectLinear({ start: '', unit, end: '' }, 500);
  });

  it('of pieces of any format, damaged and repeated', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => expectLinear(grownText(seed))),
      { numRuns: propertyRuns(3), endOnFailure: true },
    );
  });
});

const PUZZLE = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const MAP = 'aaabbbccc'.repeat(3) + 'dddeeefff'.repeat(3) + 'ggghhhiii'.repeat(3);

/** Texts on which an expression once took quadratic, cubic or exponential time: seconds to years for these sizes. */
const CRAFTED: readonly (readonly [name: string, text: string])[] = [
  ['empty brackets before no constructor', `${'[ ]'.repeat(30)}!\n`],
  ['spaces in the label of a jigsaw', `${PUZZLE}${MAP} x${' '.repeat(100_000)}!\n`],
  ['padding in a link', `https://f-puzzles.com/?load=${'='.repeat(100_000)}A\n`],
  ['escaped quotes in a link', `https://sudokupad.app/?puzzleid=scl{a:"${'\\"'.repeat(50_000)}\n`],
  ['no-break spaces', '\u00a0 '.repeat(10_000)],
  ['a long name with a sign in lists of items', `A: ${'a'.repeat(200_000)}#, b\nB: b, c\nC: b, c\nD: c, b\n`],
  [
    'spaces and lines in labels',
    `{"puzzle":"${PUZZLE}","description":"${'\\n'.repeat(100_000)}x","type":"s${' '.repeat(100_000)}!"}`,
  ],
  ['a frame of comment signs above a text', `${'#'.repeat(100_000)}\n${'#'.repeat(80)}\nifndef SOURCES\n`],
];

describe('expressions', () => {
  it.each(CRAFTED)('read in linear time: %s', async (_name, text) => {
    expect((await workOf({ text, isWhole: true })).cpuMs).toBeLessThan(6000);
  });
});

/** Blocks of code of a search that reaches its budget; without one, these files took 190 to 360 million. */
const MAX_SEARCH_BLOCKS = 100e6;

describe('the search for an option that makes a file readable', () => {
  it.each(DEEP ? [7, 12, 71] : [12])('has a budget for all tries (seed %d)', async (seed) => {
    const text = textOf(grownText(seed), 16 * 1024);
    const { kind, blocks } = await workOf({ text, isWhole: true });
    expect(kind).toBe('rejected');
    expect(blocks).toBeLessThan(MAX_SEARCH_BLOCKS);
  });
});
