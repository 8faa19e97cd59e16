/**
 * The restart of the local stack in the middle of a large job: `npm run bench -- --restart [PROGRAM]`.
 *
 *     start -> upload -> shards -> kill (SIGKILL) -> start -> one more shard -> kill -> start -> ...
 *
 * Measured are the seconds from the start of the process until the stack is ready, and until the next shard is solved.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { generateMany } from '../../lib/api/index.ts';
import { s3ClientFor } from '../../lib/aws/s3-client.ts';
import { INBOX_PREFIX, WORK_PREFIX } from '../../lib/batch/names.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/dlx-batch.mjs');
/** More shards than all starts together solve; each takes a fraction of a second. */
const FILE_BYTES = 24 << 20;
const LARGE = ['--set', 'large-seconds=1', '--set', 'shard-bytes=300000'];
const POLL_MS = 20;

interface Restart {
  readonly name: string;
  readonly readySeconds: number;
  /** Undefined if no job was running. */
  readonly shardSeconds?: number;
}

/** @param program path of dlx-batch.mjs, of a checkout or an installed package */
export async function reportRestart(
  program: string | undefined,
  passes: number,
  json: boolean,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dlx-batch-restart-'));
  const rows: Restart[] = [];
  try {
    for (let pass = 0; pass <= passes; pass++) {
      const name = pass === 0 ? 'first start' : 'restart after SIGKILL';
      rows.push(await measureStart(name, program ?? PROGRAM, folder, pass === 0));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (json) process.stdout.write(`${JSON.stringify({ restarts: rows }, undefined, 2)}\n`);
  else {
    process.stdout.write('seconds until ready   until the next shard is solved\n');
    for (const { name, readySeconds, shardSeconds } of rows) {
      process.stdout.write(`${shown(readySeconds)} ${shown(shardSeconds)}   ${name}\n`);
    }
  }
}

function shown(seconds: number | undefined): string {
  return (seconds === undefined ? '-' : seconds.toFixed(2)).padStart(12);
}

/** @param sendsFile whether to upload the file when the stack is ready */
async function measureStart(
  name: string,
  program: string,
  folder: string,
  sendsFile: boolean,
): Promise<Restart> {
  const startMs = performance.now();
  const seconds = () => (performance.now() - startMs) / 1000;
  const child = spawn(
    process.execPath,
    [program, 'local', '--serve', '--json', '--data', join(folder, 'data'), ...LARGE],
    { stdio: ['ignore', 'pipe', 'inherit'], cwd: folder },
  );
  const closed = once(child, 'close');
  try {
    const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
    if (value === undefined) throw new Error('the stack did not start');
    const readySeconds = seconds();
    const s3 = s3ClientFor(JSON.parse(value));
    if (sendsFile) {
      await s3.send(
        new PutObjectCommand({
          Bucket: LOCAL_STACK.inputBucket,
          Key: `${INBOX_PREFIX}restart.txt`,
          Body: largeFile(),
        }),
      );
    }
    const before = await solvedShards(s3);
    while ((await solvedShards(s3)) === before) await sleep(POLL_MS);
    const shardSeconds = seconds();
    s3.destroy();
    return { name, readySeconds, ...(!sendsFile && { shardSeconds }) };
  } finally {
    child.kill('SIGKILL');
    await closed;
  }
}

function largeFile(): string {
  const lines = [...generateMany(100, { seed: 1 })].map(({ puzzle }) => `${puzzle}\n`).join('');
  return lines.repeat(Math.ceil(FILE_BYTES / lines.length));
}

async function solvedShards(s3: S3Client): Promise<number> {
  const { Contents = [] } = await s3.send(
    new ListObjectsV2Command({ Bucket: LOCAL_STACK.resultsBucket, Prefix: WORK_PREFIX }),
  );
  return Contents.filter(({ Key = '' }) => /\/parts\/\d+-\d+\.json$/.test(Key)).length;
}
