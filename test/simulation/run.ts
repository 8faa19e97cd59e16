/**
 * Runs simulations from the command line:
 *
 *     npx node test/simulation/run.ts --seed 7                  one seed
 *     npx node test/simulation/run.ts --seed 1 --count 200      200 seeds, and how many of them had which fault
 *     npx node test/simulation/run.ts --seed 7 --trace          every request and fault
 *     npx node test/simulation/run.ts --count 100 --plant second-look      how many seeds find a planted defect
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CleanResults } from './checks.ts';
import { installDisk } from './disk.ts';
import { FAULT_ANSWERS, FAULT_KINDS } from './faults.ts';
import { installModuleHooks, loadHandlers } from './modules.ts';
import { installNetwork } from './network.ts';
import { installSystemCalls, watchUncaughtErrors } from './system-calls.ts';
import { activeWorld, cpuMs } from './world.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1' },
    plant: { type: 'string' },
    trace: { type: 'boolean', default: false },
    /** Stops at the first seed that fails. */
    first: { type: 'boolean', default: false },
    /** Runs the first seed twice, and compares the traces. */
    twice: { type: 'boolean', default: false },
    /** File with the results of the world without faults, which several runs share: the first one without a plant writes it. */
    clean: { type: 'string' },
    /** Runs each way in which work can stop, and compares its alarm, instead of seeds. */
    stops: { type: 'boolean', default: false },
  },
});

// Not through `process.stdout`: the output of a simulated process belongs to that process.
const print = (line: string) => void writeSync(1, `${line}\n`);

// The files of the user and of the machine must not matter.
process.env.AWS_CONFIG_FILE = '/dev/null';
process.env.AWS_SHARED_CREDENTIALS_FILE = '/dev/null';
process.env.XDG_STATE_HOME = join(tmpdir(), 'dlx-batch-simulation-state');

// A third of the requests of a bad night fail: their stacks take time, and matter in a replay only.
Error.stackTraceLimit = values.trace ? 30 : 0;
installSystemCalls();
installNetwork();
installDisk();
installModuleHooks(values.plant);
watchUncaughtErrors((error) => {
  const world = activeWorld();
  if (world === undefined) throw error;
  world.defects.push(`uncaught: ${error instanceof Error ? error.stack : error}`);
});

const { writeProgram } = await import('../../lib/local/deployments.ts');
const { cleanResults, simulate } = await import('./simulate.ts');
// Imported on demand by the code under test: modules load outside of the simulated time.
await import('../../lib/batch/report/report-page.ts');
await import('../../lib/cli/commands/upload.ts');
await import('../../lib/cli/commands/download.ts');
await import('../../lib/cli/commands/retry.ts');

const { watchPermissions } = await import('./functions.ts');
watchPermissions();
const onTrace = values.trace ? print : undefined;
const outDir = mkdtempSync(join(tmpdir(), 'dlx-batch-simulation-'));
await writeProgram(outDir);
const { withReservedConcurrency } = await import('./capacity.ts');
const template = withReservedConcurrency(JSON.parse(readFileSync(join(outDir, 'template.json'), 'utf8')));
rmSync(outDir, { recursive: true });
const options = { template, handlers: await loadHandlers(), onTrace };

if (values.stops) {
  const { STOPS, stopProblems } = await import('./stops.ts');
  let failed = 0;
  for (const stop of [{ what: 'nothing stops' }, ...STOPS]) {
    const problems = await stopProblems(stop, options);
    if (problems.length > 0) failed++;
    for (const problem of problems) print(problem);
  }
  print(`${STOPS.length} ways to stop, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}

const { clean: cleanFile } = values;
let clean: CleanResults;
if (cleanFile !== undefined && existsSync(cleanFile)) {
  clean = new Map(JSON.parse(readFileSync(cleanFile, 'utf8')));
} else {
  clean = await cleanResults({ ...options, onTrace: undefined });
  if (cleanFile !== undefined && values.plant === undefined)
    writeFileSync(cleanFile, JSON.stringify([...clean]));
}

const first = Number(values.seed);
const count = Number(values.count);
const plant = values.plant === undefined ? '' : ` --plant ${values.plant}`;
const seedsByFault = new Map<string, number>();
const failedSeeds: number[] = [];
/** Processor times of the seeds in milliseconds, ascending after the last seed. */
const seedMs: { readonly seed: number; readonly ms: number }[] = [];
for (let seed = first; seed < first + count; seed++) {
  const startMs = cpuMs();
  const result = await simulate(seed, clean, options);
  seedMs.push({ seed, ms: cpuMs() - startMs });
  const done = seedMs.length;
  if (done % 100 === 0 && done < count) print(`${done} seeds, ${failedSeeds.length} failed so far`);
  const failures = [...result.problems];
  if (values.twice && seed === first) {
    const again = await simulate(seed, clean, options);
    if (again.traceDigest !== result.traceDigest)
      failures.push('a second run of this seed differs from the first');
  }
  for (const kind of result.faults.keys()) seedsByFault.set(kind, (seedsByFault.get(kind) ?? 0) + 1);
  if (count === 1 || values.trace || failures.length > 0) {
    const { uploads, events, hours, traceDigest } = result;
    print(
      `seed ${seed}: ${uploads} uploads, ${events} events, ${Math.round(hours)} hours, trace ${traceDigest}`,
    );
  }
  if (failures.length === 0) continue;
  failedSeeds.push(seed);
  for (const failure of failures) print(`  ${failure}`);
  print(`  replay: npx node test/simulation/run.ts --seed ${seed}${plant} --trace`);
  if (values.first) break;
}
const done = seedMs.length;
seedMs.sort((a, b) => a.ms - b.ms);
/** The seed that a share of all seeds do not exceed. */
const atShare = (share: number) => seedMs[Math.ceil(share * done) - 1]!;
const seconds = ({ ms }: { readonly ms: number }) => `${(ms / 1000).toFixed(2)} s`;
const slowest = atShare(1);
print(`${done} seeds, ${failedSeeds.length} failed`);
print(
  `processor time of a seed: median ${seconds(atShare(0.5))}, 99th percentile ${seconds(atShare(0.99))}, maximum ${seconds(slowest)} (seed ${slowest.seed})`,
);
for (const kind of [...FAULT_KINDS, ...FAULT_ANSWERS])
  print(`  ${kind}: ${seedsByFault.get(kind) ?? 0} seeds`);
process.exitCode = failedSeeds.length > 0 ? 1 : 0;
