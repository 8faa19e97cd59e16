/** Operates a stack in a world: starts it again after it was killed, deploys new programs, delivers its events. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_SOURCE } from '../../lib/batch/names.ts';
import type { EventRule } from '../../lib/local/events/event-bus.ts';
import { type LocalStack, startLocalStack } from '../../lib/local/stack.ts';
import type { StackTemplate } from '../../lib/local/template.ts';
import { FILES } from './capacity.ts';
import type { Faults } from './faults.ts';
import { RELEASE_FILE, type SimulatedFunctions } from './functions.ts';
import { isRace } from './inputs.ts';
import { runLifecycle } from './lifecycle.ts';
import { SimulatedProcess, type World } from './world.ts';

/** The port of S3 and of the other services. */
export const PORT = 9000;
export const ENDPOINT = `http://127.0.0.1:${PORT}`;
/** The owner's keys: the commands sign with them. */
export const KEYS = {
  accessKeyId: 'DLX00000000000000000',
  secretAccessKey: '0'.repeat(60),
};

export interface OperatorOptions {
  readonly folder: string;
  readonly template: StackTemplate;
  readonly startFunction: SimulatedFunctions['start'];
  readonly environment: Readonly<Record<string, string>>;
  readonly schedule: string;
  /** Further rules of the bus. @default none */
  readonly rules?: readonly EventRule[];
  /** Takes the events of uploads. @default they are delivered, late or twice in some worlds */
  readonly onEvent?: ((body: string) => void) | undefined;
}

export class Operator {
  readonly #world: World;
  readonly #faults: Faults;
  readonly #options: OperatorOptions;
  /** Absolute path of the stack's data folder. */
  readonly dataDir: string;
  /** The events about outcomes that the user's rule has received: each its type and the key of its document. */
  readonly outcomes = new Set<string>();
  /** Bulk runs whose execution has ended without success: their ids. */
  readonly failedRuns = new Set<string>();
  #stack: LocalStack | undefined;
  #process: SimulatedProcess | undefined;
  #starts = 0;
  #release = 1;
  #stopped = false;
  /** In some worlds messages are soon dead letters. */
  readonly #maxReceives: number | undefined;

  constructor(world: World, faults: Faults, options: OperatorOptions) {
    this.#world = world;
    this.#faults = faults;
    this.#options = options;
    if (faults.can('few receives')) {
      faults.count('few receives');
      this.#maxReceives = 2;
    }
    this.dataDir = join(options.folder, 'data');
    mkdirSync(this.dataDir, { recursive: true });
    writeFileSync(join(this.dataDir, 'keys.json'), JSON.stringify(KEYS));
  }

  /** The running stack; undefined while there is none. */
  get stack(): LocalStack | undefined {
    return this.#stack;
  }

