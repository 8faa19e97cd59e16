/** Deployments during a large job: it finishes with the functions that it started with, also after a redrive. */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SFN } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { programVersion } from '../../functions/bundle.ts';
import { s3Store } from '../../lib/aws/s3-store.ts';
import { uploadObject } from '../../lib/aws/upload-object.ts';
import { PROGRAM_VERSION_ERROR, STATUS_PREFIX } from '../../lib/batch/names.ts';
import { type LocalStack, startLocalStack } from '../../lib/local/stack.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';
import { temporaryFolder } from '../local/fixture-function.ts';
import { builtProgram } from '../support/built-program.ts';
import { clientOf } from '../support/client-of.ts';
import { bytesOf, collected } from '../support/collected.ts';
import { eventually } from '../support/eventually.ts';
import { largeJob } from '../support/large-job.ts';
import { EASY } from '../support/puzzles.ts';
import { solveText } from '../support/run-job.ts';
import { shortenWaits } from '../support/short-waits.ts';
import { LARGE_KEY, LARGE_TEXT, largeJobEnvironment, resultTexts, SHARD_BYTES } from './large-file.ts';

const ROOT = join(import.meta.dirname, '../..');
const MACHINE = LOCAL_STACK.solveLargeArn;
const LEAST_SHARDS = Math.ceil(LARGE_TEXT.length / SHARD_BYTES);

/** The program version in the bundles; `otherProgram` replaces it. */
const FIRST = programVersion(ROOT);

/** Logs each call; the marker files `<program>-wait` and `<program>-fail` make shard 1 wait or fail. */
const WRAPPER = (markers: string) => `
  import { cpSync, appendFileSync, existsSync } from 'node:fs';
  import { handler as real } from './real-solve-shard.mjs';
  const markers = ${JSON.stringify(`${markers}/`)};
  export async function handler(input, context) {
    const { shard } = input.shard;
    const program = '${FIRST}';
    appendFileSync(markers + 'calls.jsonl', JSON.stringify({ program, key: input.job.key, shard }) + '\\n');
    if (shard === 1 && existsSync(markers + program + '-wait')) await new Promise((resolve) => setTimeout(resolve, 1e6));
    if (shard === 1 && existsSync(markers + program + '-fail')) throw new Error('shard 1 fails');
    return real(input, context);
  }`;

interface Call {
  readonly program: string;
  readonly key: string;
  readonly shard: number;
}

const markers = temporaryFolder(afterAll);
const first = temporaryFolder(afterAll);
let solutions: string;
let exceptions: string;

beforeAll(async () => {
  shortenWaits();
  afterAll(() => void vi.restoreAllMocks());
  const { codeDir } = await builtProgram(temporaryFolder(afterAll));
  cpSync(codeDir, first, { recursive: true });
  for (const name of readdirSync(first)) if (name.endsWith('.map')) rmSync(join(first, name));
  renameSync(join(first, 'solve-shard.mjs'), join(first, 'real-solve-shard.mjs'));
  writeFileSync(join(first, 'solve-shard.mjs'), WRAPPER(markers));
  const expected = await solveText(LARGE_TEXT);
  solutions = expected.solutions;
  exceptions = expected.files['exceptions.jsonl']!;
});

/** The functions of another program version. */
function otherProgram(program: string): string {
  const folder = temporaryFolder();
  cpSync(first, folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replaceAll(FIRST, program));
  }
  return folder;
}

function calls(): Call[] {
  const path = join(markers, 'calls.jsonl');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line) => JSON.parse(line));
}

async function deploy(dataDir: string, codeDir: string) {
  const stack = await startLocalStack({
    dataDir,
    codeDir,
    jitter: () => 0,
    // Each further process of a function takes a third of a second to start.
    concurrency: 1,
    environment: largeJobEnvironment(SHARD_BYTES),
  });
  onTestFinished(() => stack.close());
  const { accessKeyId, secretAccessKey, region } = stack;
  const credentials = { accessKeyId, secretAccessKey };
  const sfn = new SFN({ endpoint: stack.endpoint, region, credentials });
  onTestFinished(() => sfn.destroy());
  const s3 = clientOf(stack);
  return { stack, sfn, s3, store: s3Store(s3) };
}

type Deployed = Awaited<ReturnType<typeof deploy>>;

