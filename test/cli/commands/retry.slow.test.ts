/** The command retry, against a local stack whose functions fail on purpose. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { FUNCTION_NAMES } from '../../../functions/bundle.ts';
import { s3ClientFor } from '../../../lib/aws/s3-client.ts';
import { findOutcome } from '../../../lib/batch/delivery/result-set.ts';
import { ENVIRONMENT } from '../../../lib/batch/names.ts';
import { retry } from '../../../lib/cli/commands/retry.ts';
import { recordStack } from '../../../lib/local/running-stack.ts';
import { type LocalStack, startLocalStack } from '../../../lib/local/stack.ts';
import { LocalExecutions } from '../../../lib/local/states/executions.ts';
import { SkippingTimerClock } from '../../../lib/local/timer-clock.ts';
import { systemHashing } from '../../../lib/node/system.ts';
import { ThreadFunctions } from '../../local/access/thread-functions.ts';
import { temporaryFolder } from '../../local/fixture-function.ts';
import { builtProgram } from '../../support/built-program.ts';
import { EASY, HARD } from '../../support/puzzles.ts';
import { shortenWaits } from '../../support/short-waits.ts';

const functions = new ThreadFunctions();
let stack: LocalStack;
let s3: ReturnType<typeof s3ClientFor>;
let forget: () => void;

beforeAll(async () => {
  const { template } = await builtProgram(temporaryFolder(afterAll));
  shortenWaits();
  await functions.load(FUNCTION_NAMES);
  vi.stubEnv('XDG_STATE_HOME', temporaryFolder(afterAll));
  stack = await startLocalStack({
    dataDir: temporaryFolder(afterAll),
    codeDir: temporaryFolder(afterAll),
    template,
    startFunction: functions.start,
    queueClock: new SkippingTimerClock(),
    maxReceives: 2,
    jitter: () => 0,
    environment: { [ENVIRONMENT.largeJobSeconds]: '0.000001', [ENVIRONMENT.shardBytes]: '100' },
  });
  s3 = s3ClientFor(stack);
  forget = recordStack(stack);
});

afterEach(() => {
  functions.crashing.clear();
  functions.variables = {};
});

afterAll(async () => {
  forget();
  s3.destroy();
  await stack.close();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Uploads a file. @returns its version, after all work is done */
async function upload(key: string, text: string): Promise<string> {
  const { VersionId } = await s3.putObject({ Bucket: stack.inputBucket, Key: key, Body: text });
  await stack.idle();
  return VersionId!;
}

async function outcomeOf(key: string, versionId: string): Promise<string | undefined> {
  await stack.idle();
  return (await findOutcome(stack.store, stack.resultsBucket, key, versionId, systemHashing))?.kind;
}

