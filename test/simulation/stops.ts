/**
 * Every way in which work can stop, as the table of `docs/runbook.md` has it: each is injected into a world of its own, in
 * which the alarm that the table names must be raised, and no other. The alarms are those of the template, with their
 * metrics, thresholds and periods.
 */
import { Metrics } from '@aws-lambda-powertools/metrics';
import type { FunctionName } from '../../functions/bundle.ts';
import { ENVIRONMENT, METRIC_NAMESPACE } from '../../lib/batch/names.ts';
import type { FunctionHostOptions, FunctionRunner } from '../../lib/local/functions/function-host.ts';
import { type InvocationResult, runtimeExited } from '../../lib/local/functions/invocation-result.ts';
import { LocalQueue } from '../../lib/local/queue/queue.ts';
import { functionIn, logicalIdOf, resourcesOf, type StackTemplate } from '../../lib/local/template.ts';
import { systemTimerClock } from '../../lib/local/timer-clock.ts';
import { Faults } from './faults.ts';
import { INPUTS, LARGE_INPUT } from './inputs.ts';
import { inWorld, type SimulationOptions } from './simulate.ts';
import { World } from './world.ts';

export interface Stop {
  /** As in the table. */
  readonly what: string;
  /** The alarm that must be raised; undefined for none. */
  readonly alarm?: string;
  /** What a function does instead of running. */
  readonly instead?: Partial<Record<FunctionName, (run: Invoke, at: Stopped) => Promise<InvocationResult>>>;
  readonly template?: (template: StackTemplate) => void;
  readonly environment?: Readonly<Record<string, string>>;
  /** What happens to events: those of outcomes are refused, those of uploads are lost, or cannot be sent to the queue. */
  readonly events?: 'refused' | 'lost' | 'undeliverable';
  /** Name of the file that is uploaded, how often, and minutes between two uploads. */
  readonly uploads?: readonly [file: string, count: number, everyMinutes: number];
}

type Invoke = () => Promise<InvocationResult>;

/** A world in which work stops. */
interface Stopped {
  readonly world: World;
  readonly metrics: MetricStore;
}

const crash = async (): Promise<InvocationResult> => ({
  requestId: '',
  ok: false,
  error: runtimeExited(null, 'SIGKILL'),
});

export const STOPS: readonly Stop[] = [
  {
    what: 'solving an upload fails: a permission, a bucket, a key, the event bus, an outage',
    alarm: 'WorkFailed',
    events: 'refused',
  },
  {
    what: 'the function crashes, runs out of memory or times out with an upload',
    alarm: 'WorkWaits',
    instead: { 'solve-batch': crash },
  },
  {
    what: 'nothing reads the queue: the event source mapping is disabled, or a deployment is broken',
    alarm: 'WorkWaits',
    template(template) {
      const [[, mapping] = []] = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');
      mapping!.ScalingConfig.MaximumConcurrency = 0;
    },
  },
  {
    what: 'uploads arrive faster than they are solved',
    alarm: 'WorkWaits',
    uploads: ['easy.txt', 40, 1],
    instead: { 'solve-batch': (run, { world }) => world.wait(30 * 60_000).then(run) },
  },
  { what: 'EventBridge cannot send an event to the queue', alarm: 'WorkFailed', events: 'undeliverable' },
  {
    what: 'a step of a large file fails in every attempt, takes more than three days, or is stopped by somebody',
    alarm: 'WorkFailed',
    uploads: [LARGE_INPUT.name, 1, 1],
    environment: { [ENVIRONMENT.largeJobSeconds]: '0.000001' },
    instead: { 'solve-shard': crash },
  },
  {
    what: 'all concurrent executions of the account are in use',
    alarm: 'Throttled',
    instead: {
      // Lambda tries again and again to invoke the function; after 90 minutes, another alarm would be raised too.
      async 'solve-batch'(run, { world, metrics }) {
        for (; world.hours < 1; await world.wait(MINUTE_MS)) metrics.put('Throttles', metrics.ids.solve, 1);
        return run();
      },
    },
  },
  {
    what: 'the schedule cannot start a bulk run, or a run fails, takes too long or is stopped',
    alarm: 'RunMissing',
    instead: { 'sweep-inbox': crash },
  },
  { what: 'an event of an upload is lost, or rules of the bucket were changed', events: 'lost' },
  {
    what: 'a producer sends files that are no puzzle files, have unknown options, or exceed a limit',
    alarm: 'TooManyRejected',
    uploads: ['prose.txt', 4, 5],
  },
];

/** Longer than the time after which a run is missing. */
const HOURS = 30;
/** Longer than all tries of a message take. */
const OUTAGE_HOURS = 8;
const MINUTE_MS = 60_000;
/** SQS leaves out messages that were received more often. */
const MAX_COUNTED_RECEIVES = 2;

