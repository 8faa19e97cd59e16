/** The definition that the stack deploys, run locally with small functions in place of the real ones. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ExecutionStatus, SFN } from '@aws-sdk/client-sfn';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { s3ClientFor } from '../../../lib/aws/s3-client.ts';
import { startLocalStack } from '../../../lib/local/stack.ts';
import { LOCAL_STACK } from '../../../lib/local/stack-names.ts';
import { temporaryFolder } from '../fixture-function.ts';

const ROOT = join(import.meta.dirname, '../../..');
const MACHINE = LOCAL_STACK.solveLargeArn;

/** The functions log one line for each call to a file; marker files in the same folder make them fail. */
const PREAMBLE = `
  import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
  const folder = process.env.FIXTURE_FOLDER;
  const log = (what) => appendFileSync(folder + '/log.jsonl', JSON.stringify(what) + '\\n');
  const once = (name) => {
    if (existsSync(folder + '/' + name)) return false;
    writeFileSync(folder + '/' + name, '');
    return true;
  };
`;
const FUNCTIONS: Record<string, string> = {
  'solve-batch': `export const handler = async () => { throw new Error('no uploads here'); };`,
  'plan-shards': `
    const next = { 0: 'plan', 1: 'count', 2: 'solve' };
    export async function handler({ job, attempt, cursor }) {
      log(['plan', attempt, cursor, job.key]);
      const step = cursor === null ? 0 : cursor.step;
      return { next: job.key === 'nothing' ? 'end' : next[step], cursor: { step: step + 1 },
        items: 'work/' + job.key + '.jsonl', work: 'work/map/' };
    }`,
  'count-shard': `export async function handler({ shard, attempt }) { log(['count', shard.shard, attempt]); return {}; }`,
  'solve-shard': `
    export async function handler({ shard, cursor }) {
      if (shard.shard === 1 && existsSync(folder + '/fail')) throw new TypeError('shard 1 is bad');
      if (shard.shard === 2 && existsSync(folder + '/crash') && once('crashed')) process.exit(3);
      if (shard.shard === 2 && existsSync(folder + '/wait') && once('waiting')) {
        console.log('waiting');
        await new Promise(() => setInterval(() => {}, 1000));
      }
      log(['solve', shard.shard, cursor]);
      return cursor === null && shard.shard === 0
        ? { done: false, cursor: { at: 7 } } : { done: true, cursor: null };
    }`,
  'merge-shards': `
    export async function handler({ cursor }) {
      log(['merge', cursor]);
      return cursor === null ? { done: false, cursor: { part: 2 } } : { done: true, cursor: null };
    }`,
};

const codeDir = temporaryFolder(afterAll);
for (const [name, source] of Object.entries(FUNCTIONS)) {
  writeFileSync(join(codeDir, `${name}.mjs`), PREAMBLE + source);
}

interface Started {
  readonly sfn: SFN;
  readonly folder: string;
  readonly endpoint: string;
  logged(): unknown[][];
  idle(): Promise<void>;
  deadLetters(): readonly { body: string }[];
}

/** A stack with the functions above and a list of three shards. */
async function start(dataDir = temporaryFolder(), folder = temporaryFolder()): Promise<Started> {
  const stack = await startLocalStack({
    dataDir,
    codeDir,
    concurrency: 1,
    maxReceives: 1,
    fastRetries: true,
    jitter: () => 0,
    environment: { FIXTURE_FOLDER: folder },
  });
  onTestFinished(() => stack.close());
  const s3 = s3ClientFor(stack);
  const { accessKeyId, secretAccessKey, region, resultsBucket } = stack;
  const Body = [0, 1, 2].map((shard) => `${JSON.stringify({ shard })}\n`).join('');
  await s3.putObject({ Bucket: resultsBucket, Key: 'work/a.jsonl', Body });
  const sfn = new SFN({
    endpoint: stack.endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
  });
  onTestFinished(() => {
    sfn.destroy();
    s3.destroy();
  });
  const path = join(folder, 'log.jsonl');
  return {
    sfn,
    folder,
    endpoint: stack.endpoint,
    logged: () =>
      (existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []).map((line) =>
        JSON.parse(line),
      ),
    idle: () => stack.idle(),
    deadLetters: () => stack.deadLetters,
  };
}

const input = (key: string) => JSON.stringify({ bucket: 'in', key, versionId: 'v', options: '{}' });