  start(): void {
    if (this.#stopped) return;
    const world = this.#world;
    const { folder, template, startFunction, environment, schedule } = this.#options;
    const { rules = [], onEvent = (body) => this.#deliver(body) } = this.#options;
    const number = ++this.#starts;
    // A process of its own: locks of the killed one belong to another path.
    const dataDir = join(folder, `data-${number}`);
    symlinkSync(this.dataDir, dataDir);
    const codeDir = join(folder, `release-${this.#release}`);
    mkdirSync(codeDir, { recursive: true });
    writeFileSync(join(codeDir, RELEASE_FILE), String(this.#release));
    const owner = new SimulatedProcess(`stack#${number}`, 'stack');
    this.#process = owner;
    owner.onEnd.push(() => {
      world.trace('stack ended', number);
      this.#stack = undefined;
      if (!this.#stopped) world.after(world.between(1000, 900_000), undefined, () => this.start());
    });
    world.trace('stack starts', number, 'release', this.#release);
    world.runAs(owner, async () => {
      try {
        const stack = await startLocalStack({
          dataDir,
          codeDir,
          port: PORT,
          concurrency: FILES,
          maxReceives: this.#maxReceives,
          environment,
          schedule,
          jitter: () => world.fraction(),
          startFunction,
          template,
          onEvent,
          rules: [
            { pattern: { source: [EVENT_SOURCE] }, receive: (event) => this.#received(event) },
            { pattern: { source: ['aws.states'] }, receive: (event) => this.#executionEnded(event) },
            ...rules,
          ],
        });
        this.#stack = stack;
        // Ends with the first failure.
        for (;;) {
          await stack.idle();
          await world.wait(600_000);
        }
      } catch (error) {
        if (!owner.alive) return;
        world.trace('stack failed', String(error).slice(0, 300));
        owner.end();
      }
    });
  }

  /** Replaces the program: ends the stack properly, and starts the next release with the same data. */
  deploy(): void {
    const owner = this.#process;
    const stack = this.#stack;
    if (stack === undefined || owner === undefined) return;
    this.#faults.count('deployment');
    this.#release++;
    this.#stack = undefined;
    this.#close(stack, owner);
  }

  /** Stops the stack, and starts no other. */
  stop(): void {
    this.#stopped = true;
    const stack = this.#stack;
    if (stack === undefined) this.#process?.end();
    else this.#close(stack, this.#process!);
  }

  /** Lets all data grow old, after the stack has stopped. */
  async runLifecycle(): Promise<void> {
    const { folder, template } = this.#options;
    const dataDir = join(folder, 'data-old');
    symlinkSync(this.dataDir, dataDir);
    await runLifecycle(join(dataDir, 's3'), template, this.#world);
  }

  get stopped(): boolean {
    return this.#stopped && this.#process?.alive !== true;
  }

  #close(stack: LocalStack, owner: SimulatedProcess): void {
    this.#world.runAs(owner, () =>
      stack.close().then(
        () => owner.end(),
        (error: unknown) => {
          if (owner.alive) this.#world.trace('stack not closed', String(error).slice(0, 300));
          owner.end();
        },
      ),
    );
    // As service managers do with a process that does not end.
    this.#world.after(120_000, undefined, () => owner.end());
  }

  /** Events are stored outside of the stack: they arrive late, twice, or in rare cases never. */
  #deliver(body: string): void {
    const world = this.#world;
    const faults = this.#faults;
    if (faults.happens('lost event', 0.2)) return;
    const race = isRace(body);
    const copies = faults.happens('duplicate event', race ? 1 : 0.4) ? 2 : 1;
    const together = race || world.chance(0.5);
    let delayMs = world.between(50, 2_000);
    for (let copy = 0; copy < copies; copy++) {
      if (faults.happens('delayed event', 0.2)) delayMs = world.between(5_000, 14_400_000);
      else if (!together) delayMs = world.between(50, 2_000);
      world.after(delayMs, undefined, () => this.#send(body));
    }
  }

  /** The user's rule receives an event. */
  #received(event: string): void {
    if (this.#faults.busIsDown) {
      this.#faults.noteAnswer('event bus down');
      throw new Error('the event bus is down');
    }
    const { 'detail-type': type, detail } = JSON.parse(event);
    const { key } = detail.manifest ?? detail.reject ?? detail.status ?? detail.report;
    this.#world.trace('outcome', type, key);
    this.outcomes.add(`${type} ${key}`);
  }

  #executionEnded(event: string): void {
    const { name, status } = JSON.parse(event).detail;
    if (status !== 'SUCCEEDED') this.failedRuns.add(name);
  }

  #send(body: string): void {
    const world = this.#world;
    const stack = this.#stack;
    try {
      if (stack === undefined) throw new Error('no stack runs');
      world.runAs(this.#process, () => stack.send(body));
    } catch (error) {
      world.trace('event not delivered', String(error).slice(0, 100));
      world.after(world.between(1_000, 60_000), undefined, () => this.#send(body));
    }
  }
}
