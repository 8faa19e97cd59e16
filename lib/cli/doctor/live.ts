/**
 * Proves that a stack works: `doctor --live`. It uses only what users may do: uploads, messages like those of `retry`, a bulk
 * run, reads and deletes. All checks run at the same time and are reported in a fixed order. Then it removes all that it made,
 * also after a failure or an interruption: first all jobs end, as a job whose upload is gone would write a reject.
 */
import { jobKeys } from '../../batch/delivery/result-keys.ts';
import type { VersionOutcome } from '../../batch/delivery/result-set.ts';
import { inParallel } from '../../batch/in-parallel.ts';
import { SCHEDULED_PREFIX } from '../../batch/names.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import { systemHashing } from '../../node/system.ts';
import { CommandError, failureText, isFixable } from '../exit.ts';
import { commandText } from '../remote/command-text.ts';
import { type Connection, type ConnectionFlags, withConnection } from '../remote/connection.ts';
import { newRunId } from '../remote/new-run-id.ts';
import { statsOf } from '../remote/outcomes.ts';
import { remoteError } from '../remote/remote-error.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { print } from '../terminal/output.ts';
import { ProgressLine } from '../terminal/progress.ts';
import { secondsText } from '../terminal/quantity-text.ts';
import { type Finding, fail, findingText, ok } from './finding.ts';
import { differenceFromHere } from './live-compare.ts';
import { knownPuzzles, type LiveFile, largeFile, optionFiles } from './live-files.ts';
import { LiveStack, liveIdOf, liveSettings, type Sent } from './live-stack.ts';

const KNOWN_FILE: LiveFile = knownPuzzles('known.txt');
const RUN_FOLDER = 'run/';
const RUN_FILES = ['a.txt', 'b.txt'];

const DEPLOY = 'deploy this version of the program (npx cdk deploy), then run doctor --live again';
const REPORT = 'this is a defect of dlx-batch: report it';
const seeLog = () => `see the log of the function solve-batch, and ${commandText('status --watch')}`;

/** @returns what was found */
export async function checkLive(flags: ConnectionFlags): Promise<Finding[]> {
  const report = new LiveReport(flags.json === true);
  const id = liveIdOf(newRunId());
  // The removal of what was made takes longer, and says how to continue if it is interrupted too.
  await interruptible((signal) => run(id, flags, report, signal), { isPatient: true });
  return report.findings;
}

/** @throws the reason of the signal after an interruption; everything is removed then, too */
async function run(id: string, flags: ConnectionFlags, report: LiveReport, signal: AbortSignal) {
  let hasBegun = false;
  const check = async (connection: Connection) => {
    // Without the queue and the runs there is nothing to check, and so nothing to remove.
    await Promise.all([connection.queue(), connection.machine('BulkRunArn')]);
    hasBegun = true;
    const { inputBucket, resultsBucket } = connection;
    report.print(`${id} in ${inputBucket} and ${resultsBucket}; removes what it makes`);
    await checkAll(new LiveStack(id, connection), report);
  };
  const command = commandText(`doctor --remove ${id}`);
  const remove = async (connection: Connection) => {
    const stack = new LiveStack(id, connection);
    return removal(await stack.settle(), await stack.remove(), command);
  };
  try {
    await withConnection(flags, 'checking the stack', check, signal);
  } finally {
    if (signal.aborted) {
      print(['', `removing what was made; if you interrupt this: ${command}`], process.stderr);
    }
    // With a connection of its own: that of the checks may be aborted.
    const removing = () => withConnection(flags, 'removing what was made', remove);
    if (hasBegun) await report.add('removal', removing, `to remove what is left: ${command}`);
  }
}

/** Removes what a killed examination has left. */
export async function removeLeft(id: string, flags: ConnectionFlags): Promise<Finding> {
  return withConnection(flags, `removing ${id}`, async (connection) =>
    removal([], await new LiveStack(id, connection).remove(), ''),
  );
}

