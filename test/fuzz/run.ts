/**
 * Fuzzes the readers and parsers: npm run fuzz -- [TARGET...] [--seconds N] [--seed S] [--keep]
 *
 * Each target runs in a worker thread, in turn, and starts from the stored inputs. An input on which a thread hangs is
 * reported by this thread. Exit status 1 if there is a finding. `--keep` stores a minimal corpus.
 */
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { smallest, writeCorpus } from './corpus.ts';
import type { Finding, FuzzReport } from './fuzzer.ts';
import { TARGET_NAMES } from './targets.ts';

/** Time of one execution after which it hangs. */
const HANG_MS = 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    keep: { type: 'boolean', default: false },
  },
});
const unknown = positionals.find((name) => !TARGET_NAMES.includes(name));
if (unknown !== undefined) {
  throw new Error(`no target "${unknown}": expected one of ${TARGET_NAMES.join(', ')}`);
}
const names = TARGET_NAMES.filter((name) => positionals.length === 0 || positionals.includes(name));
const print = (line: string) => process.stdout.write(`${line}\n`);
print(`seed ${values.seed}, ${values.seconds} s for ${names.join(', ')}`);
for (const name of names) {
  const seconds = Number(values.seconds) / names.length;
  const { report, hangs } = await runTarget(name, Number(values.seed), seconds);
  if (hangs !== undefined) {
    process.exitCode = 1;
    print(`${name}: hangs on ${shown(hangs)}`);
  }
  if (report === undefined) continue;
  const { executions, blocks, features, most, corpus, findings } = report;
  print(
    `${name}: ${executions} executions, ${blocks.covered} of ${blocks.known} blocks covered in ${features} features by ${corpus.length} inputs; ` +
      `most work ${most.work} for ${most.bytes} bytes; ${findings.length} findings`,
  );
  if (values.keep) writeCorpus(name, 'corpus', smallest(corpus.map((input) => Buffer.from(input))));
}

function shown(input: Uint8Array): string {
  return JSON.stringify(Buffer.from(input).toString('latin1'));
}

async function runTarget(
  name: string,
  seed: number,
  seconds: number,
): Promise<{ report?: FuzzReport; hangs?: Buffer }> {
  const shared = new SharedArrayBuffer(8 + 2 ** 17);
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: { name, seed, seconds, minimise: values.keep, shared },
  });
  const counts = new Int32Array(shared, 0, 2);
  return new Promise((resolve, reject) => {
    let before = -1;
    const timer = setInterval(() => {
      if (counts[0] !== before) {
        before = counts[0]!;
        return;
      }
      clearInterval(timer);
      resolve({ hangs: Buffer.from(new Uint8Array(shared, 8, counts[1]).slice()) });
      void worker.terminate();
    }, HANG_MS);
    worker.on('message', ({ report, finding }: { report?: FuzzReport; finding?: Finding }) => {
      if (finding !== undefined) {
        process.exitCode = 1;
        print(`${name}: ${finding.message}\n  input: ${shown(finding.input)}`);
      }
      if (report === undefined) return;
      clearInterval(timer);
      resolve({ report });
    });
    worker.once('error', (error) => {
      clearInterval(timer);
      reject(error);
    });
  });
}
