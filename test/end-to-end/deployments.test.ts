/** Deployments during a large job: it finishes with the functions that it began with, after a redrive too. */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SFN } from '@aws-sdk/client-sfn';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { bundleOptions, type FunctionName } from '../../functions/bundle.ts';
import { s3ClientFor } from '../../lib/aws/s3-client.ts';
import { s3Store } from '../../lib/aws/s3-store.ts';
import { uploadObject } from '../../lib/aws/upload-object.ts';
import { fetchFile, findOutcome } from '../../lib/batch/delivery/result-set.ts';
import { ENVIRONMENT, PROGRAM_VERSION_ERROR, STATUS_PREFIX } from '../../lib/batch/names.ts';
import { type LocalStack, startLocalStack } from '../../lib/local/stack.ts';
import { machineArn } from '../../lib/local/states/machines.ts';
import { systemHashing } from '../../lib/node/system.ts';
import { temporaryFolder } from '../local/fixture-function.ts';
import { largeJob } from '../support/large-job.ts';
import { CUT_OFF, EASY, TWO_SOLUTIONS } from '../support/puzzles.ts';
import { solveText } from '../support/run-job.ts';

const ROOT = join(import.meta.dirname, '../..');
const FUNCTIONS: readonly FunctionName[] = [
  'solve-batch',
  'plan-shards',
  'count-shard',
  'solve-shard',
  'merge-shards',
];
const MIB = 1024 * 1024;
const MACHINE = machineArn('SolveLarge', 'us-east-1');
/** More than the 8 MiB from which on a file's front is sampled: five shards. */
const TEXT = `${`${EASY}\n`.repeat(98)}${TWO_SOLUTIONS}\n${CUT_OFF}\n`.repeat(1100);
const SHARDS = Math.ceil(TEXT.length / (2 * MIB));
const KEY = 'inbox/large.txt';

/** Written into the bundles as the version of the program; the other versions have other names in its place. */
const FIRST = 'first-program';

/** What is called; and by files of these names, `<program>-wait` and `<program>-fail`, what shard 1 does. */
const WRAPPER = (marks: string) => `
  import { appendFileSync, existsSync } from 'node:fs';
  import { handler as real } from './real-solve-shard.mjs';
  const marks = ${JSON.stringify(`${marks}/`)};
  export async function handler(input, context) {
    const { shard } = input.shard;
    const program = '${FIRST}';
    appendFileSync(marks + 'calls.jsonl', JSON.stringify({ program, key: input.job.key, shard }) + '\\n');
    if (shard === 1 && existsSync(marks + program + '-wait')) await new Promise((resolve) => setTimeout(resolve, 1e6));
    if (shard === 1 && existsSync(marks + program + '-fail')) throw new Error('shard 1 is to fail');
    return real(input, context);
  }`;

interface Call {
  readonly program: string;
  readonly key: string;
  readonly shard: number;
}

const marks = temporaryFolder(afterAll);
const first = temporaryFolder(afterAll);
let solutions: string;
let exceptions: string;

beforeAll(async () => {
  const options = FUNCTIONS.map((name) => bundleOptions(name, ROOT, first));
  await build({
    ...options[0],
    entryPoints: Object.assign({}, ...options.map(({ entryPoints }) => entryPoints)),
    define: { __PROGRAM_VERSION__: JSON.stringify(FIRST) },
    sourcemap: false,
  });
  renameSync(join(first, 'solve-shard.mjs'), join(first, 'real-solve-shard.mjs'));
  writeFileSync(join(first, 'solve-shard.mjs'), WRAPPER(marks));
  const whole = await solveText(TEXT);
  solutions = whole.solutions;
  exceptions = whole.files['exceptions.jsonl']!;
}, 120_000);

/** The functions of another version of the program. */
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
  const path = join(marks, 'calls.jsonl');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line) => JSON.parse(line));
}

async function deploy(dataDir: string, codeDir: string) {
  const stack = await startLocalStack({
    dataDir,
    codeDir,
    jitter: () => 0,
    environment: { [ENVIRONMENT.largeJobSeconds]: '0.01', [ENVIRONMENT.shardBytes]: String(2 * MIB) },
  });
  onTestFinished(() => stack.close());
  const { accessKeyId, secretAccessKey, region } = stack;
  const credentials = { accessKeyId, secretAccessKey };
  const sfn = new SFN({ endpoint: stack.statesEndpoint, region, credentials });
  const s3 = s3ClientFor(stack);
  onTestFinished(() => {
    sfn.destroy();
    s3.destroy();
  });
  return { stack, sfn, s3, store: s3Store(s3) };
}

type Deployed = Awaited<ReturnType<typeof deploy>>;