/** Starts a large job directly; its key triggers no event. */
async function startJob({ stack, sfn, s3 }: Deployed, key: string): Promise<void> {
  const bucket = stack.inputBucket;
  const versionId = await uploadObject(s3, bucket, key, Buffer.from(`${EASY}\n`), {});
  const input = JSON.stringify(largeJob({ bucket, key, versionId }));
  await sfn.startExecution({ stateMachineArn: MACHINE, name: key.replaceAll('/', '-'), input });
}

/** The execution of the large file, which is named in the keys of its plan: `work/<jobId>/<execution>/`. */
async function largeExecution({ sfn, stack, store }: Deployed) {
  const keys = await collected(store.list(stack.resultsBucket, 'work/'));
  const name = keys.map((key) => key.split('/')[2]!).find((each) => !each.startsWith('scheduled-'));
  return sfn.describeExecution({ executionArn: `${MACHINE.replace('stateMachine', 'execution')}:${name}` });
}

const uploadText = ({ stack, s3 }: { readonly stack: LocalStack; readonly s3: Deployed['s3'] }) =>
  uploadObject(s3, stack.inputBucket, LARGE_KEY, Buffer.from(LARGE_TEXT), {});

test('a job keeps the functions that it started with across two deployments, while it runs and after a redrive', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(join(markers, `${FIRST}-wait`), '');
  const before = await deploy(dataDir, first);
  const versionId = await uploadText(before);
  await eventually(() => expect(calls()).toContainEqual({ program: FIRST, key: LARGE_KEY, shard: 1 }));
  await before.stack.close();

  rmSync(join(markers, `${FIRST}-wait`));
  writeFileSync(join(markers, `${FIRST}-fail`), '');
  const second = await deploy(dataDir, otherProgram('second-program'));
  await startJob(second, 'scheduled/second.txt');
  await second.stack.idle();
  expect(await largeExecution(second)).toMatchObject({ status: 'FAILED', redriveStatus: 'REDRIVABLE' });
  await second.stack.close();

  rmSync(join(markers, `${FIRST}-fail`));
  const third = await deploy(dataDir, otherProgram('third-program'));
  await startJob(third, 'scheduled/third.txt');
  const { executionArn } = await largeExecution(third);
  await third.sfn.redriveExecution({ executionArn });
  await third.stack.idle();
  expect(await largeExecution(third)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });

  const texts = await resultTexts(third.store, third.stack.resultsBucket, versionId!);
  // A boolean, since a diff of so much text is too long to print.
  expect(texts['solutions.txt'] === solutions).toBe(true);
  expect(texts['exceptions.jsonl'] === exceptions).toBe(true);
  const programs = (key: string) =>
    new Set(
      calls()
        .filter((call) => call.key === key)
        .map((call) => call.program),
    );
  expect(programs(LARGE_KEY)).toEqual(new Set([FIRST]));
  expect(programs('scheduled/second.txt')).toEqual(new Set(['second-program']));
  expect(programs('scheduled/third.txt')).toEqual(new Set(['third-program']));
  const shards = [...new Set(calls().flatMap(({ key, shard }) => (key === LARGE_KEY ? [shard] : [])))];
  // Each shard ends at a line, so there may be one more than sizes say.
  expect(shards.length).toBeGreaterThanOrEqual(LEAST_SHARDS);
  expect(shards.sort((a, b) => a - b)).toEqual(Array.from(shards.keys()));
});

test('a shard of another version than the plan fails immediately, and the status has the reason', async () => {
  const mixed = temporaryFolder();
  cpSync(first, mixed, { recursive: true });
  cpSync(join(otherProgram('second-program'), 'real-solve-shard.mjs'), join(mixed, 'real-solve-shard.mjs'));
  rmSync(join(markers, 'calls.jsonl'), { force: true });
  const deployed = await deploy(temporaryFolder(), mixed);
  await uploadText(deployed);
  await deployed.stack.idle();
  const { status, cause } = await largeExecution(deployed);
  expect(status).toBe('FAILED');
  const reason = `was made by version ${FIRST} of the program, but this is version second-program`;
  expect(cause).toContain(PROGRAM_VERSION_ERROR);
  expect(cause).toContain(reason);
  const shards = calls().map(({ shard }) => shard);
  expect(shards.length).toBe(new Set(shards).size);
  const statuses: string[] = [];
  for await (const key of deployed.store.list(deployed.stack.resultsBucket, STATUS_PREFIX)) {
    const object = await deployed.store.get(deployed.stack.resultsBucket, key);
    statuses.push(String(await bytesOf(object!.body)));
  }
  expect(statuses).toEqual([expect.stringContaining(reason)]);
});
