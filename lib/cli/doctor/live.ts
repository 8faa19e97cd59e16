/**
 * Proves that a stack works: `doctor --live`. It uses only what users may do: uploads, messages like those of `retry`, a bulk
 * run, reads and deletes. All checks run at the same time and are reported in a fixed order. Then it removes all that it made,
 * also after a failure or an interruption: first all jobs end, as a job whose upload is gone would write a reject.
 */
import type { Manifest } from '../../batch/delivery/manifest.ts';
import { jobKeys } from '../../batch/delivery/result-keys.ts';
import type { VersionOutcome } from '../../batch/delivery/result-set.ts';
import { inParallel } from '../../batch/in-parallel.ts';
import { SCHEDULED_PREFIX } from '../../batch/names.ts';
import { systemHashing } from '../../node/system.ts';
import { CommandError, failureText, isFixable } from '../exit.ts';
import { commandText } from '../remote/command-text.ts';
import { type ConnectionFlags, withConnection } from '../remote/connection.ts';
import { newRunId } from '../remote/new-run-id.ts';
import { statsOf } from '../remote/outcomes.ts';
import { remoteError } from '../remote/remote-error.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { print } from '../terminal/output.ts';
import { ProgressLine } from '../terminal/progress.ts';
import { type Finding, fail, findingText, warn } from './finding.ts';
import { differenceFromHere } from './live-compare.ts';
import {
  KNOWN_PUZZLES,
  knownPuzzles,
  type LiveFile,
  largeFile,
  optionFiles,
  speedFile,
} from './live-files.ts';
import { isLiveId, LiveStack, liveIdOf, liveSettings, type Sent } from './live-stack.ts';
import {
  duplicateFinding,
  eventFinding,
  knownFinding,
  largeFinding,
  type OptionFacts,
  optionsFinding,
  removalFinding,
  runFinding,
} from './live-verdicts.ts';

/** Length of `known puzzles`, the longest name of a check. */
const CHECK_COLUMNS = 13;

const KNOWN_FILE: LiveFile = knownPuzzles('known.txt');
const RUN_FOLDER = 'run/';
const RUN_FILES = ['a.txt', 'b.txt'];

/** @returns what was found */
export async function checkLive(flags: ConnectionFlags): Promise<Finding[]> {
  const runId = newRunId();
  const examination = new Examination(liveIdOf(runId), flags);
  // The removal of what was made takes longer, and says how to continue if it is interrupted too.
  await interruptible((signal) => examination.run(signal), { isPatient: true });
  return examination.findings;
}

/** Removes what a killed examination has left. */
export async function removeLeft(id: string, flags: ConnectionFlags): Promise<Finding> {
  if (!isLiveId(id)) {
    throw new CommandError(`option "--remove" is "${id}": expected the id that doctor --live printed`);
  }
  return withConnection(flags, `removing ${id}`, async (connection) => {
    const removal = await new LiveStack(id, connection).remove();
    return removalFinding(removal, [], commandText(`doctor --remove ${id}`));
  });
}

class Examination {
  readonly findings: Finding[] = [];
  readonly #id: string;
  readonly #flags: ConnectionFlags;
  readonly #line = new ProgressLine();
  /** Undefined until the stack is known: then there is nothing to remove. */
  #stack: LiveStack | undefined;

  constructor(id: string, flags: ConnectionFlags) {
    this.#id = id;
    this.#flags = flags;
  }