/** Runs a world, by default one in which nothing stops. @returns what is wrong */
export async function stopProblems(
  { what, alarm, instead = {}, template: change, environment, events, uploads }: Stop,
  options: SimulationOptions,
): Promise<string[]> {
  const template = structuredClone(options.template);
  change?.(template);
  const world = new World(0, options.onTrace);
  const metrics = new MetricStore(world, template);
  const restore = metrics.watch();
  const raised: string[] = [];
  const missing: string[] = [];
  const [file, count, everyMinutes] = uploads ?? ['easy.txt', 1, 1];
  const input = [...INPUTS, LARGE_INPUT].find(({ name }) => name === file)!;
  try {
    await inWorld(
      world,
      new StopFaults(world, events),
      { ...options, template },
      async ({ users, operator, runUntil }) => {
        for (let number = 0; number < count; number++)
          users.upload(input, `inbox/${number}/${input.name}`, number * everyMinutes * MINUTE_MS);
        const sample = () => {
          metrics.sample(operator.stack?.deadLetters.length ?? 0);
          world.after(MINUTE_MS, undefined, sample);
        };
        sample();
        await runUntil(() => false, HOURS);
        raised.push(...metrics.raised());
        if (events === 'lost' && ![...operator.outcomes].some((each) => each.includes('JobCompleted')))
          missing.push(`${what}: no run has sent the upload`);
      },
      {
        environment,
        rules: [
          {
            pattern: { source: ['aws.states'] },
            receive: (text) => metrics.noteExecution(JSON.parse(text).detail),
          },
        ],
        // EventBridge gives up after a day, and sends the event to the dead-letter queue.
        onEvent: events === 'undeliverable' ? (body) => operatorDeadLetters(metrics).send(body) : undefined,
        wrap: (host, start) => wrapped(host, start, instead, { world, metrics }),
      },
    );
  } finally {
    restore();
  }
  const expected = alarm === undefined ? [] : [alarm];
  if (raised.join() !== expected.join())
    missing.push(`${what}: raised ${raised.join(', ') || 'no alarm'}, expected ${alarm ?? 'none'}`);
  return [...missing, ...world.defects.map((defect) => `${what}: ${defect}`)];
}

function operatorDeadLetters({ queues }: MetricStore): LocalQueue {
  return queues.find(({ arn }) => arn.endsWith('-dead-letters'))!;
}

function wrapped(
  host: FunctionHostOptions,
  start: (host: FunctionHostOptions) => FunctionRunner,
  instead: NonNullable<Stop['instead']>,
  at: Stopped,
): FunctionRunner {
  const runner = start(host);
  const other = instead[host.configuration.name as FunctionName];
  if (other === undefined) return runner;
  return { ...runner, invoke: (event) => other(() => runner.invoke(event), at) };
}

/** No faults but those of events. */
class StopFaults extends Faults {
  readonly #events: Stop['events'];
  readonly #at: World;

  constructor(world: World, events: Stop['events']) {
    super(world, 0);
    this.#events = events;
    this.#at = world;
  }

  override happens(kind: string): boolean {
    return kind === 'lost event' && this.#events === 'lost';
  }