/** Runs the command. @returns its exit status and the lines of both outputs */
async function run(keys: readonly string[], flags: Parameters<typeof retry>[1] = {}) {
  const lines: string[] = [];
  const capture = (text: string | Uint8Array) => {
    lines.push(...String(text).trimEnd().split('\n'));
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(capture),
  );
  try {
    return { status: await retry(keys, { endpoint: stack.endpoint, ...flags }), lines };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe('retry', () => {
  test('has nothing to do if nothing has failed', async () => {
    expect(await run([])).toEqual({ status: 0, lines: ['nothing to retry'] });
    expect(await run([], { json: true })).toEqual({ status: 0, lines: ['{"items":[]}'] });
  });

  test('lists dead letters, then sends them to the queue', async () => {
    functions.crashing.add('solve-batch');
    const versionId = await upload('inbox/dead.txt', EASY);
    await upload('inbox/other.txt', EASY);
    functions.crashing.clear();
    expect(stack.deadLetters).toHaveLength(2);
    const listed = 'dead letter inbox/dead.txt: would be sent to the queue';
    for (let times = 0; times < 2; times++) {
      expect(await run(['inbox/dead.txt'], { dryRun: true })).toEqual({ status: 0, lines: [listed] });
    }
    expect(await run(['inbox/dead.txt'])).toEqual({
      status: 0,
      lines: ['dead letter inbox/dead.txt: sent to the queue'],
    });
    expect(await outcomeOf('inbox/dead.txt', versionId)).toBe('completed');
    expect(stack.deadLetters).toHaveLength(1);
    expect(await run([])).toMatchObject({ lines: ['dead letter inbox/other.txt: sent to the queue'] });
    await stack.idle();
    expect(stack.deadLetters).toHaveLength(0);
  });

  test('keeps a dead letter that names no upload, and says so', async () => {
    stack.send('?');
    await stack.idle();
    const { status, lines } = await run([]);
    expect(status).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(/^dlx-batch: dead letter [\w-]+: it names no upload.*found \?/),
    ]);
    expect(stack.deadLetters).toHaveLength(1);
  });

  test('continues a failed execution where it stopped', async () => {
    functions.crashing.add('solve-shard');
    const versionId = await upload('inbox/large.txt', `${EASY}\n${EASY}\n`);
    functions.crashing.clear();
    const { status, lines } = await run(['inbox/'], { dryRun: true });
    expect(status).toBe(0);
    expect(lines).toEqual([
      expect.stringMatching(/^execution inbox\/large.txt: [0-9a-f]{16}, which is FAILED, would be redriven$/),
    ]);
    expect((await run(['inbox/large.txt'])).lines).toEqual([
      expect.stringMatching(/^execution inbox\/large.txt: [0-9a-f]{16} is redriven$/),
    ]);
    expect(await outcomeOf('inbox/large.txt', versionId)).toBe('completed');
    expect((await run(['inbox/'])).lines).toEqual(['nothing to retry']);
    expect((await run(['inbox/large.txt'])).lines).toEqual([
      'dlx-batch: upload inbox/large.txt: already solved',
    ]);
  });

  test('starts an execution again that can no longer be redriven', async () => {
    functions.crashing.add('solve-shard');
    const versionId = await upload('inbox/old.txt', `${EASY}\n\n${EASY}\n`);
    functions.crashing.clear();
    const tooOld = vi
      .spyOn(LocalExecutions.prototype, 'notRedrivableReason')
      .mockReturnValue('Execution redrivable period exceeded');
    const listed = await run(['inbox/old.txt'], { dryRun: true });
    const done = await run(['inbox/old.txt']);
    tooOld.mockRestore();
    expect(listed.lines).toEqual([
      expect.stringMatching(/would be started again \(Execution redrivable period exceeded\)$/),
    ]);
    expect(done.lines).toEqual([
      expect.stringMatching(/^execution inbox\/old.txt: [0-9a-f]{16}-2 is started$/),
    ]);
    expect(await outcomeOf('inbox/old.txt', versionId)).toBe('completed');
    // The first execution is still FAILED.
    expect((await run([])).lines).toContain('dlx-batch: execution inbox/old.txt: has an outcome by now');
  });

  test('sends rejected uploads after a limit was raised, by their code or by their key', async () => {
    const junk = await upload('inbox/junk.txt', 'Dear all,\n');
    functions.variables = { [ENVIRONMENT.jobLimits]: '{"max-job-nodes":"1"}' };
    const versionId = await upload('inbox/refused.txt', HARD);
    expect(await outcomeOf('inbox/refused.txt', versionId)).toBe('rejected');
    functions.variables = { [ENVIRONMENT.jobLimits]: '{}' };
    const code = 'too_large';
    const planned = (await run([], { code, dryRun: true })).lines;
    expect(planned[0]).toMatch(/^inbox\/refused.txt {2}\S+ {2}\d+ bytes {2}rejected$/);
    expect(planned[1]).toContain(', 1 to solve (');
    // A bulk run repeats many.
    expect(await run([], { code })).toMatchObject({
      status: 0,
      lines: [expect.stringMatching(/^run \S+ started; dlx-batch run --list /)],
    });
    expect(await outcomeOf('inbox/refused.txt', versionId)).toBe('completed');
    expect((await run([], { rejected: true, dryRun: true })).lines).toEqual([
      expect.stringMatching(/^inbox\/junk.txt .* rejected$/),
      expect.stringContaining(', 1 to solve ('),
      'no estimate: no sample has puzzles in cells',
    ]);
    expect((await run(['inbox/junk.txt'])).lines).toEqual([
      expect.stringMatching(/^upload inbox\/junk.txt: sent to the queue \(no puzzles/),
    ]);
    expect(await outcomeOf('inbox/junk.txt', junk)).toBe('rejected');
  });

  test('refuses a key that is no upload', async () => {
    await expect(run(['puzzles.txt'])).rejects.toThrow(
      /^puzzles.txt: expected a key or a prefix under inbox\//,
    );
  });
});