  /** @throws the reason of the signal after an interruption; everything is removed then, too */
  async run(signal: AbortSignal): Promise<void> {
    const flags = this.#flags;
    try {
      await withConnection(
        flags,
        'checking the stack',
        async (connection) => {
          const { inputBucket, resultsBucket } = connection;
          await Promise.all([connection.queue(), connection.machine('BulkRunArn')]);
          this.#stack = new LiveStack(this.#id, connection);
          this.#print(`${this.#id} in ${inputBucket} and ${resultsBucket}; removes what it makes`);
          await this.#check(this.#stack);
        },
        signal,
      );
    } finally {
      if (this.#stack !== undefined) await this.#remove(this.#stack.startedRun, signal.aborted);
    }
  }

  async #check(stack: LiveStack): Promise<void> {
    const sent = await stack.upload(KNOWN_FILE);
    await this.#report('event', () => checkEvent(stack, sent));
    const known = solve(stack, KNOWN_FILE, sent);
    const checks: readonly (readonly [what: string, check: () => Promise<Finding>])[] = [
      ['known puzzles', async () => knownFinding({ puzzles: KNOWN_PUZZLES, ...(await known) })],
      ['options', () => checkOptions(stack)],
      ['duplicate', after(known, 'duplicate', (solved) => checkDuplicate(stack, solved))],
      ['bulk run', () => checkRun(stack)],
      ['large file', () => checkLarge(stack)],
    ];
    const running = checks.map(([what, check]) => ({ what, finding: this.#findingOf(what, check) }));
    const ended = Promise.allSettled([known, ...running.map(({ finding }) => finding)]);
    try {
      for (const { what, finding } of running) await this.#report(what, () => finding);
    } finally {
      // The removal must not begin while a check still writes.
      await ended;
    }
  }

  /** The finding of a check; one about its error if it fails. @throws defects, and the reason of an interruption */
  async #findingOf(what: string, check: () => Promise<Finding>): Promise<Finding> {
    try {
      return await check();
    } catch (error) {
      this.#stack?.connection.retries.signal.throwIfAborted();
      const failure = remoteError(error, 'a request failed');
      if (!isFixable(failure)) throw failure;
      return fail(what, failureText(failure), `${commandText('doctor')} shows the state of the stack`);
    }
  }

  async #report(what: string, check: () => Promise<Finding>): Promise<void> {
    const show = () => this.#line.show(() => ({ name: what, done: 'waiting' }));
    const timer = setInterval(show, 1000);
    show();
    try {
      const finding = await this.#findingOf(what, check);
      this.findings.push(finding);
      this.#print(findingText(finding, CHECK_COLUMNS));
    } finally {
      clearInterval(timer);
    }
  }

  #print(line: string): void {
    if (this.#flags.json !== true) print([line]);
  }

  /** Removes everything, with a connection of its own: that of the checks may be aborted. */
  async #remove(startedRun: boolean, isAborted: boolean): Promise<void> {
    const command = commandText(`doctor --remove ${this.#id}`);
    if (isAborted) print(['', `removing what was made; if you interrupt this: ${command}`], process.stderr);
    const remove = () =>
      withConnection(this.#flags, 'removing what was made', async (connection) => {
        const stack = new LiveStack(this.#id, connection);
        stack.startedRun = startedRun;
        const unfinished = await stack.settle();
        return removalFinding(await stack.remove(), unfinished, command);
      });
    await this.#report('removal', () =>
      remove().catch((error: unknown) => {
        if (!isFixable(error)) throw error;
        return fail('removal', failureText(error), `to remove what is left: ${command}`);
      }),
    );
  }
}

/** A check that needs the result of another one. If that failed, its line says why. */
function after<Needed>(
  needed: Promise<Needed>,
  what: string,
  check: (needed: Needed) => Promise<Finding>,
): () => Promise<Finding> {
  return async () => {
    let value: Needed;
    try {
      value = await needed;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return warn(what, 'not checked, as the upload that it needs has no result', 'see the first FAIL');
    }
    return check(value);
  };
}

/** Waits for the first upload to begin; without an event, sends it to the queue, and every later one. */
async function checkEvent(stack: LiveStack, sent: Sent): Promise<Finding> {
  const { eventSeconds } = liveSettings;
  const begun = await stack.until(eventSeconds, async () => (await stack.status(sent)) && performance.now());
  if (begun === undefined) {
    stack.sendsMessages = true;
    await stack.send(sent);
  }
  return eventFinding(begun && (begun - sent.sentMs) / 1000, eventSeconds);
}

/** An upload that the stack has solved, and this machine too. */
interface Solved {
  readonly sent: Sent;
  readonly outcome: VersionOutcome;
  readonly seconds: number;
  /** How the result differs from that of this machine. */
  readonly difference: string | undefined;
}

async function solve(stack: LiveStack, file: LiveFile, sent: Sent, maxSeconds?: number): Promise<Solved> {
  const received = await stack.outcome(sent, maxSeconds);
  const difference = await differenceFromHere(stack.connection, file, received.outcome);
  return { ...received, sent, difference };
}