/** Runs a large job that begins now; its key leads to no event. */
async function runJob({ stack, sfn, s3 }: Deployed, key: string): Promise<void> {
  const bucket = stack.inputBucket;
  const versionId = await uploadObject(s3, bucket, key, Buffer.from(`${EASY}\n`), {});
  const input = JSON.stringify(largeJob({ bucket, key, versionId }));
  await sfn.startExecution({ stateMachineArn: MACHINE, name: key.replaceAll('/', '-'), input });
}

async function textsOf({ stack, store }: Deployed, versionId: string): Promise<Record<string, string>> {
  const outcome = await findOutcome(store, stack.resultsBucket, KEY, versionId, systemHashing);
  if (outcome?.kind !== 'completed') throw new Error(`the outcome is ${JSON.stringify(outcome)}`);
  const texts: Record<string, string> = {};
  for (const file of outcome.manifest.files) {
    const pieces: Uint8Array[] = [];
    const write = async (bytes: Uint8Array) => void pieces.push(bytes.slice());
    const none = async () => {};
    await fetchFile(store, stack.resultsBucket, file, { write, close: none, abort: none }, systemHashing);
    texts[file.name] = Buffer.concat(pieces).toString();
  }
  return texts;
}

async function onlyExecution({ sfn }: Deployed) {
  const { executions = [] } = await sfn.listExecutions({ stateMachineArn: MACHINE });
  const { executionArn } = executions.find(({ name }) => !name!.startsWith('kept-'))!;
  return sfn.describeExecution({ executionArn });
}

const uploadText = ({ stack, s3 }: { readonly stack: LocalStack; readonly s3: Deployed['s3'] }) =>
  uploadObject(s3, stack.inputBucket, KEY, Buffer.from(TEXT), {});

test('two deployments during a job: running on, and redriven, it keeps the functions that it began with', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(join(marks, `${FIRST}-wait`), '');
  const before = await deploy(dataDir, first);
  const versionId = await uploadText(before);
  await vi.waitFor(() => expect(calls()).toContainEqual({ program: FIRST, key: KEY, shard: 1 }), 120_000);
  await before.stack.close();

  rmSync(join(marks, `${FIRST}-wait`));
  writeFileSync(join(marks, `${FIRST}-fail`), '');
  const second = await deploy(dataDir, otherProgram('second-program'));
  await runJob(second, 'kept/second.txt');
  await second.stack.idle();
  expect(await onlyExecution(second)).toMatchObject({ status: 'FAILED', redriveStatus: 'REDRIVABLE' });
  await second.stack.close();

  rmSync(join(marks, `${FIRST}-fail`));
  const third = await deploy(dataDir, otherProgram('third-program'));
  await runJob(third, 'kept/third.txt');
  const { executionArn } = await onlyExecution(third);
  await third.sfn.redriveExecution({ executionArn });
  await third.stack.idle();
  expect(await onlyExecution(third)).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });

  const texts = await textsOf(third, versionId!);
  // Compared as wholes: a difference of 9 MB is not to be printed.
  expect(texts['solutions.txt'] === solutions).toBe(true);
  expect(texts['exceptions.jsonl'] === exceptions).toBe(true);
  const programs = (key: string) =>
    new Set(
      calls()
        .filter((call) => call.key === key)
        .map((call) => call.program),
    );
  expect(programs(KEY)).toEqual(new Set([FIRST]));
  expect(programs('kept/second.txt')).toEqual(new Set(['second-program']));
  expect(programs('kept/third.txt')).toEqual(new Set(['third-program']));
  expect(
    new Set(
      calls()
        .filter(({ key }) => key === KEY)
        .map(({ shard }) => shard),
    ).size,
  ).toBe(SHARDS);
}, 240_000);

test('a shard of another version than the plan fails at once, and the status says why', async () => {
  const mixed = temporaryFolder();
  cpSync(first, mixed, { recursive: true });
  cpSync(join(otherProgram('second-program'), 'real-solve-shard.mjs'), join(mixed, 'real-solve-shard.mjs'));
  rmSync(join(marks, 'calls.jsonl'), { force: true });
  const deployed = await deploy(temporaryFolder(), mixed);
  await uploadText(deployed);
  await deployed.stack.idle();
  const { status, cause } = await onlyExecution(deployed);
  expect(status).toBe('FAILED');
  const reason = 'was made by version first-program of the program, and this is version second-program';
  expect(cause).toContain(PROGRAM_VERSION_ERROR);
  expect(cause).toContain(reason);
  const shards = calls().map(({ shard }) => shard);
  expect(shards.length).toBe(new Set(shards).size);
  const statuses: string[] = [];
  for await (const key of deployed.store.list(deployed.stack.resultsBucket, STATUS_PREFIX)) {
    const object = await deployed.store.get(deployed.stack.resultsBucket, key);
    const pieces: Uint8Array[] = [];
    for await (const bytes of object!.body) pieces.push(bytes);
    statuses.push(Buffer.concat(pieces).toString());
  }
  expect(statuses).toEqual([expect.stringContaining(reason)]);
}, 120_000);