/** @param unfinished what may still write @param removed objects and versions @param command that repeats the removal */
function removal(unfinished: readonly string[], removed: number, command: string): Finding {
  if (unfinished.length === 0) return ok('removal', `${removed} objects and versions, nothing is left`);
  const text = `${counted(unfinished.length, 'job')} had no outcome, and may write again, such as ${unfinished[0]}`;
  return fail('removal', text, `when they have ended, such as tomorrow: ${command}`);
}

async function checkAll(stack: LiveStack, report: LiveReport): Promise<void> {
  const sent = await stack.upload(KNOWN_FILE);
  const { status } = await report.add('event', () => checkEvent(stack, sent));
  if (status === 'FAIL') return;
  const known = solve(stack, KNOWN_FILE, sent, liveSettings.outcomeSeconds);
  const doctor = `${commandText('doctor')} shows the state of the stack`;
  const checks: readonly (readonly [what: string, check: () => Promise<Finding>])[] = [
    ['known puzzles', async () => checkKnown(await known)],
    ['options', () => checkOptions(stack)],
    ['duplicate', async () => checkDuplicate(stack, await known)],
    ['bulk run', () => checkRun(stack)],
    ['large file', () => checkLarge(stack)],
  ];
  const running = checks.map(([what, check]) => [what, check()] as const);
  const ended = Promise.allSettled([known, ...running.map(([, finding]) => finding)]);
  try {
    for (const [what, finding] of running) await report.add(what, () => finding, doctor);
  } finally {
    // The removal must not begin while a check still writes.
    await ended;
  }
}

/** The findings, each printed when it is known. */
class LiveReport {
  readonly findings: Finding[] = [];
  readonly #json: boolean;
  readonly #line = new ProgressLine();

  constructor(json: boolean) {
    this.#json = json;
  }

