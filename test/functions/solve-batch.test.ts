import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import { eventBus, eventBusService } from '../../lib/local/events/event-bus.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../support/dependencies.ts';
import { CREDENTIALS, type EmbeddedS3, REGION, startEmbeddedS3 } from '../support/embedded-s3.ts';
import { type JsonEndpoint, startJsonEndpoint } from '../support/json-endpoint.ts';
import { eventBridgeBody, sqsEvent } from '../support/message-factory.ts';
import { newProcess } from '../support/new-process.ts';
import { EASY, MIXED_FILE } from '../support/puzzles.ts';
import { CONTEXT, type LogLine, logged } from './invocation.ts';
import { type QueueEndpoint, startQueueEndpoint } from './queue-endpoint.ts';
import { stubStackEnvironment } from './stack-environment.ts';

type Handler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

const VARIABLES = {
  [ENVIRONMENT.defaultOptions]: '{"max-nodes":"1000000"}',
  [ENVIRONMENT.maxReceives]: '25',
};

/** The handler in a new process, with the environment that the stack sets. */
async function loadHandler({ endpoint }: EmbeddedS3, queue: QueueEndpoint): Promise<Handler> {
  stubStackEnvironment(endpoint, { ...VARIABLES, ...queue.environment });
  return (await newProcess()<typeof import('../../functions/solve-batch.ts')>('solve-batch')).handler;
}

/** Invokes the handler. @returns the ids of the failed messages, and the log */
async function invoke(handler: Handler, event: SQSEvent) {
  const { result, lines } = await logged(() => handler(event, CONTEXT));
  return { failures: result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier), lines };
}

