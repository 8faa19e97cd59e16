/**
 * Rows of the services with the JSON protocol, SQS, Step Functions and EventBridge, as in `rows.ts`: `services.txt`. Each
 * paragraph has a folder, a clock, queues, a machine of two tasks and a bus of its own.
 *
 *     $ a: StartExecution name=a input={"b":1}       a request of the SDK; the machine, the queue and the bus may be omitted
 *     200 {"executionArn":"..."}
 *     $ StopExecution executionArn={{a.executionArn}} _secret=x _key=k _region=r     signed otherwise
 *     $ StartExecution name=a _target=T _body=from/to                                changed after it was signed
 *     $ after 5 s                                    the clock advances
 *     $ receive 10                                   messages as Lambda receives them
 *     $ answer {}  $ answer !E                       the oldest invocation that waits ends so
 *     $ restart second                               everything starts again on its folder, with another deployment
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as eventbridge from '@aws-sdk/client-eventbridge';
import * as sfn from '@aws-sdk/client-sfn';
import * as sqs from '@aws-sdk/client-sqs';
import { vi } from 'vitest';
import { parseSchedule, ScheduleError } from '../../lib/batch/bulk-run/schedule-expression.ts';
import { eventBus, eventBusService } from '../../lib/local/events/event-bus.ts';
import { statusChangeEvent } from '../../lib/local/events/service-events.ts';
import type { InvocationResult } from '../../lib/local/functions/invocation-result.ts';
import { JournalFile } from '../../lib/local/journal-file.ts';
import { EventSourceMapping, failedMessages } from '../../lib/local/queue/event-source-mapping.ts';
import { queueService } from '../../lib/local/queue/queue-service.ts';
import { loadDefinition } from '../../lib/local/states/definition.ts';
import { type JournalEntry, LocalExecutions } from '../../lib/local/states/executions.ts';
import { statesService } from '../../lib/local/states/states-service.ts';
import { ManualClock } from '../local/manual-clock.ts';
import { task } from '../local/states/scripted-run.ts';
import { testQueue } from '../local/test-queue.ts';
import { uploadEvent } from '../support/built-program.ts';
import { type JsonEndpoint, startJsonEndpoint } from '../support/json-endpoint.ts';
import { fieldsIn, readValue } from './rows.ts';

type Fields = Readonly<Record<string, unknown>>;

const REGION = 'us-east-1';
const CREDENTIALS = { accessKeyId: 'AKIDLOCAL', secretAccessKey: 'not-a-secret' };
const MACHINE = `arn:aws:states:${REGION}:000000000000:stateMachine:M`;
const COMMANDS: Readonly<Record<string, unknown>> = { ...eventbridge, ...sfn, ...sqs };
const CLIENTS = [
  { commands: sqs, Client: sqs.SQSClient },
  { commands: sfn, Client: sfn.SFNClient },
  { commands: eventbridge, Client: eventbridge.EventBridgeClient },
] as const;
/** JSON that the services take as a text. */
const TEXTS = ['input', 'Detail'];
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

const { append } = JournalFile.prototype;

function failFull(): never {
  const message = 'ENOSPC: no space left on device, write';
  throw Object.assign(new Error(message), { code: 'ENOSPC', syscall: 'write' });
}

const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
};

/** Starts them on a folder. */
async function start(folder: string, clock: ManualClock, deployment: string) {
  const faults: string[] = [];
  const written = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    faults.push(String(line).replace(/^local \w+: |\n$/g, ''));
    return true;
  });
  const { queue, dead } = testQueue({
    folder,
    clock,
    visibilityTimeoutMs: 5_400_000,
    maxReceives: 3,
  });
  /** Invocations that the rows answer. */
  const waiting: { readonly given: unknown; end(result: InvocationResult): void }[] = [];
  const invoke = (given: unknown) =>
    new Promise<InvocationResult>((end) => void waiting.push({ given, end }));
  const loaded: string[] = [];
  const ended: object[] = [];
  const events: unknown[] = [];
  const asked: string[] = [];
  const bus = { isDown: false };
  const calling = (FunctionName: string, next: object) =>
    task({ Parameters: { FunctionName, Payload: { 'in.$': '$' } }, ResultPath: null, ...next });
  const States = { First: calling('first', { Next: 'Second' }), Second: calling('second', { End: true }) };
  const machine = loadDefinition(JSON.stringify({ StartAt: 'First', States, TimeoutSeconds: 3600 }));
  const executions = new LocalExecutions({
    journal: new JournalFile<JournalEntry>(join(folder, 'executions.jsonl'), 'execution journal'),
    machineArns: [MACHINE],
    load(_arn, id = deployment) {
      loaded.push(id);
      return { deployment: id, machine, isAllowed: () => true };
    },
    onEnd: (execution) => void ended.push(statusChangeEvent(execution)),
    dependencies: {
      invoke: (name, payload) => invoke({ [name]: payload }),
      readText: async () => undefined,
      clock,
      random: () => 1,
      newId: () => 'run',
      concurrency: 1,
    },
  });
  const receive = (text: string) => {
    if (bus.isDown) throw new Error('the disk is full');
    events.push(JSON.parse(text));
  };
  const rule = { pattern: { source: ['dlx-batch'], 'detail-type': ['JobCompleted'] }, receive };
  const services = [
    queueService({ '/000000000000/jobs': queue, '/000000000000/dead': dead }),
    statesService(executions),
    eventBusService(eventBus([rule], () => new Date(clock.nowEpochMs()))),
  ];
  const endpoint: JsonEndpoint = await startJsonEndpoint(services, {
    ...CREDENTIALS,
    region: REGION,
    isAllowed(_role, action, resource) {
      asked.push(`${action} ${resource}`);
      return !resource.endsWith('/forbidden');
    },
  });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    written.mockRestore();
    await endpoint.close();
    await executions.close();
    for (const each of [queue, dead]) each.close();
  };
  return {
    queue,
    dead,
    faults,
    waiting,
    invoke,
    loaded,
    ended,
    events,
    asked,
    bus,
    executions,
    endpoint,
    close,
  };
}