  print(line: string): void {
    if (!this.#json) print([line]);
  }

  /** Adds the finding of a check; one about its error if it fails. @throws defects, and the reason of an interruption */
  async add(what: string, check: () => Promise<Finding>, todo = ''): Promise<Finding> {
    const show = () => this.#line.show(() => ({ name: what, done: 'waiting' }));
    const timer = setInterval(show, 1000);
    show();
    try {
      const finding = await check().catch((error: unknown) => {
        const failure = remoteError(error, 'a request failed');
        if (!isFixable(failure)) throw failure;
        return fail(what, failureText(failure), todo);
      });
      this.findings.push(finding);
      this.print(findingText(finding));
      return finding;
    } finally {
      clearInterval(timer);
    }
  }
}

/** Waits for the first upload to begin. */
async function checkEvent(stack: LiveStack, sent: Sent): Promise<Finding> {
  const { eventSeconds } = liveSettings;
  const begun = await stack.until(eventSeconds, async () => (await stack.status(sent)) && performance.now());
  if (begun !== undefined) {
    return ok('event', `the first upload began after ${secondsText((begun - sent.sentMs) / 1000)}`);
  }
  const text = `the first upload did not begin in ${secondsText(eventSeconds)}, so nothing else was checked`;
  const todo = `a new bucket needs up to 15 minutes: try again later; if it stays so, see ${commandText('doctor')}`;
  return fail('event', text, todo);
}

/** An upload that the stack has solved, and this machine too. */
interface Solved {
  readonly sent: Sent;
  readonly outcome: VersionOutcome;
  readonly puzzles: number;
  readonly shards: number;
  /** How the result differs from that of this machine. */
  readonly difference: string | undefined;
  /** From the upload to the result. */
  readonly seconds: number;
}

async function solve(stack: LiveStack, file: LiveFile, sent: Sent, maxSeconds: number): Promise<Solved> {
  const { connection } = stack;
  const outcome = await stack.outcome(sent, maxSeconds);
  const seconds = (performance.now() - sent.sentMs) / 1000;
  const difference = await differenceFromHere(connection, file, outcome);
  const stats = outcome.kind === 'completed' ? await statsOf(connection, outcome.manifest) : undefined;
  const { puzzles, used } = stats ?? {};
  return { sent, outcome, seconds, difference, puzzles: puzzles?.total ?? 0, shards: used?.shards ?? 1 };
}

function checkKnown({ puzzles, difference, seconds }: Solved): Finding {
  if (difference !== undefined) return fail('known puzzles', difference, DEPLOY);
  const text = `${numberText(puzzles)} with the result of this machine, after ${secondsText(seconds)}`;
  return ok('known puzzles', text);
}

/** Uploads with every option under odd keys. */
async function checkOptions(stack: LiveStack): Promise<Finding> {
  const files = optionFiles('odd/');
  const problems = await inParallel(files, files.length, async ({ option, ...file }) => {
    try {
      const sent = await stack.upload(file);
      const { outcome, difference } = await solve(stack, file, sent, liveSettings.outcomeSeconds);
      const { input } = outcome.kind === 'completed' ? outcome.manifest : outcome.reject;
      if ('key' in input && input.key !== sent.key) return [`${sent.key} came back as ${input.key}`];
      const problem = difference ?? ignoredOption(file, outcome);
      return problem === undefined ? [] : [`${option}: ${problem}`];
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return [`${option}: ${error.message}`];
    }
  });
  if (problems.flat().length > 0) return fail('options', problems.flat().join('; '), seeLog());
  const names = files.map(({ option }) => option).join(', ');
  return ok('options', `${files.length} of ${files.length} had their effect, under odd keys (${names})`);
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
  const what = 'duplicate';
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
  if (handled === undefined) return fail(what, 'the second message was not handled in time', seeLog());
  const after = await store.head(resultsBucket, keys.manifest);
  if (before?.etag !== after?.etag) return fail(what, 'the second delivery replaced the result', REPORT);
  const attempts = new Set<string>();
  for await (const each of store.list(resultsBucket, keys.folder)) {
    const [attempt, file] = each.slice(keys.folder.length).split('/');
    if (file !== undefined) attempts.add(attempt!);
  }
  if (attempts.size !== 1) {
    return fail(what, `the files of ${attempts.size} attempts are stored, expected 1`, REPORT);
  }
  return ok(what, 'the second delivery kept the result of the first');
}

async function checkRun(stack: LiveStack): Promise<Finding> {
  for (const name of RUN_FILES) {
    await stack.upload({ ...KNOWN_FILE, name: `${RUN_FOLDER}${name}` }, SCHEDULED_PREFIX);
  }
  const startMs = performance.now();
  const record = await stack.run(`${SCHEDULED_PREFIX}${stack.id}/${RUN_FOLDER}`);
  const after = `after ${secondsText((performance.now() - startMs) / 1000)}`;
  const { planned, solved } = record?.report?.versions ?? {};
  const uploads = RUN_FILES.length;
  const text =
    planned === undefined
      ? `no report ${after}`
      : `planned ${planned} and solved ${solved} of ${uploads} uploads ${after}`;
  if (planned === uploads && solved === uploads) return ok('bulk run', text);
  return fail(
    'bulk run',
    text,
    `see the execution of BulkRun in Step Functions, and ${commandText('run --list')}`,
  );
}

/** A file that takes several functions. */
async function checkLarge(stack: LiveStack): Promise<Finding> {
  const what = 'large file';
  const file = largeFile('large.txt.gz', liveSettings.largePuzzles);
  const solved = await solve(stack, file, await stack.upload(file), liveSettings.largeSeconds);
  const { puzzles, shards, difference, seconds } = solved;
  if (difference !== undefined) {
    return fail(what, difference, 'see the execution of SolveLarge in Step Functions');
  }
  const found = `${numberText(puzzles)} puzzles in ${counted(shards, 'shard')} with the result of this machine`;
  if (shards > 1) return ok(what, `${found}, after ${secondsText(seconds)}`);
  const todo = `${DEPLOY}; dlx:memoryMb must not be far below dlx:shardMemoryMb`;
  return fail(what, `${found}: it was not split`, todo);
}