/** Sums of the metrics in the lines. */
function metric(lines: readonly LogLine[], name: string): number {
  const values = lines.filter((line) => '_aws' in line).flatMap((line) => line[name] ?? []);
  return values.map(Number).reduce((sum, value) => sum + value, 0);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

let queue: QueueEndpoint;
beforeAll(async () => {
  queue = await startQueueEndpoint();
});
afterAll(() => queue.close());

describe('the function', () => {
  let s3: EmbeddedS3;
  let handler: Handler;

  beforeAll(async () => {
    s3 = await startEmbeddedS3();
    handler = await loadHandler(s3, queue);
  });
  afterAll(() => s3.stop());
  afterEach(() => void queue.takeChanges());

  /** Invokes the handler with the stack's environment, which it also reads after it is loaded. */
  const run = async (event: SQSEvent) => {
    stubStackEnvironment(s3.endpoint, { ...VARIABLES, ...queue.environment });
    return invoke(handler, event);
  };

  it('solves the object of an EventBridge event, whose key is not decoded', async () => {
    const body = await s3.upload('inbox/a+b %20.txt', MIXED_FILE);
    const { failures, lines } = await run(sqsEvent([body]));
    expect(failures).toEqual([]);
    expect(await s3.results('results/inbox/a+b %20.txt/')).toContainEqual(
      expect.stringMatching(/^results\/inbox\/a\+b %20\.txt\/[0-9a-f]{16}\/manifest\.json$/),
    );
    expect(metric(lines, 'JobsCompleted')).toBe(1);
    expect(metric(lines, 'Puzzles')).toBe(7);
    expect(metric(lines, 'PuzzlesUnsolved')).toBe(4);
  });

  it('acknowledges a message that is delivered twice, counts the duplicate, and hides no message', async () => {
    const body = await s3.upload('inbox/twice.txt', EASY);
    const { failures, lines } = await run(sqsEvent([body, body]));
    expect(failures).toEqual([]);
    expect([metric(lines, 'JobsCompleted'), metric(lines, 'JobsDuplicate')]).toEqual([1, 1]);
    expect(queue.takeChanges()).toEqual([]);
  });

  it('acknowledges another event of an object, and a folder marker', async () => {
    const marker = await s3.upload('inbox/folder/', '');
    const removed = eventBridgeBody({ bucket: INPUT_BUCKET, key: 'inbox/removed.txt' }, 'Object Deleted');
    const { failures } = await run(sqsEvent([removed, marker]));
    expect(failures).toEqual([]);
    expect(await s3.results('results/inbox/folder/')).toEqual([]);
  });

  it('acknowledges a rejected file, and counts it', async () => {
    const body = await s3.upload('inbox/prose.txt', 'Dear all,\n');
    const { failures, lines } = await run(sqsEvent([body]));
    expect(failures).toEqual([]);
    expect(metric(lines, 'JobsRejected')).toBe(1);
    expect(await s3.results('rejects/inbox/prose.txt/')).toHaveLength(1);
  });

  it('prefers options from the metadata of the upload to those of the stack', async () => {
    await run(sqsEvent([await s3.upload('inbox/options.txt', EASY, { 'dlx-output': 'hdu' })]));
    const latest = await s3.json<{ key: string }>('results/inbox/options.txt/latest.json');
    const { options } = await s3.json<{ options: unknown }>(latest.key);
    expect(options).toMatchObject({ output: 'hdu', 'max-nodes': 1_000_000 });
  });

  it('tries a young upload again that is missing, without the alarm of third failures', async () => {
    const body = JSON.parse(await s3.upload('inbox/young.txt', EASY));
    const versionId = body.detail.object['version-id'];
    await s3.s3.deleteObject({ Bucket: INPUT_BUCKET, Key: 'inbox/young.txt', VersionId: versionId });
    const young = JSON.stringify({ ...body, time: new Date().toISOString() });
    const { failures, lines } = await run(sqsEvent([young], 3));
    expect([failures, metric(lines, 'JobsFailing')]).toEqual([['message-1'], 0]);
    expect(await s3.results('results/inbox/young.txt/')).toEqual([]);
  });

  it.each([
    [1, 8, 10, {}],
    [2, 32, 40, {}],
    // The third failure is counted, once.
    [3, 128, 160, { JobsFailing: 1 }],
    [4, 512, 640, {}],
    [5, 720, 900, {}],
    [24, 720, 900, {}],
    // Then it moves to the dead-letter queue at once.
    [25, 0, 0, { JobsFailed: 1 }],
  ])(
    'hides a message that failed at receive %i for %i to %i seconds, and counts %j',
    async (receives, min, max, counts) => {
      const { failures, lines } = await run(sqsEvent(['hello'], receives));
      expect(failures).toEqual(['message-1']);
      const [{ receiptHandle, seconds }, ...others] = queue.takeChanges();
      expect([receiptHandle, others]).toEqual(['receipt-message-1', []]);
      expect(seconds).toBeGreaterThanOrEqual(min);
      expect(seconds).toBeLessThanOrEqual(max);
      expect(lines).toContainEqual(
        expect.objectContaining({ level: 'ERROR', receives, hiddenSeconds: seconds }),
      );
      const counted = { JobsFailing: metric(lines, 'JobsFailing'), JobsFailed: metric(lines, 'JobsFailed') };
      expect(counted).toEqual({ JobsFailing: 0, JobsFailed: 0, ...counts });
    },
  );

  it('reports and hides the messages that failed, and only those, after the last message is done', async () => {
    const [second, last] = [
      await s3.upload('inbox/second.txt', EASY),
      await s3.upload('inbox/last.txt', EASY),
    ];
    const { failures, lines } = await run(sqsEvent(['hello', second, 'bye', last]));
    expect(failures).toEqual(['message-1', 'message-3']);
    expect(metric(lines, 'JobsCompleted')).toBe(2);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'ERROR', messageId: 'message-3' }));
    const changes = queue.takeChanges();
    expect(changes.map(({ receiptHandle }) => receiptHandle)).toEqual([
      'receipt-message-1',
      'receipt-message-3',
    ]);
    const solved = lines.findLast(({ message }) => message === 'completed')!;
    for (const { atEpochMs } of changes) {
      expect(atEpochMs).toBeGreaterThanOrEqual(Date.parse(String(solved.timestamp)));
    }
  });

  it('hides a rejected message until another attempt must have ended', async () => {
    const body = await s3.upload('inbox/letter.txt', 'Dear all');
    await run(sqsEvent([body]));
    const [status] = await s3.results('status/inbox/letter.txt/');
    const jobId = /([0-9a-f]{16})\.json$/.exec(status!)![1];
    const file = `results/inbox/letter.txt/${jobId}/attempt-x/solutions.txt`;
    await s3.s3.putObject({ Bucket: RESULTS_BUCKET, Key: file, Body: 'x' });
    const { failures } = await run(sqsEvent([body], 1));
    expect(failures).toEqual(['message-1']);
    const [{ seconds }] = queue.takeChanges();
    // The longest life of a function is 15 minutes.
    expect(seconds).toBeGreaterThan(900);
    expect(seconds).toBeLessThanOrEqual(960);
    expect(await s3.json(status!)).toMatchObject({ state: 'rejected' });
  });

  it('reports a message as failed, and logs why, if it cannot be hidden', async () => {
    queue.failOnce();
    const { failures, lines } = await run(sqsEvent(['hello', 'bye'], 3));
    expect(failures).toEqual(['message-1', 'message-2']);
    expect(queue.takeChanges().map(({ receiptHandle }) => receiptHandle)).toEqual([
      'receipt-message-1',
      'receipt-message-2',
    ]);
    const logged = lines.filter(({ message }) => String(message).includes('visibility timeout'));
    expect(logged).toMatchObject([
      { level: 'ERROR', messageId: 'message-1', error: { name: 'MessageNotInflight' } },
    ]);
    expect(metric(lines, 'JobsFailing')).toBe(2);
  });

  it('logs as many lines for a thousand puzzles as for one', async () => {
    const one = await run(sqsEvent([await s3.upload('inbox/one.txt', `${EASY}\n`)]));
    const many = await run(sqsEvent([await s3.upload('inbox/many.txt', `${EASY}\n`.repeat(1_000))]));
    expect(metric(many.lines, 'Puzzles')).toBe(1_000);
    expect(many.lines.length).toBe(one.lines.length);
    expect(many.lines.length).toBeGreaterThan(0);
  });

  it('fails with a message if the environment has no results bucket', async () => {
    stubStackEnvironment(s3.endpoint, {
      ...VARIABLES,
      ...queue.environment,
      [ENVIRONMENT.resultsBucket]: '',
    });
    await expect(invoke(handler, sqsEvent(['hello']))).rejects.toThrow('RESULTS_BUCKET is not set');
  });
});