/** The services of one paragraph. */
export class Services {
  readonly #clock = new ManualClock();
  readonly #folder: string;
  readonly #answers: Record<string, unknown> = {};
  readonly #ids: string[] = [];
  #running: Awaited<ReturnType<typeof start>>;
  #mapping: EventSourceMapping | undefined;

  private constructor(folder: string, running: Awaited<ReturnType<typeof start>>, clock: ManualClock) {
    this.#folder = folder;
    this.#running = running;
    this.#clock = clock;
  }

  static async start(folder: string): Promise<Services> {
    mkdirSync(folder, { recursive: true });
    const clock = new ManualClock();
    return new Services(folder, await start(folder, clock, 'newest'), clock);
  }

  async close(): Promise<void> {
    JournalFile.prototype.append = append;
    for (const { end } of this.#running.waiting) end({ requestId: 'r', ok: true, payload: null });
    await this.#running.close();
    await this.#mapping?.stop();
  }

  /** Does what a row says. @returns what it shows */
  async row(line: string): Promise<string> {
    const [, name, verb = '', rest = ''] = /^(?:(\w+): )?(\w+) ?(.*)$/.exec(line)!;
    const given = rest
      .replaceAll(/{{([\w.]+)}}/g, (_, path: string) => String(this.#valueAt(path)))
      .replaceAll(/{{repeat (\d+) (.)}}/g, (_, count: string, unit: string) => unit.repeat(Number(count)));
    const answer = /^[A-Z]/.test(verb) ? await this.#request(verb, given) : await this.#act(verb, given);
    if (name !== undefined) this.#answers[name] = answer;
    await settled();
    const text = JSON.stringify(answer) ?? '';
    return text
      .replaceAll(this.#folder, '<folder>')
      .replaceAll(/\d{8}(?=\/)/g, '<date>')
      .replaceAll(UUID, (id) => {
        if (!this.#ids.includes(id)) this.#ids.push(id);
        return `<id ${this.#ids.indexOf(id) + 1}>`;
      });
  }

  #valueAt(path: string): unknown {
    let value: unknown = this.#answers;
    for (const part of path.split('.')) value = (value as Fields)[part];
    return value;
  }

  async #request(operation: string, text: string): Promise<object> {
    const fields = fieldsIn(text).map(([name, value]) => [
      name,
      TEXTS.includes(name) ? value : readValue(name, value),
    ]);
    const { _secret, _key, _region, _target, _body, ...given } = Object.fromEntries(fields);
    return this.#send(operation, given, { _secret, _key, _region, _target, _body });
  }

  /** @returns the answer, or the name and the message of the error */
  async #send(operation: string, given: Fields, changes: Readonly<Record<string, string>>): Promise<object> {
    const { url } = this.#running.endpoint;
    const found = CLIENTS.find(({ commands }) => `${operation}Command` in commands)!;
    const client = new (found.Client as typeof sqs.SQSClient)({
      endpoint: url,
      region: changes._region ?? REGION,
      credentials: {
        accessKeyId: changes._key ?? CREDENTIALS.accessKeyId,
        secretAccessKey: changes._secret ?? CREDENTIALS.secretAccessKey,
      },
      maxAttempts: 1,
      md5: false,
    });
    client.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { headers: Record<string, string>; body: Uint8Array };
        if (changes._target !== undefined) request.headers['x-amz-target'] = changes._target;
        const [from = '', to = ''] = changes._body?.split('/') ?? [];
        if (from === '') return next(args);
        request.body = new TextEncoder().encode(new TextDecoder().decode(request.body).replace(from, to));
        return next(args);
      },
      { step: 'finalizeRequest', priority: 'low', name: 'change' },
    );
    const usual = {
      ...(found.commands === sqs &&
        operation !== 'StartMessageMoveTask' && { QueueUrl: `${url}/000000000000/jobs` }),
      ...(operation === 'StartExecution' && { stateMachineArn: MACHINE }),
      ...(operation === 'PutEvents' && !('Entries' in given) && { Entries: [EVENT] }),
    };
    const Command = COMMANDS[`${operation}Command`] as typeof sqs.SendMessageBatchCommand;
    try {
      const { $metadata: _, ...answer } = await client.send(new Command({ ...usual, ...given } as never));
      return answer;
    } catch (error) {
      const { name, message } = error as Error;
      return { error: name, message };
    } finally {
      client.destroy();
    }
  }

