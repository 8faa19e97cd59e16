/**
 * Proves that a stack works: `doctor --live`. It uses only what users may do: uploads, messages like those of `retry`, a bulk
 * run, reads and deletes. All checks run at the same time and are reported in a fixed order. Then it removes all that it made,
 * also after a failure or an interruption: first all jobs end, as a job whose upload is gone would write a reject.
 */
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
import { type Finding, fail, findingText } from './finding.ts';
import { differenceFromHere } from './live-compare.ts';
import { knownPuzzles, type LiveFile, largeFile, optionFiles } from './live-files.ts';
import { isLiveId, LiveStack, liveIdOf, liveSettings, type Sent } from './live-stack.ts';
import {
  duplicateFinding,
  eventFinding,
  knownFinding,
  largeFinding,
  optionsFinding,
  removalFinding,
  runFinding,
  type SolvedFacts,
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
    const removed = await new LiveStack(id, connection).remove();
    return removalFinding(removed, [], commandText(`doctor --remove ${id}`));
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
      ['known puzzles', async () => knownFinding(await known)],
      ['options', () => checkOptions(stack)],
      ['duplicate', async () => checkDuplicate(stack, await known)],
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
interface Solved extends SolvedFacts {
  readonly sent: Sent;
  readonly outcome: VersionOutcome;
}

async function solve(stack: LiveStack, file: LiveFile, sent: Sent, maxSeconds?: number): Promise<Solved> {
  const { connection } = stack;
  const { outcome, seconds } = await stack.outcome(sent, maxSeconds);
  const difference = await differenceFromHere(connection, file, outcome);
  const stats = outcome.kind === 'completed' ? await statsOf(connection, outcome.manifest) : undefined;
  const { puzzles, used } = stats ?? {};
  return { sent, outcome, seconds, difference, puzzles: puzzles?.total ?? 0, shards: used?.shards ?? 1 };
}

/** Uploads with every option under odd keys. */
async function checkOptions(stack: LiveStack): Promise<Finding> {
  const files = optionFiles('odd/');
  const problems = await inParallel(files, files.length, async ({ option, ...file }) => {
    try {
      const sent = await stack.upload(file);
      const { outcome, difference } = await solve(stack, file, sent);
      const { input } = outcome.kind === 'completed' ? outcome.manifest : outcome.reject;
      if ('key' in input && input.key !== sent.key) return [`${sent.key} came back as ${input.key}`];
      const problem = difference ?? ignoredOption(file, outcome);
      return problem === undefined ? [] : [`${option}: ${problem}`];
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return [`${option}: ${error.message}`];
    }
  });
  return optionsFinding(
    files.map(({ option }) => option),
    problems.flat(),
  );
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
  const { jobId = '' } = outcome.kind === 'completed' ? outcome.manifest : outcome.reject;
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

/** A file that takes several functions. */
async function checkLarge(stack: LiveStack): Promise<Finding> {
  const file = largeFile('large.txt.gz', liveSettings.largePuzzles);
  return largeFinding(await solve(stack, file, await stack.upload(file), liveSettings.largeSeconds));
}
