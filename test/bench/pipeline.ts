/**
 * The cost of the pipeline in addition to its engine: `solve -o`, from file to complete result set, with one and two
 * workers.
 *
 *     engine        only the engine, whole blocks, in one warm thread
 *     two engines   the same in two threads at once: the gain of a second thread on this machine
 *     1 worker      the command itself, in its own process; its rate is that of its stats.json
 *     2 workers
 *     cold          a file of 100 puzzles, and an empty one: whole processes, from start to end
 *
 * They run in turn, round after round, and ratios are computed within a round. If the machine has other load,
 * wall-clock rates decrease but processor time does not, so that is reported too: for the command, minus that for the
 * empty file.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { type BenchCase, fileCases } from '../../lib/cli/bench/bench-case.ts';
import { median } from '../../lib/cli/bench/measure.ts';
import { findInputFiles } from '../../lib/cli/files/input-files.ts';
import type { EngineName } from '../../lib/sudoku/engine.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { evenSample } from './cases.ts';
import type { EngineThreadStart, PassTimes } from './engine-thread.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/dlx-batch.mjs');
const CPU_AT_EXIT = join(import.meta.dirname, 'cpu-at-exit.ts');
const COLD_PUZZLES = 100;

/** One round: rates in puzzles a second, processor time in microseconds a puzzle, cold processes in milliseconds. */
interface Round {
  readonly engine: number;
  readonly engineUs: number;
  readonly twoEngines: number;
  readonly oneWorker: number;
  readonly oneWorkerUs: number;
  readonly twoWorkers: number;
  readonly twoWorkersUs: number;
  readonly emptyMs: number;
  readonly coldMs: number;
}

/** The puzzles to measure, and the files. */
interface Setup {
  readonly engine: EngineName;
  readonly puzzles: BenchCase;
  /** Number of copies of the file in `path`. */
  readonly copies: number;
  readonly folder: string;
  readonly path: string;
  readonly coldPath: string;
  readonly emptyPath: string;
}

/** The ratios of the report: name and value in a round. */
const RATIOS: readonly (readonly [name: string, ratio: (round: Round) => number])[] = [
  ['one worker / engine', ({ oneWorker, engine }) => oneWorker / engine],
  ['one worker / engine, by processor time', ({ oneWorkerUs, engineUs }) => engineUs / oneWorkerUs],
  ['two workers / one worker', ({ twoWorkers, oneWorker }) => twoWorkers / oneWorker],
  ['two engines / engine: the maximum on this machine', ({ twoEngines, engine }) => twoEngines / engine],
  ['processor time of two workers / of one', ({ twoWorkersUs, oneWorkerUs }) => twoWorkersUs / oneWorkerUs],
];

/**
 * Measures the pipeline on a file and reports on standard output.
 *
 * @param copies number of copies of the file, so that a run takes long enough
 * @throws Error if the file has other than 9x9 puzzles, or the command fails on it
 */
export async function reportPipeline(
  path: string,
  engine: EngineName,
  copies: number,
  passes: number,
  json: boolean,
  onProgress: (text: string) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dlx-batch-pipeline-'));
  const threads: Worker[] = [];
  try {
    const setup = await prepare(path, engine, copies, folder);
    threads.push(startThread(setup), startThread(setup));
    for (const thread of threads) await passOf(thread, 3);
    const rounds: Round[] = [];
    for (let pass = 1; pass <= passes; pass++) {
      onProgress(`pass ${pass} of ${passes}`);
      rounds.push(await round(setup, threads));
    }
    onProgress('');
    const report = json
      ? `${JSON.stringify({ results: rows(setup, rounds) }, undefined, 2)}`
      : table(setup, rounds);
    process.stdout.write(`${report}\n`);
  } finally {
    for (const thread of threads) await thread.terminate();
    rmSync(folder, { recursive: true });
  }
}

async function prepare(path: string, engine: EngineName, copies: number, folder: string): Promise<Setup> {
  const [file] = await findInputFiles([path]);
  const { cases } = await fileCases(file, Number.POSITIVE_INFINITY);
  const puzzles = cases.find(({ geometry }) => geometry === standardGeometry(9));
  if (puzzles === undefined || cases.length > 1) throw new Error(`${path}: expected only 9x9 puzzles`);
  const [long, cold, empty] = ['puzzles.txt', 'hundred.txt', 'none.txt'].map((name) => join(folder, name));
  const bytes = readFileSync(path);
  for (let k = 0; k < copies; k++) appendFileSync(long, bytes);
  const few = evenSample(puzzles, Math.max(1, Math.floor(puzzles.count / COLD_PUZZLES)));
  const lines = Array.from({ length: Math.min(few.count, COLD_PUZZLES) }, (_, i) =>
    few.cells.subarray(i * 81, (i + 1) * 81).join(''),
  );
  writeFileSync(cold, `${lines.join('\n')}\n`);
  writeFileSync(empty, '');
  return { engine, puzzles, copies, folder, path: long, coldPath: cold, emptyPath: empty };
}