describe('the function with an event bus', () => {
  const received: { 'detail-type': string; detail: { stack: string; input: { key: string } } }[] = [];
  let isDown = false;
  let s3: EmbeddedS3;
  let bus: JsonEndpoint;
  let handler: Handler;
  let variables: Readonly<Record<string, string>>;

  beforeAll(async () => {
    s3 = await startEmbeddedS3();
    const receive = (event: string) => {
      if (isDown) throw new Error('the bus is down');
      received.push(JSON.parse(event));
    };
    const rule = { pattern: { source: ['dlx-batch'] }, receive };
    const access = { ...CREDENTIALS, region: REGION };
    bus = await startJsonEndpoint([eventBusService(eventBus([rule]))], access);
    variables = {
      ...VARIABLES,
      ...queue.environment,
      AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
      [ENVIRONMENT.eventBus]: 'default',
      [ENVIRONMENT.stackName]: 'Puzzles',
    };
    stubStackEnvironment(s3.endpoint, variables);
    handler = (await newProcess()<typeof import('../../functions/solve-batch.ts')>('solve-batch')).handler;
  });
  afterAll(async () => {
    await bus.close();
    await s3.stop();
  });
  afterEach(() => {
    isDown = false;
    received.length = 0;
    queue.takeChanges();
  });

  const run = async (event: SQSEvent) => {
    stubStackEnvironment(s3.endpoint, variables);
    return invoke(handler, event);
  };
  const seconds = () => queue.takeChanges().map((change) => change.seconds);

  it('sends an event for each outcome, also of a message that is delivered again', async () => {
    const bodies = [await s3.upload('inbox/e1.txt', EASY), await s3.upload('inbox/e2.txt', 'Dear all')];
    await run(sqsEvent([...bodies, bodies[0]!]));
    expect(
      received.map((event) => [event['detail-type'], event.detail.stack, event.detail.input.key]),
    ).toEqual([
      ['JobCompleted', 'Puzzles', 'inbox/e1.txt'],
      ['JobRejected', 'Puzzles', 'inbox/e2.txt'],
      ['JobCompleted', 'Puzzles', 'inbox/e1.txt'],
    ]);
  });

  it('counts a committed job once if the bus is down, and sends its event when the bus is up', async () => {
    const body = await s3.upload('inbox/down.txt', EASY);
    isDown = true;
    const first = await run(sqsEvent([body]));
    const last = await run(sqsEvent([body], 25));
    const report = await run(sqsEvent([body], 26));
    for (const { failures } of [first, last, report]) expect(failures).toEqual(['message-1']);
    const counts = ['JobsCompleted', 'JobsFailed'].map((name) =>
      [first, last, report].map(({ lines }) => metric(lines, name)),
    );
    expect(counts).toEqual([
      [1, 0, 0],
      [0, 0, 0],
    ]);
    const [again, atOnce, later] = seconds();
    expect(again).toBeGreaterThanOrEqual(8);
    expect(atOnce).toBe(0);
    expect(later).toBe(3600);
    isDown = false;
    expect((await run(sqsEvent([body], 27))).failures).toEqual([]);
    expect(received).toMatchObject([{ 'detail-type': 'JobCompleted' }]);
  });

  it('sends JobFailed once for a job whose last try crashed, and lets its message pass', async () => {
    const body = await s3.upload('inbox/crash.txt', EASY);
    const [first, second] = [await run(sqsEvent([body], 26)), await run(sqsEvent([body], 27))];
    expect([...first.failures, ...second.failures]).toEqual(['message-1', 'message-1']);
    expect(seconds()).toEqual([0, 0]);
    expect(received).toMatchObject([
      { 'detail-type': 'JobFailed', detail: { input: { key: 'inbox/crash.txt' } } },
    ]);
    expect([first, second].map(({ lines }) => metric(lines, 'JobsFailed'))).toEqual([1, 0]);
  });

  it('lets a message without an upload pass after its last try', async () => {
    await run(sqsEvent(['hello'], 25));
    await run(sqsEvent(['hello'], 28));
    expect(seconds()).toEqual([0, 0]);
    expect(received).toEqual([]);
  });
});

describe('the function without s3:ListBucket', () => {
  let s3: EmbeddedS3;

  beforeAll(async () => {
    s3 = await startEmbeddedS3({ isAllowed: (_role, action) => action !== 's3:ListBucket' });
  });
  afterAll(() => s3.stop());

  it('reports a missing key as a permission error, and returns the message to the queue', async () => {
    const handler = await loadHandler(s3, queue);
    const body = eventBridgeBody({ bucket: INPUT_BUCKET, key: 'inbox/missing.txt' });
    const { failures, lines } = await invoke(handler, sqsEvent([body]));
    expect(failures).toEqual(['message-1']);
    const [fault] = lines.filter(({ level }) => level === 'ERROR');
    expect(fault).toMatchObject({
      error: { name: 'StorePermissionError', message: expect.stringContaining('s3:ListBucket') },
    });
    expect(JSON.stringify(fault)).toContain('s3://puzzles/inbox/missing.txt');
  });
});
