/**
 * Proves that a stack works: `doctor --live`. It uses only what users may do: uploads as `upload --wait` makes them, a message like
 * that of `retry`, a bulk run, reads and deletes. Each check returns what it has proved, or throws what is wrong. Then all that
 * was made is removed, also after a failure or an interruption.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { messageFor } from '../../batch/bulk-run/planned-version.ts';
import { startRun } from '../../batch/bulk-run/start-run.ts';
import { jobKeys } from '../../batch/delivery/result-keys.ts';
import { findOutcome } from '../../batch/delivery/result-set.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../batch/names.ts';
import { optionsFromCanonical } from '../../batch/options.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import { systemHashing } from '../../node/system.ts';
import { storedVersion } from '../commands/retry.ts';
import { awaitedReport, bulkRuns } from '../commands/run.ts';
import { readLimits, solveFile } from '../commands/solve.ts';
import { type UploadedFile, uploadFiles } from '../commands/upload.ts';
import { CommandError, failureText, isFixable } from '../exit.ts';
import { readSolveOptions } from '../option-values.ts';
import { commandText } from '../remote/command-text.ts';
import { type Connection, type ConnectionFlags, polled, withConnection } from '../remote/connection.ts';
import { newRunId } from '../remote/new-run-id.ts';
import { remoteError } from '../remote/remote-error.ts';
import { Work } from '../remote/work.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { print } from '../terminal/output.ts';
import { secondsText } from '../terminal/quantity-text.ts';
import { type Finding, fail, findingText, ok } from './finding.ts';
import { knownPuzzles, type LiveFile, largeFile, optionFiles } from './live-files.ts';
import { type Examination, examination, removeAll, settle } from './live-objects.ts';

/** How much `doctor --live` does and how long it waits. Tests do less. */
export const liveSettings = {
  solveSeconds: 180,
  largeSeconds: 480,
  runSeconds: 300,
  /** Jobs that are not finished are awaited before their objects are removed. */
  settleSeconds: 60,
  /** 16 MB of puzzles, for which a stack expects several minutes. It makes a shard for each minute. */
  largePuzzles: 200_000,
};

/** The removal of what was made takes this long at most; it says how to continue if it is interrupted too. */
const CLEAN_UP_MS = 15 * 60_000;

/** An examination, with a folder for its results here. */
interface Live extends Examination {
  readonly folder: string;
}

type LiveCheck = readonly [
  name: string,
  /** @returns what it has proved @throws CommandError with what is wrong */
  prove: (live: Live) => Promise<string>,
  todo: string,
];

/** In their order. If the first one fails, nothing else is checked. */
function checks(): readonly LiveCheck[] {
  const later = 'a new bucket needs up to 15 minutes: try again later; if it stays so, see';
  const deploy = 'deploy this version of the program (npx cdk deploy), then run doctor --live again';
  const log = `see the log of the function solve-batch, and ${commandText('status --watch')}`;
  const run = `see the execution of BulkRun in Step Functions, and ${commandText('run --list')}`;
  const large =
    'see the execution of SolveLarge in Step Functions; dlx:memoryMb must not be far below dlx:shardMemoryMb';
  return [
    ['known puzzles', checkKnown, `${later} ${commandText('doctor')}, and ${deploy}`],
    ['options', checkOptions, log],
    ['duplicate', checkDuplicate, log],
    ['bulk run', checkRun, run],
    ['large file', checkLarge, large],
  ];
}

/** @returns what was found; after an interruption, everything is removed too */
export function checkLive(flags: ConnectionFlags): Promise<Finding[]> {
  return interruptible((signal) => run(`doctor-${newRunId()}`, flags, signal), { cleanUpMs: CLEAN_UP_MS });
}