describe('the state machine of the stack, run locally', () => {
  test('plans until a step is chosen, counts, plans, solves every shard, and merges, each until it is done', async () => {
    const { sfn, logged, idle } = await start();
    const { executionArn } = await sfn.startExecution({
      stateMachineArn: MACHINE,
      name: 'job-1',
      input: input('a'),
    });
    await idle();
    expect(await sfn.describeExecution({ executionArn })).toMatchObject({
      status: ExecutionStatus.SUCCEEDED,
    });
    expect(logged()).toEqual([
      ['plan', 'job-1', null, 'a'],
      ['plan', 'job-1', { step: 1 }, 'a'],
      ['count', 0, 'job-1'],
      ['count', 1, 'job-1'],
      ['count', 2, 'job-1'],
      ['plan', 'job-1', { step: 2 }, 'a'],
      ['solve', 0, null],
      ['solve', 0, { at: 7 }],
      ['solve', 1, null],
      ['solve', 2, null],
      ['merge', null],
      ['merge', { part: 2 }],
    ]);
  });

  test('a shard whose every attempt fails ends the job and sends a message; a redrive continues from that shard', async () => {
    const { sfn, logged, idle, folder, deadLetters } = await start();
    writeFileSync(join(folder, 'fail'), '');
    const { executionArn } = await sfn.startExecution({
      stateMachineArn: MACHINE,
      name: 'job-2',
      input: input('a'),
    });
    await idle();
    const failed = await sfn.describeExecution({ executionArn });
    expect(failed).toMatchObject({
      status: 'FAILED',
      error: 'States.ExceedToleratedFailureThreshold',
      redriveStatus: 'REDRIVABLE',
    });
    expect(deadLetters().map(({ body }) => JSON.parse(body))).toMatchObject([
      { source: 'aws.states', detail: { name: 'job-2', status: 'FAILED', input: input('a') } },
    ]);
    expect(failed.cause).toContain('shard 1 is bad');
    writeFileSync(join(folder, 'crash'), '');
    rmSync(join(folder, 'fail'));
    const before = logged().length;
    await sfn.redriveExecution({ executionArn });
    await idle();
    expect(logged().slice(before)).toEqual([
      ['solve', 1, null],
      ['solve', 2, null],
      ['merge', null],
      ['merge', { part: 2 }],
    ]);
    expect(await sfn.describeExecution({ executionArn })).toMatchObject({
      status: 'SUCCEEDED',
      redriveCount: 1,
    });
  });

  test('a killed stack continues with its unfinished shard when it starts again', async () => {
    const [dataDir, folder] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(folder, 'wait'), '');
    const options = { dataDir, codeDir, concurrency: 1, environment: { FIXTURE_FOLDER: folder } };
    const killed = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { startLocalStack } from ${JSON.stringify(join(ROOT, 'lib/local/stack.ts'))};
       import { s3ClientFor } from ${JSON.stringify(join(ROOT, 'lib/aws/s3-client.ts'))};
       import { SFN } from ${JSON.stringify(join(ROOT, 'node_modules/@aws-sdk/client-sfn/dist-cjs/index.js'))};
       const stack = await startLocalStack({ ...${JSON.stringify(options)}, onLog: ({ line }) => console.log(line) });
       const { accessKeyId, secretAccessKey, region, endpoint, resultsBucket: Bucket } = stack;
       await s3ClientFor(stack).putObject({ Bucket, Key: 'work/a.jsonl',
         Body: '{"shard":0}\\n{"shard":1}\\n{"shard":2}\\n' });
       const sfn = new SFN({ endpoint, region, credentials: { accessKeyId, secretAccessKey } });
       await sfn.startExecution({ stateMachineArn: ${JSON.stringify(MACHINE)}, name: 'job-3',
         input: ${JSON.stringify(input('a'))} });`,
    ]);
    onTestFinished(() => void killed.kill('SIGKILL'));
    let errorText = '';
    killed.stderr.on('data', (text) => {
      errorText += text;
    });
    const lines = createInterface({ input: killed.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value, errorText).toBe('waiting');
    killed.kill('SIGKILL');
    await once(killed, 'close');
    const { sfn, logged, idle } = await start(dataDir, folder);
    const before = logged().length;
    await idle();
    expect(logged().slice(before)).toEqual([
      ['solve', 2, null],
      ['merge', null],
      ['merge', { part: 2 }],
    ]);
    const executionArn = `${MACHINE.replace('stateMachine', 'execution')}:job-3`;
    expect(await sfn.describeExecution({ executionArn })).toMatchObject({ status: 'SUCCEEDED' });
  });
});
