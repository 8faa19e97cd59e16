/** Runs one world from its seed to its checks. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VISIBILITY_TIMEOUT_FACTOR } from '../../lib/batch/limits.ts';
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import type { FunctionHostOptions, FunctionRunner } from '../../lib/local/functions/function-host.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';
import { logicalIdOf, resourcesOf, type StackTemplate } from '../../lib/local/template.ts';
import {
  type CleanResults,
  downloadProblems,
  isDone,
  missingEvents,
  orphans,
  problems,
  type Result,
  resultOf,
  uploadsIn,
} from './checks.ts';
import { useDisk } from './disk.ts';
import { type FaultKind, Faults } from './faults.ts';
import { SimulatedFunctions } from './functions.ts';
import { INPUTS, type Input, LARGE_INPUT, LARGE_JSON, raceKey } from './inputs.ts';
import { lifecycleDays } from './lifecycle.ts';
import type { Handlers } from './modules.ts';
import { Network, useNetwork } from './network.ts';
import { Operator, type OperatorOptions } from './stack.ts';
import { StoredData } from './stored-data.ts';
import { computing } from './system-calls.ts';
import { Users } from './users.ts';
import { SimulatedProcess, World } from './world.ts';

/** The command's own uploads have no options. */
const [easy, ...others] = ['easy.txt', 'packed.txt.gz', 'corrupt.txt.gz'].map(
  (wanted) => INPUTS.find(({ name }) => name === wanted)!,
) as [Input, ...Input[]];

/** Uploads that are deleted while two deliveries are at work. */
const MAX_RACES = 3;

/** Files of a world are many and short-lived: in memory, if the system has a folder for that. */
const MEMORY_FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Faults end after a night. */
const FAULT_HOURS = 10;
/** Everything has an outcome after so many hours: a bulk run waits for a day. */
const MAX_HOURS = 120;
/** A run with nothing to do, and deliveries that find an outcome. */
const RETRY_HOURS = 2;
/** Processor time after which a world counts as stuck. */
const MAX_CPU_MS = 20_000;

export interface SimulationResult {
  readonly seed: number;
  readonly problems: readonly string[];
  readonly faults: ReadonlyMap<FaultKind, number>;
  readonly uploads: number;
  readonly hours: number;
  readonly events: number;
  readonly traceDigest: string;
}

export interface SimulationOptions {
  readonly template: StackTemplate;
  readonly handlers: Handlers;
  readonly onTrace?: (line: string) => void;
}

/** The results of all inputs in a world without faults. */
export async function cleanResults(options: SimulationOptions): Promise<CleanResults> {
  const results = new Map<string, Result>();
  const world = new World(0, options.onTrace);
  await inWorld(world, new Faults(world, 0), options, async ({ users, operator, runUntil }) => {
    for (const input of [...INPUTS, LARGE_INPUT, LARGE_JSON])
      users.upload(input, `inbox/${input.name}`, 1000);
    await runUntil(() => users.active === 0 && operator.stack !== undefined, 1);
    await runUntil(() => false, 2);
    const data = new StoredData(operator.dataDir);
    const uploads = uploadsIn(data);
    for (const upload of uploads) results.set(upload.contentId, resultOf(data, upload));
    const found = [...problems(data, uploads, results), ...world.defects];
    if (found.length > 0) throw new Error(`the world without faults has problems: ${found.join('; ')}`);
  });
  return results;
}