function manifestOf(outcome: VersionOutcome): Manifest {
  if (outcome.kind === 'completed') return outcome.manifest;
  throw new CommandError(`the stack rejected ${outcome.reject.input.key}: ${outcome.reject.error.message}`);
}

/** Uploads with every option under odd keys. */
async function checkOptions(stack: LiveStack): Promise<Finding> {
  const files = optionFiles('odd/');
  const uploads = await inParallel(files, files.length, async ({ option, ...file }): Promise<OptionFacts> => {
    const sent = await stack.upload(file);
    const { key } = sent;
    try {
      const { outcome, difference } = await solve(stack, file, sent);
      const { input } = outcome.kind === 'completed' ? outcome.manifest : outcome.reject;
      const returnedKey = 'key' in input ? input.key : undefined;
      return { key, option, returnedKey, difference: difference ?? ignoredOption(file, outcome) };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return { key, option, returnedKey: undefined, difference: error.message };
    }
  });
  return optionsFinding(uploads);
}

/** The manifest names the options of its job, defaults included. */
function ignoredOption(file: LiveFile, outcome: VersionOutcome): string | undefined {
  if (outcome.kind === 'rejected') return undefined;
  const { options } = outcome.manifest;
  const ignored = Object.entries(file.options).find(([name, value]) => String(options[name]) !== value);
  return ignored && `the stack used ${ignored[0]} ${options[ignored[0]]}, expected ${ignored[1]}`;
}

/**
 * Sends the message of a finished upload again. Its done marker is deleted before, as the delivery restores it, and the
 * time of its status changes last: so the delivery is known to be handled.
 */
async function checkDuplicate(stack: LiveStack, { sent, outcome }: Solved): Promise<Finding> {
  const { store, resultsBucket } = stack.connection;
  const { jobId = '' } = manifestOf(outcome);
  const keys = jobKeys(sent.key, sent.versionId, jobId, systemHashing);
  const { outcomeSeconds } = liveSettings;
  const final = await stack.until(outcomeSeconds, async () => {
    const status = await stack.status(sent);
    return status?.state === 'done' ? status : undefined;
  });
  const before = await store.head(resultsBucket, keys.manifest);
  await store.delete(resultsBucket, keys.done);
  await stack.send(sent);
  const handled = await stack.until(outcomeSeconds, async () => {
    const isBack = (await store.head(resultsBucket, keys.done)) !== undefined;
    return isBack && (await stack.status(sent))?.updatedAt !== final?.updatedAt ? true : undefined;
  });
  const after = await store.head(resultsBucket, keys.manifest);
  const attempts = new Set<string>();
  for await (const each of store.list(resultsBucket, keys.folder)) {
    const [attempt, file] = each.slice(keys.folder.length).split('/');
    if (file !== undefined) attempts.add(attempt!);
  }
  const sameManifest = before !== undefined && before.etag === after?.etag;
  return duplicateFinding({ handled: handled === true, sameManifest, attempts: attempts.size });
}

async function checkRun(stack: LiveStack): Promise<Finding> {
  for (const name of RUN_FILES) await stack.schedule({ ...KNOWN_FILE, name: `${RUN_FOLDER}${name}` });
  const startMs = performance.now();
  const record = await stack.run(`${SCHEDULED_PREFIX}${stack.id}/${RUN_FOLDER}`);
  const seconds = (performance.now() - startMs) / 1000;
  return runFinding({ report: record?.report?.versions, uploads: RUN_FILES.length, seconds });
}

/** A file that takes several functions. A small one before it measures the time of a search node. */
async function checkLarge(stack: LiveStack): Promise<Finding> {
  const { connection } = stack;
  const { outcome: slow } = await stack.outcome(await stack.upload(speedFile('speed.txt')));
  const { timing, search } = (await statsOf(connection, manifestOf(slow)))!;
  const file = largeFile('large.txt.gz', liveSettings.large, (timing.solveMs * 1e6) / search.nodes);
  const sent = await stack.upload(file);
  const { outcome, seconds, difference } = await solve(stack, file, sent, liveSettings.largeSeconds);
  const { puzzles, used } = (await statsOf(connection, manifestOf(outcome)))!;
  return largeFinding({ puzzles: puzzles.total, shards: used?.shards ?? 1, difference, seconds });
}