  override get busIsDown(): boolean {
    // Bulk runs complete after that.
    return this.#events === 'refused' && this.#at.hours < OUTAGE_HOURS;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: properties of CloudFormation, whose shape the type of the resource decides.
type Json = any;

/** CloudWatch: data points of metrics, and the alarms of a template. */
class MetricStore {
  /** Logical ids of what AWS's metrics are about. */
  readonly ids: {
    readonly queue: string;
    readonly dead: string;
    readonly solve: string;
    readonly run: string;
  };
  readonly queues: LocalQueue[] = [];
  readonly #world: World;
  readonly #template: StackTemplate;
  readonly #points = new Map<string, { readonly minute: number; readonly value: number }[]>();

  constructor(world: World, template: StackTemplate) {
    this.#world = world;
    this.#template = template;
    this.ids = {
      queue: logicalIdOf(template, 'QueueUrl'),
      dead: logicalIdOf(template, 'DeadLetterQueueUrl'),
      solve: functionIn(template, 'solve-batch').logicalId,
      run: logicalIdOf(template, 'BulkRunArn'),
    };
  }

  /** Records what functions write, and finds the queues. @returns a function that ends it */
  watch(): () => void {
    const { publishStoredMetrics } = Metrics.prototype;
    const { send } = LocalQueue.prototype;
    const messages = Object.getOwnPropertyDescriptor(LocalQueue.prototype, 'messages')!;
    const record = (metrics: Metrics) => {
      const written = metrics.serializeMetrics();
      for (const { Namespace, Metrics: names } of written._aws.CloudWatchMetrics) {
        if (Namespace !== METRIC_NAMESPACE) throw new Error(`metrics of ${Namespace}`);
        for (const { Name } of names)
          for (const value of [written[Name]].flat()) this.put(Name, '', Number(value));
      }
      metrics.clearMetrics();
    };
    Metrics.prototype.publishStoredMetrics = function () {
      record(this);
      return this;
    };
    const note = (queue: LocalQueue) => {
      if (!this.queues.includes(queue)) this.queues.push(queue);
    };
    LocalQueue.prototype.send = function (body) {
      note(this);
      return send.call(this, body);
    };
    Object.defineProperty(LocalQueue.prototype, 'messages', {
      get() {
        note(this);
        return messages.get!.call(this);
      },
      configurable: true,
    });
    return () => {
      Object.assign(Metrics.prototype, { publishStoredMetrics });
      Object.assign(LocalQueue.prototype, { send });
      Object.defineProperty(LocalQueue.prototype, 'messages', messages);
    };
  }

  put(name: string, id: string, value: number): void {
    const key = `${name} ${id}`;
    const points = this.#points.get(key) ?? [];
    this.#points.set(key, points);
    points.push({ minute: Math.floor(60 * this.#world.hours), value });
  }

  /** The metrics that SQS reports each minute. */
  sample(deadLetters: number): void {
    const { queue, dead } = this.ids;
    const uploads = this.queues.find(({ arn }) => !arn.endsWith('-dead-letters'));
    const waiting = (uploads?.messages ?? []).filter(({ receives }) => receives <= MAX_COUNTED_RECEIVES);
    const ages = waiting.map(({ sentEpochMs }) => (systemTimerClock.nowEpochMs() - sentEpochMs) / 1000);
    this.put('ApproximateAgeOfOldestMessage', queue, Math.max(0, ...ages));
    this.put('ApproximateNumberOfMessagesVisible', queue, waiting.length);
    this.put('ApproximateNumberOfMessagesVisible', dead, deadLetters);
  }

  /** The metric of an execution that has ended. */
  noteExecution({ stateMachineArn, status }: { stateMachineArn: string; status: string }): void {
    if (status === 'SUCCEEDED' && stateMachineArn.endsWith(':BulkRun'))
      this.put('ExecutionsSucceeded', this.ids.run, 1);
  }

  /** The alarms that were raised at any time: the ids of their constructs. */
  raised(): string[] {
    return resourcesOf(this.#template, 'AWS::CloudWatch::Alarm')
      .filter(([, alarm]) => this.#isRaised(alarm))
      .map(([, { AlarmDescription }]) => /#(\w+)$/.exec(AlarmDescription)![1]!)
      .map((anchor) => STOPS.find(({ alarm }) => alarm?.toLowerCase() === anchor)?.alarm ?? anchor);
  }

  #isRaised(alarm: Json): boolean {
    const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, Threshold, ComparisonOperator } = alarm;
    if (alarm.TreatMissingData !== 'notBreaching') throw new Error('unknown treatment of missing data');
    const breaches = {
      GreaterThanThreshold: (value: number) => value > Threshold,
      GreaterThanOrEqualToThreshold: (value: number) => value >= Threshold,
      LessThanThreshold: (value: number) => value < Threshold,
    }[ComparisonOperator as string]!;
    const isBreaching = this.#series(alarm).map((value) => value !== undefined && breaches(value));
    return isBreaching.some(
      (_, end) =>
        end + 1 >= EvaluationPeriods &&
        isBreaching.slice(end + 1 - EvaluationPeriods, end + 1).filter(Boolean).length >= DatapointsToAlarm,
    );
  }

  /** A value for each period of an alarm, from the beginning. */
  #series(alarm: Json): (number | undefined)[] {
    const metrics: Json[] = alarm.Metrics ?? [
      { Id: 'value', MetricStat: { ...alarm, Metric: alarm, Stat: alarm.Statistic } },
    ];
    const stats = metrics.filter(({ MetricStat }) => MetricStat !== undefined);
    const { Expression = 'value' } = metrics.find((each) => each.Expression !== undefined) ?? {};
    const minutes = stats[0].MetricStat.Period / 60;
    const compute = new Function('FILL', 'IF', ...stats.map(({ Id }) => Id), `return ${Expression};`);
    const fill = (value: number | undefined, other: number) => value ?? other;
    const when = (condition: number | undefined, value: number) =>
      condition === undefined ? undefined : value;
    return Array.from({ length: (60 * HOURS) / minutes }, (_, period) =>
      compute(
        fill,
        when,
        ...stats.map(({ MetricStat }) => this.#value(MetricStat, period * minutes, minutes)),
      ),
    );
  }

  #value({ Metric, Stat }: Json, from: number, minutes: number): number | undefined {
    const { MetricName, Dimensions } = Metric;
    const value = Dimensions[0].Value;
    const id = value['Fn::GetAtt']?.[0] ?? value.Ref ?? '';
    const found = (this.#points.get(`${MetricName} ${id}`) ?? [])
      .filter(({ minute }) => minute >= from && minute < from + minutes)
      .map((point) => point.value);
    if (found.length === 0) return undefined;
    const sum = found.reduce((total, each) => total + each, 0);
    const values = {
      Sum: sum,
      Average: sum / found.length,
      Maximum: Math.max(...found),
      SampleCount: found.length,
    };
    return values[Stat as keyof typeof values];
  }
}