/** Runs the world of a seed. */
export async function simulate(
  seed: number,
  clean: CleanResults,
  options: SimulationOptions,
): Promise<SimulationResult> {
  const world = new World(seed, options.onTrace);
  let found: string[] = [];
  let uploads = 0;
  const faults = await inWorld(
    world,
    new Faults(world, FAULT_HOURS),
    options,
    async ({ users, operator, faults: active, network, runUntil }) => {
      const hourMs = 3_600_000;
      const hasFewReceives = active.can('few receives');
      // At most two of these, and then fewer ordinary uploads, so that a seed takes less than a second.
      let extras = 2;
      const has = (share: number) => world.chance(share) && extras-- > 0;
      // Users who change their minds at once: their deletions meet two functions at work.
      if (active.can('deleted upload') && active.can('duplicate event') && has(1)) {
        for (let number = 0; number < MAX_RACES; number++) {
          users.upload(INPUTS[0]!, raceKey(number), world.fraction() * 3 * hourMs);
        }
      }
      if (has(0.3)) {
        const input = world.pick([LARGE_INPUT, LARGE_JSON]);
        users.upload(input, `inbox/large/${input.name}`, world.fraction() * hourMs);
      }
      if (has(0.4)) {
        users.useCommand([easy, world.pick(others)], 'command/', world.fraction() * 2 * hourMs);
      }
      const count = 2 + world.random.below(1 + Math.max(0, extras));
      for (let number = 0; number < count; number++) {
        const input = world.pick(INPUTS);
        const folder = world.chance(0.15) ? 'scheduled' : 'inbox';
        // Some keys get several versions.
        const key = world.chance(0.7) ? `${folder}/${number}/${input.name}` : `${folder}/same/${input.name}`;
        users.upload(input, key, world.fraction() * 3 * hourMs);
      }
      while (active.can('deployment') && world.chance(0.6)) {
        world.after(world.fraction() * FAULT_HOURS * hourMs, undefined, () => operator.deploy());
      }
      if (hasFewReceives) {
        for (let number = 0; number < 2; number++) users.retry(world.fraction() * FAULT_HOURS * hourMs);
      }
      let end = await runUntil(() => false, FAULT_HOURS);
      // Nothing is left to do if every upload has its outcome, and nothing runs any more.
      let settled = false;
      const settle = async () => {
        const { stack } = operator;
        if (stack === undefined || users.active > 0) return;
        await stack.idle();
        const data = new StoredData(operator.dataDir);
        settled = uploadsIn(data).every((upload) => isDone(data, upload));
      };
      for (let hour = FAULT_HOURS; hour < MAX_HOURS && !settled && end !== 'stuck'; hour++) {
        settle().catch((error: unknown) => world.trace('not settled', String(error)));
        end = await runUntil(() => settled, hour + 1);
      }
      if (settled && operator.stack!.deadLetters.length > 0) {
        world.trace('dead letters', operator.stack!.deadLetters.length);
        await runUntil(
          () => users.active === 0 && operator.stack?.deadLetters.length === 0,
          world.hours + RETRY_HOURS,
          () => users.retry(0),
        );
        // The letters are back; the run that has moved them still sends its event, and what they ask for is done again.
        let idle = false;
        const wait = async () => {
          await operator.stack?.idle();
          idle = true;
        };
        wait().catch((error: unknown) => world.trace('not idle', String(error)));
        await runUntil(() => idle, world.hours + RETRY_HOURS);
        const left = operator.stack?.deadLetters ?? [];
        found.push(...left.map(({ body }) => `a dead letter is left after a retry: ${body.slice(0, 200)}`));
      }
      const data = new StoredData(operator.dataDir);
      const stored = uploadsIn(data);
      const existing = new Set(stored.map(({ versionId }) => versionId));
      const all = [...stored, ...users.deleted.filter(({ versionId }) => !existing.has(versionId))];
      uploads = all.length;
      if (end === 'stuck') found.push('the world is stuck');
      else if (!settled) found.push(`not settled after ${MAX_HOURS} hours; ${users.active} users wait`);
      found.push(
        ...problems(data, all, clean),
        ...missingEvents(data, operator.outcomes, operator.failedRuns),
      );
      for (const { folder, key } of users.downloads) {
        const upload = all.findLast((each) => each.key === key);
        found.push(...downloadProblems(folder, clean.get(upload?.contentId ?? '') ?? {}));
      }
      await runUntil(
        () => operator.stopped,
        MAX_HOURS + 1,
        () => operator.stop(),
      );
      let ended = false;
      const expire = async () => {
        await operator.runLifecycle();
        ended = true;
      };
      await runUntil(
        () => ended,
        MAX_HOURS + 1 + 24 * (lifecycleDays(options.template) + 1),
        () => world.runAs(new SimulatedProcess('lifecycle', 'stack'), expire),
      );
      if (!ended) found.push('the lifecycle rules did not end');
      const old = new StoredData(operator.dataDir);
      found.push(
        ...orphans(old, all, (key, storedMs) => {
          // S3 may carry out a request after its client has given up, has repeated it and has deleted the object.
          if (storedMs > (network.abandoned.get(`/${LOCAL_STACK.resultsBucket}/${key}`) ?? Infinity))
            return true;
          // A message that is received for the last time rejects its upload while another attempt may run, whose files stay.
          const [, folder] = /^results\/(.*\/[0-9a-f]{16})\/[^/]+\/[^/]+$/.exec(key) ?? [];
          return hasFewReceives && old.current('results').has(`rejects/${folder}/error.json`);
        }),
      );
    },
  );
  found = [...found, ...world.defects];
  return {
    seed,
    problems: found,
    faults,
    uploads,
    hours: world.hours,
    events: world.events,
    traceDigest: world.traceDigest(),
  };
}

