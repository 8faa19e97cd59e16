/**
 * A bulk run on the local stack, which is killed meanwhile: `node test/bench/bulk-run.ts --uploads 20000 --kills 10`. Each
 * upload under `scheduled/` must have one correct result at the end, and the report must say so.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { s3ClientFor } from '../../lib/aws/s3-client.ts';
import { sfnClientAt, stepFunctions } from '../../lib/aws/step-functions.ts';
import type { RunReport } from '../../lib/batch/bulk-run/report/run-report.ts';
import type { RunStatus } from '../../lib/batch/bulk-run/run-status.ts';
import { startRun } from '../../lib/batch/bulk-run/start-run.ts';
import { inParallel } from '../../lib/batch/in-parallel.ts';
import { DONE_PREFIX, SCHEDULED_PREFIX } from '../../lib/batch/names.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';
import { EASY } from '../support/puzzles.ts';
import type { LoadedStack } from './load-run.ts';

const { values } = parseArgs({
  options: { uploads: { type: 'string', default: '20000' }, kills: { type: 'string', default: '10' } },
});
const uploads = Number(values.uploads);
const folder = mkdtempSync(join(tmpdir(), 'dlx-batch-bulk-run-'));
const program = join(import.meta.dirname, '../../bin/dlx-batch.mjs');
const PORT = 19_735;
const RUN_ID = 'bench';
let server: ChildProcess | undefined;
process.once('exit', () => server?.kill('SIGKILL'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const say = (text: string) => process.stdout.write(`${text}\n`);

async function start(): Promise<LoadedStack> {
  const arguments_ = ['local', '--serve', '--json', '--data', join(folder, 'data'), '--port', String(PORT)];
  const stack = spawn(process.execPath, [program, ...arguments_], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: folder,
  });
  server = stack;
  const { value } = await createInterface({ input: stack.stdout! })[Symbol.asyncIterator]().next();
  return JSON.parse(value!);
}

async function kill(): Promise<void> {
  const stack = server!;
  stack.kill('SIGKILL');
  await new Promise((resolve) => stack.once('close', resolve));
}

async function countOf(s3: S3Client, prefix: string): Promise<number> {
  let [count, token]: [number, string | undefined] = [0, undefined];
  do {
    const page: { KeyCount?: number; NextContinuationToken?: string } = await s3.send(
      new ListObjectsV2Command({
        Bucket: LOCAL_STACK.resultsBucket,
        Prefix: prefix,
        ContinuationToken: token,
      }),
    );
    count += page.KeyCount ?? 0;
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return count;
}

async function documentOf<Document>(s3: S3Client, name: string): Promise<Document | undefined> {
  try {
    const { Body } = await s3.send(
      new GetObjectCommand({ Bucket: LOCAL_STACK.resultsBucket, Key: `runs/${RUN_ID}/${name}` }),
    );
    return JSON.parse(await Body!.transformToString());
  } catch (error) {
    if ((error as Error).name === 'NoSuchKey') return undefined;
    throw error;
  }
}

try {
  const stack = await start();
  const s3 = s3ClientFor(stack);
  await inParallel([...Array(uploads).keys()], 32, async (k) => {
    const Key = `${SCHEDULED_PREFIX}${String(k).padStart(7, '0')}.txt`;
    await s3.send(new PutObjectCommand({ Bucket: LOCAL_STACK.inputBucket, Key, Body: EASY }));
  });
  const begun = performance.now();
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(0);
  const executions = stepFunctions(LOCAL_STACK.bulkRunArn, sfnClientAt(stack.endpoint, s3));
  await startRun(executions, { runId: RUN_ID });
  let kills = 0;
  let report: RunReport | undefined;
  while (report === undefined) {
    await sleep(2000 + Math.random() * 8000);
    const done = await countOf(s3, DONE_PREFIX);
    const status = await documentOf<RunStatus>(s3, 'status.json');
    const { state, sent = 0, settled = 0 } = status ?? {};
    say(
      `${seconds()} s, ${kills} kills: ${done} of ${uploads} solved; ${state}: ${sent} sent, ${settled} settled`,
    );
    report = await documentOf<RunReport>(s3, 'report.json');
    if ((await executions.describe(status?.execution ?? RUN_ID))?.status === 'failed') {
      throw new Error(`the execution of the run has failed while ${state}`);
    }
    // The kills are spread over the run.
    if (
      report !== undefined ||
      kills === Number(values.kills) ||
      done < (uploads * kills) / Number(values.kills)
    )
      continue;
    kills++;
    await kill();
    await start();
  }
  const { planned, sent, solved, open } = report.versions;
  say(`${seconds()} s, ${kills} kills: planned ${planned}, sent ${sent}, solved ${solved}, open ${open}`);
  const isRight =
    solved === uploads && report.puzzles.solved === uploads && (await countOf(s3, DONE_PREFIX)) === uploads;
  if (!isRight)
    say(`WRONG: expected ${uploads} of each; the report has ${report.puzzles.solved} puzzles solved`);
  process.exitCode = isRight ? 0 : 1;
} finally {
  await kill().catch(() => {});
  rmSync(folder, { recursive: true, force: true });
}
