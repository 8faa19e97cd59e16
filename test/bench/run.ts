/**
 * The benchmark. `npm run bench [-- FILE... --engine NAME --peer NAME=COMMAND --json --passes N --pass-ms N]` measures the
 * engines and peers (docs/how-to/compare-solvers.md); with `--reading`, the speed at which files are read; with `--counting`, the time of counting all solutions; with `--enumeration`, that of finding each of them; with `--split`, that of one search on several threads; with `--large`, that of large puzzles; with `--pipeline FILE [--copies N]`, the cost of `solve` in addition to its
 * engine.
 *
 * Every solver proves uniqueness (it stops at the second solution), every answer is checked, and ratios are relative
 * to the first peer, or to the npm package `dancing-links`, in the same run. Without files it uses generated puzzles.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { DEFAULT_MAX_NODES } from '../../lib/batch/limits.ts';
import { type BenchCase, fileCases } from '../../lib/cli/bench/bench-case.ts';
import { measure, type Pace } from '../../lib/cli/bench/measure.ts';
import { CommandError, EXIT_FAILED } from '../../lib/cli/exit.ts';
import { findInputFiles } from '../../lib/cli/files/input-files.ts';
import { ENGINE_NAMES } from '../../lib/sudoku/engine.ts';
import { generatedCases } from './cases.ts';
import { reportCounting } from './counting.ts';
import { reportEnumeration } from './enumeration.ts';
import { reportLarge } from './large.ts';
import { readPeers, withPeers } from './peer.ts';
import { reportPipeline } from './pipeline.ts';
import { reportReading } from './reading.ts';
import { ratioRows, ratioTable } from './report.ts';
import { reportRestart } from './restart.ts';
import { createSolver, REFERENCE, SOLVER_NAMES } from './solvers.ts';
import { reportSplit } from './split.ts';

const USAGE = `npm run bench [-- FILE... --engine NAME --peer NAME=COMMAND --json --passes N --pass-ms N]
                                                              the engines; without files, on generated puzzles
npm run bench -- --reading [--passes N]                       the speed at which files of each format are read
npm run bench -- --pipeline FILE [--copies N --passes N]      the cost of solve in addition to its engine
npm run bench -- --restart [PROGRAM --passes N]               how soon the local stack continues a large job after SIGKILL
npm run bench -- --counting [NAME]                            counts of all solutions, memoised and without
npm run bench -- --enumeration [NAME] [--peer NAME=COMMAND --passes N]
                                                              all solutions of exact covers, and Knuth's programs
npm run bench -- --split [NAME] [--threads N --passes N]      one search, on one thread and on several
npm run bench -- --large [NAME] [--peer NAME=COMMAND --passes N]
                                                              puzzles from 16x16 to 36x36, and SAT solvers
`;

// Errors that the user can fix are printed as one line; defects keep their stack.
process.once('uncaughtException', (error: NodeJS.ErrnoException) => {
  const { code = '', message, stack } = error;
  const isUserError =
    error instanceof RangeError || error instanceof CommandError || code.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`bench: ${isUserError ? message : stack}\n`);
  process.exit(EXIT_FAILED);
});

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    engine: { type: 'string', multiple: true },
    peer: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
    passes: { type: 'string', default: '7' },
    'pass-ms': { type: 'string', default: '700' },
    reading: { type: 'boolean', default: false },
    pipeline: { type: 'boolean', default: false },
    restart: { type: 'boolean', default: false },
    counting: { type: 'boolean', default: false },
    enumeration: { type: 'boolean', default: false },
    split: { type: 'boolean', default: false },
    threads: { type: 'string' },
    large: { type: 'boolean', default: false },
    copies: { type: 'string', default: '1' },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit();
}
const passes = Number(values.passes);
if (!Number.isInteger(passes) || passes < 1) {
  throw new RangeError(`--passes ${values.passes}: expected an integer from 1 up`);
}
if (values.restart) {
  await reportRestart(positionals[0], passes, values.json);
  process.exit();
}
if (values.reading) {
  reportReading(passes, values.json, showProgress);
  process.exit();
}
if (values.split) {
  await reportSplit(
    values.threads === undefined ? undefined : Number(values.threads),
    passes,
    positionals[0],
  );
  process.exit();
}
if (values.counting) {
  reportCounting(DEFAULT_MAX_NODES, positionals[0]);
  process.exit();
}
if (values.enumeration) {
  reportEnumeration(readPeers(values.peer, []), passes, positionals[0]);
  process.exit();
}
if (values.large) {
  reportLarge(readPeers(values.peer, ['dlx']), passes, positionals[0]);
  process.exit();
}
if (values.pipeline) {
  const [path] = positionals;
  if (path === undefined) throw new RangeError('--pipeline: expected a file of 9x9 puzzles');
  const engine = ENGINE_NAMES.find((name) => name === (values.engine?.[0] ?? 'dlx'));
  if (engine === undefined)
    throw new RangeError(`--engine ${values.engine}: expected one of ${ENGINE_NAMES.join(', ')}`);
  await reportPipeline(path, engine, Number(values.copies), passes, values.json, showProgress);
  process.exit();
}
const passMs = Number(values['pass-ms']);
if (!(passMs > 0)) throw new RangeError(`--pass-ms ${values['pass-ms']}: expected a number above 0`);
// Shorter passes need less accurate rates, and so less warm-up.
const pace: Pace = { warmUpMs: Math.min(500, passMs), passMs, passes };
const solvers = [...new Set([...(values.engine ?? SOLVER_NAMES), REFERENCE])].map(createSolver);
const commands = readPeers(
  values.peer,
  solvers.map(({ name }) => name),
);
const reference = commands[0]?.name ?? REFERENCE;

const rows: object[] = [];
if (!values.json) process.stdout.write(`${preamble()}\n\n`);
const cases = positionals.length === 0 ? generatedCases() : await casesOf(positionals);
await withPeers(commands, async (peers) => {
  for (const puzzles of cases) {
    const able = [...solvers, ...peers].filter((solver) => solver.refuses(puzzles.geometry) === undefined);
    const measurements = await measure(puzzles, able, pace, showProgress);
    showProgress('');
    rows.push(...ratioRows(puzzles, measurements, reference));
    if (!values.json) process.stdout.write(`${ratioTable(puzzles, measurements, reference)}\n`);
  }
});
if (values.json) process.stdout.write(`${JSON.stringify({ results: rows }, undefined, 2)}\n`);

async function casesOf(paths: readonly string[]): Promise<BenchCase[]> {
  const all: BenchCase[] = [];
  for (const file of await findInputFiles(paths)) all.push(...(await fileCases(file)).cases);
  return all;
}

function preamble(): string {
  const processors = cpus();
  return [
    `Node ${process.versions.node}, ${process.arch}, ${processors.length} x ${processors[0].model}.`,
    `One thread. ${passes} passes of about ${pace.passMs} ms, after ${pace.warmUpMs} ms of warm-up; solvers in turn.`,
    'Limit 2: each solution is proven to be the only one. Every answer is checked. Engines get whole blocks of puzzles.',
    `Ratio: median over the passes of the rate divided by that of ${reference} in the same round.`,
  ].join('\n');
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