  async #act(verb: string, given: string): Promise<unknown> {
    const { queue, dead, waiting, invoke, executions, bus } = this.#running;
    switch (verb) {
      case 'after':
        this.#clock.advance(Math.round(Number.parseFloat(given) * 1000));
        return undefined;
      case 'send':
        queue.send(given);
        return undefined;
      case 'record':
        return queue.receive(1);
      case 'receive':
        return queue.receive(Number(given)).map(({ body, receiptHandle, messageId, attributes }) => {
          const { ApproximateReceiveCount: receives } = attributes;
          return { body, receives, messageId, handle: receiptHandle };
        });
      case 'delete':
        return queue.delete(given);
      case 'messages':
        return {
          queue: queue.messages.map(({ body }) => body),
          dead: dead.messages.map(({ body, receives }) => `${body} ${receives}`),
        };
      case 'mapping':
        this.#mapping = new EventSourceMapping({
          queue,
          invoke: ({ Records }) =>
            invoke(
              Records.map(({ body, messageId, receiptHandle: handle }) => ({ body, messageId, handle })),
            ),
          batchSize: 10,
          maxConcurrency: 1,
          ...JSON.parse(given || '{}'),
        });
        return undefined;
      case 'stop':
        void this.#mapping!.stop();
        return undefined;
      case 'waiting':
        await settled();
        return waiting.map((each) => each.given);
      case 'answer': {
        for (let turn = 0; turn < 100 && waiting.length === 0; turn++) await settled();
        const answered = waiting.shift()!;
        answered.end(resultOf(given));
        return answered.given;
      }
      case 'failed':
        return [
          ...failedMessages(
            ['a', 'b', 'c'].map((messageId) => ({ messageId }) as never),
            resultOf(given),
          ),
        ];
      case 'redrive':
        for (let redrives = 0; redrives < 1000; redrives++) {
          executions.stop(given);
          await executions.work.idle();
          executions.redrive(given);
        }
        return undefined;
      case 'uploaded': {
        const event = JSON.parse(uploadEvent(CREATED));
        // The recorded event, of January 2025, has none.
        delete event.detail['event-version'];
        return event;
      }
      case 'schedule':
        return isSchedule(given);
      case 'ended':
        return this.#running.ended;
      case 'deployments':
        return { loaded: this.#running.loaded, inUse: executions.deploymentsInUse.sort() };
      case 'events':
        return this.#running.events;
      case 'bus':
        bus.isDown = given === 'down';
        return undefined;
      case 'disk':
        JournalFile.prototype.append = given === 'full' ? failFull : append;
        return undefined;
      case 'faults':
        return this.#running.faults;
      case 'permissions':
        return this.#running.asked;
      case 'write': {
        const [, file = '', lines] = /^(\S+) (.*)$/.exec(given)!;
        appendFileSync(join(this.#folder, file), `${lines!.replaceAll(' // ', '\n')}\n`);
        return undefined;
      }
      case 'restart':
        await this.#running.close();
        try {
          this.#running = await start(this.#folder, this.#clock, given || 'newest');
        } catch (error) {
          return (error as Error).message;
        }
        return undefined;
      default:
        throw new Error(`no row begins with ${verb}`);
    }
  }
}

/** An object that was uploaded. */
const CREATED = {
  bucket: 'b',
  key: 'k',
  size: 4,
  etag: '8d777f385d3dfec8815d20f7496026dc',
  sequencer: '0',
  reason: 'PutObject',
  versionId: undefined,
} as const;

/** Sent if a row names no other one. */
const EVENT = { Source: 'dlx-batch', DetailType: 'JobCompleted', Detail: '{"stack":"Puzzles"}' };

/** `!E`: the function failed with that error. */
function resultOf(text: string): InvocationResult {
  if (!text.startsWith('!')) return { requestId: 'r', ok: true, payload: JSON.parse(text) };
  return { requestId: 'r', ok: false, error: { errorType: text.slice(1), errorMessage: 'bad' } };
}

function isSchedule(text: string): boolean {
  try {
    parseSchedule(text);
    return true;
  } catch (error) {
    if (error instanceof ScheduleError) return false;
    throw error;
  }
}