interface Surroundings {
  readonly users: Users;
  readonly operator: Operator;
  readonly faults: Faults;
  readonly network: Network;
  runUntil(isDone: () => boolean, hours: number, first?: () => void): Promise<'done' | 'time' | 'stuck'>;
}

/** What differs from the usual stack of a world. */
interface WorldChanges extends Partial<Pick<OperatorOptions, 'environment' | 'rules' | 'onEvent'>> {
  readonly wrap?: (
    host: FunctionHostOptions,
    start: (host: FunctionHostOptions) => FunctionRunner,
  ) => FunctionRunner;
}

/** A template whose functions have a minute for each file, as with `dlx:timeoutSeconds`. */
function withShortTimeouts(template: StackTemplate): StackTemplate {
  const changed = structuredClone(template);
  for (const [, properties] of resourcesOf(changed, 'AWS::Lambda::Function'))
    Object.assign(properties, { Timeout: 60 });
  const { Properties } = changed.Resources[logicalIdOf(changed, 'QueueUrl')]!;
  Object.assign(Properties, { VisibilityTimeout: 60 * VISIBILITY_TIMEOUT_FACTOR });
  return changed;
}

/** Creates a world with a running stack, and removes it after the work. @returns the faults that happened */
export async function inWorld(
  world: World,
  faults: Faults,
  { template, handlers }: SimulationOptions,
  work: (surroundings: Surroundings) => Promise<void>,
  { environment, wrap, ...changes }: WorldChanges = {},
): Promise<ReadonlyMap<FaultKind, number>> {
  const folder = mkdtempSync(join(MEMORY_FOLDER, 'dlx-batch-simulation-'));
  const isSlow = faults.can('slow function');
  const slowMs = isSlow ? world.between(20, 400) : 1;
  if (isSlow) faults.count('slow function');
  computing.maxStepMs = () => (faults.active ? slowMs : 1);
  const functions = new SimulatedFunctions(world, faults, handlers);
  const operator = new Operator(world, faults, {
    folder,
    template: isSlow ? withShortTimeouts(template) : template,
    startFunction: (host) => wrap?.(host, functions.start) ?? functions.start(host),
    environment: { [ENVIRONMENT.shardBytes]: '12000', ...environment },
    schedule: 'rate(6 hours)',
    ...changes,
  });
  const network = new Network(world, faults);
  const users = new Users(world, faults, network, folder);
  useDisk({ folder, world, faults });
  useNetwork(network);
  try {
    const runUntil: Surroundings['runUntil'] = (isDone, hours, first = () => {}) => {
      world.after(0, undefined, first);
      return world.run(isDone, hours, MAX_CPU_MS);
    };
    world.after(0, undefined, () => operator.start());
    await work({ users, operator, faults, network, runUntil });
    world.defects.push(...functions.bill.problems());
  } finally {
    useDisk(undefined);
    useNetwork(undefined);
    network.end();
    rmSync(folder, { recursive: true, force: true });
  }
  return faults.counts;
}
