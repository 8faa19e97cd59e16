/**
 * Load on the local stack: `npm run load -- --uploads 10000`, or `-- --uploads 200 --minutes 15` for a run over time.
 * Prints memory and open files of each process, latencies of the page, and what is wrong.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type LoadFigures, percentile, runLoad, type Sample } from './load-run.ts';

const { values } = parseArgs({
  options: { uploads: { type: 'string', default: '10000' }, minutes: { type: 'string' } },
});
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
const folder = mkdtempSync(join(tmpdir(), 'dlx-batch-load-'));
const program = join(import.meta.dirname, '../../bin/dlx-batch.mjs');
const server: ChildProcess = spawn(
  process.execPath,
  [program, 'local', '--serve', '--json', '--data', join(folder, 'data')],
  { stdio: ['ignore', 'pipe', 'inherit'], cwd: folder },
);
process.once('exit', () => server.kill());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
try {
  const { value } = await createInterface({ input: server.stdout! })[Symbol.asyncIterator]().next();
  const figures = await runLoad(JSON.parse(value!), {
    uploads: Number(values.uploads),
    seconds: minutes === undefined ? undefined : minutes * 60,
    sampleMs: 1000,
    pid: server.pid!,
    folder: 'load',
    onProgress: (text) => process.stderr.isTTY && process.stderr.write(`\r${text}  `),
  });
  print(figures);
  process.exitCode = figures.faults.length === 0 ? 0 : 1;
} finally {
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('close', resolve));
  rmSync(folder, { recursive: true, force: true });
}

function print({ uploads, uploadSeconds, solvedSeconds, samples, pageMs, faults }: LoadFigures): void {
  const rate = Math.round(uploads / solvedSeconds);
  say(
    `${uploads} uploads: accepted in ${uploadSeconds.toFixed(1)} s, solved in ${solvedSeconds.toFixed(1)} s, ${rate}/s`,
  );
  for (const [path, ms] of Object.entries(pageMs)) {
    const shown = [0.5, 0.99, 1].map((part) => percentile(ms, part).toFixed(0));
    say(
      `page /${path}: ${ms.length} requests, median ${shown[0]} ms, p99 ${shown[1]} ms, max ${shown[2]} ms`,
    );
  }
  say('second  checked  MiB and open files of each process');
  for (const { second, checked, processes } of evenly(samples, 20)) {
    const all = processes.map(({ rssMb, openFiles }) => `${rssMb.toFixed(0)} MiB ${openFiles}`).join('   ');
    say(`${second.toFixed(0).padStart(6)} ${String(checked).padStart(8)}  ${all}`);
  }
  for (const fault of faults.slice(0, 20)) say(`WRONG: ${fault}`);
  say(faults.length === 0 ? 'Each upload has exactly one correct result.' : `${faults.length} faults`);
}

function evenly(samples: readonly Sample[], count: number): Sample[] {
  const step = Math.max(1, (samples.length - 1) / (count - 1));
  return samples.filter(
    (_, k) => Math.floor(k / step) !== Math.floor((k - 1) / step) || k === samples.length - 1,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