function startThread({ engine, puzzles }: Setup): Worker {
  const workerData: EngineThreadStart = {
    engine,
    size: puzzles.geometry.size,
    cells: puzzles.cells,
    count: puzzles.count,
  };
  return new Worker(new URL('./engine-thread.ts', import.meta.url), { workerData });
}

async function passOf(thread: Worker, times: number): Promise<PassTimes> {
  thread.postMessage(times);
  const [passTimes] = await once(thread, 'message');
  return passTimes;
}

async function round(setup: Setup, [first, second]: readonly Worker[]): Promise<Round> {
  const { copies } = setup;
  const count = setup.puzzles.count * copies;
  const alone = await passOf(first, copies);
  const empty = await solve(setup, setup.emptyPath, 1);
  const one = await solve(setup, setup.path, 1);
  const two = await solve(setup, setup.path, 2);
  const both = await Promise.all([passOf(first, copies), passOf(second, copies)]);
  const cold = await solve(setup, setup.coldPath, 1);
  const usEach = (ms: number) => (ms * 1000) / count;
  return {
    engine: (count / alone.wallMs) * 1000,
    engineUs: usEach(alone.cpuMs),
    twoEngines: (2 * count * 1000) / Math.max(...both.map(({ wallMs }) => wallMs)),
    oneWorker: one.puzzlesPerSecond,
    oneWorkerUs: usEach(one.cpuMs - empty.cpuMs),
    twoWorkers: two.puzzlesPerSecond,
    twoWorkersUs: usEach(two.cpuMs - empty.cpuMs),
    emptyMs: empty.wallMs,
    coldMs: cold.wallMs,
  };
}

/** Runs the command on a file in its own process. */
async function solve({ engine, folder }: Setup, path: string, workers: number) {
  const options = ['--engine', engine, '--workers', String(workers), '--json', '-o', join(folder, 'results')];
  const startMs = performance.now();
  const child = spawn(process.execPath, ['--import', CPU_AT_EXIT, PROGRAM, 'solve', ...options, path], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const [stdout, stderr, cpuMs] = await Promise.all(
    [child.stdout, child.stderr, child.stdio[3]].map((stream) => text(stream as NodeJS.ReadableStream)),
  );
  const [status] = await closed;
  const wallMs = performance.now() - startMs;
  if (status === 2 || status === null) throw new Error(`solve failed: ${stderr}`);
  const { timing } = JSON.parse(stdout).files[0];
  return { wallMs, cpuMs: Number(cpuMs), puzzlesPerSecond: timing.puzzlesPerSecond as number };
}

function table({ engine, puzzles, copies }: Setup, rounds: readonly Round[]): string {
  const rate = (name: string, pick: (round: Round) => number) => {
    const rates = rounds.map(pick);
    return `${name.padEnd(12)} ${grouped(median(rates)).padStart(9)} ${grouped(Math.max(...rates)).padStart(9)}`;
  };
  const ratios = RATIOS.map(([name, ratio]) => {
    const values = rounds.map(ratio);
    return `${median(values).toFixed(2)} (best ${Math.max(...values).toFixed(2)})  ${name}`;
  });
  const more = rounds.map(({ coldMs, emptyMs }) => coldMs - emptyMs);
  const us = (pick: (round: Round) => number) => median(rounds.map(pick)).toFixed(2);
  return [
    `### ${puzzles.name}, ${copies === 1 ? 'once' : `${copies} times`}: ${grouped(puzzles.count * copies)} puzzles, engine ${engine}`,
    '',
    'puzzles/s       median      best',
    rate('engine', (round) => round.engine),
    rate('two engines', (round) => round.twoEngines),
    rate('1 worker', (round) => round.oneWorker),
    rate('2 workers', (round) => round.twoWorkers),
    '',
    `processor time a puzzle: engine ${us((round) => round.engineUs)} us, 1 worker ${us((round) => round.oneWorkerUs)} us, ` +
      `2 workers ${us((round) => round.twoWorkersUs)} us`,
    ...ratios,
    `${median(more).toFixed(0)} ms (best ${Math.min(...more).toFixed(0)})  more for 100 puzzles than for none, in a cold process`,
    '',
  ].join('\n');
}

function rows({ engine, puzzles, copies }: Setup, rounds: readonly Round[]) {
  const row = (what: string, pick: (round: Round) => number) => ({
    solver: engine,
    what,
    file: puzzles.name,
    puzzles: puzzles.count * copies,
    puzzlesPerSecond: Math.round(median(rounds.map(pick))),
    best: Math.round(Math.max(...rounds.map(pick))),
    ratio: Number(median(rounds.map((round) => pick(round) / round.engine)).toFixed(3)),
  });
  return [
    row('engine', (round) => round.engine),
    row('two engines', (round) => round.twoEngines),
    row('1 worker', (round) => round.oneWorker),
    row('2 workers', (round) => round.twoWorkers),
  ];
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