async function run(id: string, flags: ConnectionFlags, signal: AbortSignal): Promise<Finding[]> {
  const findings: Finding[] = [];
  const show = (line: string) => void (flags.json !== true && print([line]));
  /** @throws defects, and the reason of an interruption */
  const add = async (name: string, todo: string, proof: Promise<string>) => {
    const finding = await proof.then(
      (text) => ok(name, text),
      (error: unknown) => {
        const failure = remoteError(error, 'a request failed');
        if (!isFixable(failure)) throw failure;
        return fail(name, failureText(failure), todo);
      },
    );
    findings.push(finding);
    show(findingText(finding));
    return finding.status === 'ok';
  };
  const folder = await mkdtemp(join(tmpdir(), 'dlx-batch-doctor-'));
  let hasBegun = false;
  const check = async (connection: Connection) => {
    // Without the queue and the runs there is nothing to check, and so nothing to remove.
    await Promise.all([connection.queue(), connection.machine('BulkRunArn')]);
    hasBegun = true;
    const { inputBucket, resultsBucket } = connection;
    show(`${id} in ${inputBucket} and ${resultsBucket}; removes what it makes`);
    const live = { ...examination(id, connection), folder };
    for (const [name, prove, todo] of checks()) {
      if (!(await add(name, todo, prove(live))) && prove === checkKnown) return;
    }
  };
  const command = commandText(`doctor --remove ${id}`);
  try {
    await withConnection(flags, 'checking the stack', check, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
    if (signal.aborted) {
      print(['', `removing what was made; if you interrupt this: ${command}`], process.stderr);
    }
    const todo = `to remove what is left, when all jobs have ended: ${command}`;
    // With a connection of its own: that of the checks may be aborted.
    if (hasBegun) await add('removal', todo, remove(id, flags, liveSettings.settleSeconds));
  }
  return findings;
}

/** Removes what a killed examination has left. */
export async function removeLeft(id: string, flags: ConnectionFlags): Promise<Finding> {
  return ok('removal', await remove(id, flags));
}

/** @param settleSeconds how long jobs that are not finished are awaited @throws CommandError if some may write again */
function remove(id: string, flags: ConnectionFlags, settleSeconds?: number): Promise<string> {
  return withConnection(flags, `removing ${id}`, async (connection) => {
    const found = examination(id, connection);
    const unfinished = settleSeconds === undefined ? [] : await settle(found, settleSeconds);
    const removed = await removeAll(found);
    if (unfinished.length === 0) return removed;
    throw new CommandError(
      `${counted(unfinished.length, 'job')} had no outcome, and may write again, such as ${unfinished[0]}`,
    );
  });
}

async function checkKnown(live: Live): Promise<string> {
  const startMs = performance.now();
  const [{ stats }] = await solved(live, [knownPuzzles('known.txt')]);
  return `${sameText(stats?.puzzles.total)}, after ${secondsSince(startMs)}`;
}

/** Uploads with every option under odd keys; the manifest names the options of its job, defaults included. */
async function checkOptions(live: Live): Promise<string> {
  const files = optionFiles('odd/');
  const found = await solved(live, files);
  for (const [k, { manifest }] of found.entries()) {
    const used = manifest?.options ?? {};
    const ignored = Object.entries(files[k]!.options).find(([name, value]) => String(used[name]) !== value);
    if (ignored === undefined) continue;
    throw new CommandError(`the stack used ${ignored[0]} ${used[ignored[0]]}, expected ${ignored[1]}`);
  }
  const names = files.map(({ option }) => option).join(', ');
  return `${files.length} of ${files.length} had their effect, under odd keys (${names})`;
}

/** Sends the message of a finished upload again. Its done marker is deleted before, as the delivery restores it at its end. */
async function checkDuplicate(live: Live): Promise<string> {
  const { connection } = live;
  const { store, inputBucket, resultsBucket } = connection;
  const [{ key, versionId = '' }] = await solved(live, [knownPuzzles('twice.txt')]);
  const outcome = await findOutcome(connection, { key, versionId }, systemHashing);
  const { jobId = '' } = outcome?.kind === 'completed' ? outcome.manifest : {};
  const keys = jobKeys(key, versionId, jobId, systemHashing);
  const before = await store.head(resultsBucket, keys.manifest);
  await store.delete(resultsBucket, keys.done);
  const version = await storedVersion(connection, { key, versionId });
  const queue = await connection.queue();
  const refused = await connection.retries.request(() => queue.send([messageFor(version!, inputBucket)]));
  if (refused.length > 0) throw new CommandError('the queue did not accept a message');
  const handled = await polled(connection, () => store.head(resultsBucket, keys.done), {
    maxSeconds: liveSettings.solveSeconds,
  });
  if (handled === undefined) throw new CommandError('the second message was not handled in time');
  const after = await store.head(resultsBucket, keys.manifest);
  if (before?.etag !== after?.etag) throw new CommandError('the second delivery replaced the result');
  const attempts = new Set<string>();
  for await (const each of store.list(resultsBucket, keys.folder)) {
    const [attempt, file] = each.slice(keys.folder.length).split('/');
    if (file !== undefined) attempts.add(attempt!);
  }
  if (attempts.size === 1) return 'the second delivery kept the result of the first';
  throw new CommandError(`the files of ${attempts.size} attempts are stored, expected 1`);
}

async function checkRun(live: Live): Promise<string> {
  const { connection, id, runId } = live;
  const files = ['run/a.txt', 'run/b.txt'].map(knownPuzzles);
  await uploaded(live, files, SCHEDULED_PREFIX, { wait: false });
  const startMs = performance.now();
  const executions = await bulkRuns(connection);
  const prefix = `${SCHEDULED_PREFIX}${id}/run/`;
  await connection.retries.request(() => startRun(executions, { runId, prefix, graceMinutes: 0 }));
  const running = { runId, execution: runId };
  const report = await awaitedReport(connection, executions, running, liveSettings.runSeconds);
  if (report === undefined) throw new CommandError(`no report after ${secondsSince(startMs)}`);
  const { planned, solved: done } = report.versions;
  const text = `planned ${planned} and solved ${done} of ${files.length} uploads after ${secondsSince(startMs)}`;
  if (planned === files.length && done === files.length) return text;
  throw new CommandError(text);
}

/** A file that takes several functions. */
async function checkLarge(live: Live): Promise<string> {
  const startMs = performance.now();
  const file = largeFile('large.txt.gz', liveSettings.largePuzzles);
  const [{ stats }] = await solved(live, [file], liveSettings.largeSeconds);
  const shards = stats?.used?.shards ?? 1;
  if (shards === 1) throw new CommandError('it was not split');
  return `${sameText(stats?.puzzles.total)}, in ${counted(shards, 'shard')}, after ${secondsSince(startMs)}`;
}

function sameText(puzzles = 0): string {
  return `${numberText(puzzles)} puzzles with the result of this machine`;
}

function secondsSince(startMs: number): string {
  return secondsText((performance.now() - startMs) / 1000);
}

/** Uploads files, and waits for their results. @returns them @throws CommandError if one is not that of this machine */
async function solved(
  live: Live,
  files: readonly LiveFile[],
  maxSeconds = liveSettings.solveSeconds,
): Promise<readonly [UploadedFile, ...UploadedFile[]]> {
  const found = await uploaded(live, files, INBOX_PREFIX, { wait: true, maxSeconds });
  for (const [k, file] of files.entries()) {
    const { trouble, rejected, fetched } = found[k]!;
    if (trouble !== undefined && rejected !== true) throw new CommandError(`${file.name}: ${trouble}`);
    const here = join(live.folder, 'here', file.name.replaceAll(/\W/g, '_').slice(0, 99));
    await solveHere(file, found[k]!, here);
    const difference = await differenceOf(fetched!.folder, here);
    if (difference !== undefined) throw new CommandError(`${file.name}: ${difference}`);
  }
  return found as [UploadedFile, ...UploadedFile[]];
}

/** Uploads files as `upload` does. */
function uploaded(
  { connection, id, folder }: Live,
  files: readonly LiveFile[],
  prefix: string,
  request: { readonly wait: boolean; readonly maxSeconds?: number },
): Promise<UploadedFile[]> {
  const sources = files.map(({ name, bytes, options: texts }) => {
    const key = `${prefix}${id}/${name}`;
    return { path: name, key, bytes: bytes.length, texts, isStream: true, open: () => bytes };
  });
  const folders = new Map(
    sources.map(({ key }, k) => [key, join(folder, 'stack', files[k]!.name.slice(0, 3) + k)]),
  );
  const work = new Work('file');
  return uploadFiles(connection, sources, { ...request, texts: {}, folders, prints: false }, work);
}

/** Solves a file as `solve -o` does, with the options that the stack used: it may have defaults of its own. */
async function solveHere({ name, bytes, options }: LiveFile, { manifest }: UploadedFile, folder: string) {
  const used = manifest ? optionsFromCanonical(JSON.stringify(manifest.options)) : readSolveOptions(options);
  const open = () => Readable.from([bytes]);
  const file = { path: name, name, bytes: bytes.length, open, openReusingBuffers: open };
  await solveFile(file, folder, used, readLimits({}));
}

/** How a result set differs from that of this machine: other files than these have times or keys. */
async function differenceOf(stack: string, here: string): Promise<string | undefined> {
  const [names, own] = [(await readdir(stack)).sort(), (await readdir(here)).sort()];
  if (names.join() !== own.join()) return `it has the files ${names.join(', ')}, here ${own.join(', ')}`;
  for (const name of names.filter((each) => /^(solutions|exceptions)\./.test(each))) {
    const [there, same] = [await readFile(join(stack, name)), await readFile(join(here, name))];
    if (!there.equals(same)) return `${name} differs from the result of this machine`;
  }
  return undefined;
}
