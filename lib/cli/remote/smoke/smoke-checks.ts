/** The checks of `smoke`: each makes requests to the stack, and gives facts to `verdicts.ts`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { presignedLink } from '../../../aws/presigned-link.ts';
import type { Manifest, ManifestFile } from '../../../batch/delivery/manifest.ts';
import { jobKeys } from '../../../batch/delivery/result-keys.ts';
import { ChecksumError, fetchFile, type VersionOutcome } from '../../../batch/delivery/result-set.ts';
import { joinParts } from '../../../batch/fan-out/merge/join-parts.ts';
import { inParallel } from '../../../batch/in-parallel.ts';
import { collectBytes } from '../../../batch/job/input.ts';
import { INBOX_PREFIX, RESULTS_PREFIX, SCHEDULED_PREFIX } from '../../../batch/names.ts';
import type { PutCondition, PutOutcome } from '../../../batch/ports.ts';
import { JSON_TYPE } from '../../../batch/results/content-types.ts';
import type { JobStats } from '../../../batch/results/statistics.ts';
import { readJson } from '../../../batch/storage/read-json.ts';
import { systemHashing } from '../../../node/system.ts';
import { CommandError } from '../../exit.ts';
import type { Finding } from '../../terminal/finding.ts';
import { hasBaseName } from '../download/result-file-names.ts';
import { readRun } from '../runs/run-records.ts';
import {
  knownPuzzles,
  largeFile,
  optionFiles,
  picture,
  rateFile,
  type SmokeFile,
  speedFile,
} from './smoke-files.ts';
import { raceKey, runIdOf } from './smoke-objects.ts';
import { smokeSettings } from './smoke-settings.ts';
import type { Received, Sent, SmokeStack } from './smoke-stack.ts';
import { difference, memoryWriter, type SolvedHere, solveLike, untimedFiles } from './solve-here.ts';
import {
  duplicateFinding,
  eventFinding,
  keysFinding,
  knownFinding,
  largeFinding,
  linkFinding,
  optionsFinding,
  pictureFinding,
  type RaceFacts,
  racesFinding,
  retryFinding,
  runFinding,
  type UploadFacts,
} from './verdicts.ts';

/** Waits for the first upload to begin; without an event, sends it to the queue, and every later one. */
export async function checkEvent(
  stack: SmokeStack,
  sent: Sent,
): Promise<{ readonly finding: Finding; readonly seconds: number | undefined }> {
  const { eventSeconds } = smokeSettings;
  const begun = await stack.until(eventSeconds, async () => (await stack.status(sent)) && performance.now());
  if (begun === undefined) {
    stack.sendsMessages = true;
    await stack.send(sent);
  }
  const seconds = begun === undefined ? undefined : (begun - sent.sentMs) / 1000;
  return { finding: eventFinding(seconds, eventSeconds), seconds };
}

/** A solved upload, for the checks that need one. */
export interface Solved extends Received {
  readonly sent: Sent;
  readonly here: SolvedHere;
}

const KNOWN_FILE: SmokeFile = knownPuzzles('known.txt');

export function uploadKnown(stack: SmokeStack): Promise<Sent> {
  return stack.upload(KNOWN_FILE);
}

export async function solveKnown(stack: SmokeStack, sent: Sent): Promise<Solved> {
  const received = await stack.outcome(sent);
  return { ...received, sent, here: await solveLike(KNOWN_FILE, received.outcome) };
}

export async function checkKnown(stack: SmokeStack, { here, outcome, seconds }: Solved): Promise<Finding> {
  const puzzles = here.kind === 'completed' ? here.stats.puzzles.total : 0;
  const found = difference(here, outcome) ?? (await damage(stack, manifestOf(outcome)));
  return knownFinding({ puzzles, difference: found, seconds });
}

/** Fetches the files, and compares the stored bytes with the manifest. @returns how they differ, as a sentence */
async function damage({ connection }: SmokeStack, { files }: Manifest): Promise<string | undefined> {
  const { store, resultsBucket, retries } = connection;
  const nowhere = () => memoryWriter(() => {});
  try {
    for (const file of untimedFiles(files)) {
      await retries.operation(() => fetchFile(store, resultsBucket, file, nowhere(), systemHashing));
    }
    return undefined;
  } catch (error) {
    if (error instanceof ChecksumError) return error.message;
    throw error;
  }
}

function manifestOf(outcome: VersionOutcome): Manifest {
  if (outcome.kind === 'completed') return outcome.manifest;
  throw new CommandError(`the stack rejected ${outcome.reject.input.key}: ${outcome.reject.error.message}`);
}

function solutionsOf({ files }: Manifest): ManifestFile {
  return files.find((file) => hasBaseName(file, 'solutions'))!;
}

/** The statistics of a job. */
export async function statsOf({ connection }: SmokeStack, outcome: VersionOutcome): Promise<JobStats> {
  const { store, resultsBucket } = connection;
  const { key } = manifestOf(outcome).files.find((file) => hasBaseName(file, 'stats'))!;
  return (await readJson<JobStats>(store, resultsBucket, key!))!.document;
}

/**
 * Sends the message of a finished upload again. Its done marker is deleted before, as the delivery restores it, and the
 * time of its status changes last: so the delivery is known to be handled.
 */
export async function checkDuplicate(stack: SmokeStack, { sent, outcome }: Solved): Promise<Finding> {
  const { store, resultsBucket } = stack.connection;
  const { key, versionId } = sent;
  const { jobId = '' } = manifestOf(outcome);
  const keys = jobKeys(key, versionId, jobId, systemHashing);
  const final = await stack.until(smokeSettings.outcomeSeconds, async () => {
    const status = await stack.status(sent);
    return status?.state === 'done' ? status : undefined;
  });
  const before = await store.head(resultsBucket, keys.manifest);
  await store.delete(resultsBucket, keys.done);
  await stack.send(sent);
  const handled = await stack.until(smokeSettings.outcomeSeconds, async () => {
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

export async function checkPicture(stack: SmokeStack): Promise<Finding> {
  const file = picture('picture.png');
  const { outcome } = await stack.outcome(await stack.upload(file));
  return pictureFinding({
    code: outcome.kind === 'rejected' ? outcome.reject.error.code : undefined,
    difference: difference(await solveLike(file, outcome), outcome),
  });
}

/** Odd keys and options, with the same uploads. */
export async function checkOptions(stack: SmokeStack): Promise<Finding[]> {
  const files = optionFiles('odd/');
  const uploads = await inParallel(files, files.length, async ({ option, ...file }): Promise<UploadFacts> => {
    const sent = await stack.upload(file);
    const { key } = sent;
    try {
      const { outcome } = await stack.outcome(sent);
      const { input } = outcome.kind === 'completed' ? outcome.manifest : outcome.reject;
      const returnedKey = 'key' in input ? input.key : undefined;
      return {
        key,
        option,
        returnedKey,
        difference: optionDifference(file, await solveLike(file, outcome), outcome),
      };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return { key, option, returnedKey: undefined, difference: error.message };
    }
  });
  return [keysFinding(uploads), optionsFinding(uploads)];
}

/** The manifest names the options of its job, defaults included. */
function optionDifference(file: SmokeFile, here: SolvedHere, outcome: VersionOutcome): string | undefined {
  const found = difference(here, outcome);
  if (found !== undefined || outcome.kind === 'rejected') return found;
  const ignored = Object.entries(file.options).find(
    ([name, value]) => String(outcome.manifest.options[name]) !== value,
  );
  return (
    ignored && `the stack used ${ignored[0]} ${outcome.manifest.options[ignored[0]]}, expected ${ignored[1]}`
  );
}

/** Bytes before and after each boundary of two pieces that are compared. */
const BOUNDARY_BYTES = 256;

export async function checkLarge(stack: SmokeStack): Promise<Finding> {
  const { outcome: slow } = await stack.outcome(await stack.upload(speedFile('speed.txt')));
  const { timing, search } = await statsOf(stack, slow);
  const nodeNs = (timing.solveMs * 1e6) / search.nodes;
  const file = largeFile('large.txt.gz', smokeSettings.large, nodeNs);
  const sent = await stack.upload(file);
  const { outcome, seconds } = await stack.outcome(sent, smokeSettings.largeSeconds);
  const here = await solveLike(file, outcome);
  const manifest = manifestOf(outcome);
  const stats = await statsOf(stack, outcome);
  const solutions = solutionsOf(manifest);
  const stored = await stack.connection.store.head(stack.connection.resultsBucket, solutions.key!);
  const pieces = (solutions.parts ?? []).map(({ bytes }) => ({ key: '', bytes }));
  return largeFinding({
    puzzles: stats.puzzles.total,
    shards: stats.used?.shards ?? 1,
    copiedParts: joinParts(pieces).filter(({ kind }) => kind === 'copy').length,
    storedParts: Number(/-(\d+)"?$/.exec(stored?.etag ?? '')?.[1] ?? 1),
    difference: difference(here, outcome) ?? (await boundaryDifference(stack, solutions, here)),
    seconds,
  });
}

/** Compares the stored bytes around each boundary with those of this machine: the manifest has only those of the pieces. */
async function boundaryDifference(
  { connection }: SmokeStack,
  { name, key, bytes, parts = [] }: ManifestFile,
  here: SolvedHere,
): Promise<string | undefined> {
  const { store, resultsBucket } = connection;
  const expected = here.kind === 'completed' ? here.files.get(name)! : new Uint8Array(0);
  let boundary = 0;
  for (const part of parts) {
    boundary += part.bytes;
    const from = Math.max(0, boundary - BOUNDARY_BYTES);
    const to = Math.min(bytes, boundary + BOUNDARY_BYTES);
    const range = await store.range(resultsBucket, key!, undefined, from, to);
    const found = range === undefined ? new Uint8Array(0) : await collectBytes(range.body);
    if (Buffer.compare(found, expected.subarray(from, to)) !== 0) {
      return `the stored ${name} differs near byte ${boundary} from the result of this machine`;
    }
  }
  return undefined;
}

const RACES = 4;
const WRITERS = 8;

/** Writers that write the same object at once, on the condition that it is absent, or that it is what they read. */
export async function checkRaces(stack: SmokeStack): Promise<Finding> {
  const races: RaceFacts[] = [];
  for (let race = 0; race < RACES; race++) {
    races.push(await raceOnce(stack, race, { ifAbsent: true }));
    const { store, resultsBucket } = stack.connection;
    const info = await store.head(resultsBucket, raceKey(stack.id, race));
    races.push(await raceOnce(stack, race, { ifMatch: info?.etag ?? '' }));
  }
  return racesFinding(races);
}

async function raceOnce(
  { connection, id }: SmokeStack,
  race: number,
  condition: PutCondition,
): Promise<RaceFacts> {
  const { store, resultsBucket } = connection;
  const key = raceKey(id, race);
  const bodyOf = (writer: number) =>
    new TextEncoder().encode(`${JSON.stringify({ ...condition, writer })}\n`);
  const writers = Array.from({ length: WRITERS }, (_, writer) => writer);
  const outcomes = await inParallel(writers, WRITERS, (writer): Promise<PutOutcome> => {
    return store.putIf(resultsBucket, key, bodyOf(writer), JSON_TYPE, condition);
  });
  const winners = outcomes.flatMap(({ written }, writer) => (written ? [writer] : []));
  const stored = await store.get(resultsBucket, key);
  const bytes = stored === undefined ? new Uint8Array(0) : await collectBytes(stored.body);
  const isWinners = winners.length === 1 && Buffer.compare(bytes, bodyOf(winners[0]!)) === 0;
  return { writers: WRITERS, winners: winners.length, isWinners };
}

const RUN_FOLDER = 'run/';
const RUN_FILES = ['a.txt', 'b.txt'];

export async function checkRun(stack: SmokeStack): Promise<Finding> {
  const { connection, runs, id } = stack;
  for (const name of RUN_FILES) await stack.schedule({ ...KNOWN_FILE, name: `${RUN_FOLDER}${name}` });
  const runId = runIdOf(id);
  const startMs = performance.now();
  const prefix = `${SCHEDULED_PREFIX}${id}/${RUN_FOLDER}`;
  await stack.startRun({ runId, prefix, graceMinutes: 0 });
  const ended = await stack.until(smokeSettings.runSeconds, async () => {
    const record = await readRun(connection, runId);
    // The status is written after the report.
    if (record.report !== undefined && record.status?.state === 'done') return record;
    return (await runs.describe(runId))?.status === 'failed' ? { report: undefined } : undefined;
  });
  const seconds = (performance.now() - startMs) / 1000;
  return runFinding({ report: ended?.report?.versions, uploads: RUN_FILES.length, seconds });
}

const LINK_SECONDS = 300;

export async function checkLink({ connection }: SmokeStack, { outcome, here }: Solved): Promise<Finding> {
  const { s3, resultsBucket, retries } = connection;
  const { name, key } = solutionsOf(manifestOf(outcome));
  const { url } = await presignedLink(s3, resultsBucket, key!, LINK_SECONDS);
  const { signal } = retries;
  const expected = here.kind === 'completed' ? here.files.get(name) : undefined;
  const signed = await fetched(url, signal);
  const unsigned = await fetched(url.replace(/\?.*/, ''), signal);
  return linkFinding({
    status: signed.status,
    sameBytes: expected !== undefined && Buffer.compare(signed.bytes, expected) === 0,
    unsignedStatus: unsigned.status,
  });
}

/** Fetches an address without the SDK. @throws CommandError if there is no answer */
async function fetched(url: string, signal: AbortSignal): Promise<{ status: number; bytes: Uint8Array }> {
  try {
    const answer = await fetch(url, { signal });
    return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
  } catch (error) {
    signal.throwIfAborted();
    const { message, cause } = error as Error;
    throw new CommandError(
      `no answer from ${new URL(url).host}: ${cause instanceof Error ? cause.message : message}`,
    );
  }
}

const RETRY_FILE: SmokeFile = { ...KNOWN_FILE, name: 'retry/known.txt' };

/** Key of the object that makes an attempt fail after its commit: `latest.json` of the upload, which is not JSON. */
export function damagedKey(id: string): string {
  return `${RESULTS_PREFIX}${SCHEDULED_PREFIX}${id}/${RETRY_FILE.name}/latest.json`;
}

/**
 * Makes an attempt fail: it commits, then cannot read `latest.json`, and its message returns to the queue. After
 * `latest.json` is deleted, the retry does the rest.
 */
export async function checkRetry(stack: SmokeStack): Promise<Finding> {
  const { store, resultsBucket } = stack.connection;
  const damaged = damagedKey(stack.id);
  const sent = await stack.schedule(RETRY_FILE);
  const { done } = jobKeys(sent.key, sent.versionId, '', systemHashing);
  const isDone = async () => (await store.head(resultsBucket, done)) !== undefined;
  await store.put(
    resultsBucket,
    damaged,
    new TextEncoder().encode('damaged by dlx-batch smoke\n'),
    JSON_TYPE,
  );
  await stack.send(sent);
  const committed = await stack.until(smokeSettings.outcomeSeconds, async () => {
    for await (const key of store.list(resultsBucket, `${RESULTS_PREFIX}${sent.key}/`)) {
      if (key.endsWith('/manifest.json')) return key;
    }
    return undefined;
  });
  if (committed === undefined) throw new CommandError(`${sent.key} has no result`);
  await sleep(smokeSettings.failureSeconds * 1000, undefined, { signal: stack.connection.retries.signal });
  const failed = !(await isDone());
  await store.delete(resultsBucket, damaged);
  const startMs = performance.now();
  const finished = await stack.until(smokeSettings.retrySeconds, async () => {
    return (await isDone()) && (await stack.status(sent))?.state === 'done' ? performance.now() : undefined;
  });
  if (finished === undefined) return retryFinding({ failed, seconds: undefined, difference: undefined });
  const { outcome } = await stack.outcome(sent);
  const seconds = smokeSettings.failureSeconds + (finished - startMs) / 1000;
  return retryFinding({
    failed,
    seconds,
    difference: difference(await solveLike(RETRY_FILE, outcome), outcome),
  });
}

/** A solved upload that is large enough to measure. */
export interface SolvedRate {
  readonly file: SmokeFile;
  readonly sent: Sent;
  readonly outcome: VersionOutcome;
}

export async function solveRateFile(stack: SmokeStack): Promise<SolvedRate> {
  const file = rateFile('rate.txt.gz', smokeSettings.rateRepeats);
  const sent = await stack.upload(file);
  return { file, sent, outcome: (await stack.outcome(sent)).outcome };
}

/**
 * Waits for all jobs and the bulk run, which would otherwise write after the removal.
 *
 * @returns what has not finished
 */
export async function settle(stack: SmokeStack): Promise<string[]> {
  const { connection, id, messaged, startedRun } = stack;
  const { store, inputBucket, resultsBucket } = connection;
  // An interrupted check may have left it, and then no retry would finish.
  await store.delete(resultsBucket, damagedKey(id));
  const unfinished = new Map(messaged.map((each) => [each.versionId, each.key]));
  // Listed, as an upload may be stored whose answer was lost.
  for await (const { key, versionId } of store.listVersions(inputBucket, `${INBOX_PREFIX}${id}/`)) {
    unfinished.set(versionId, key);
  }
  let isRunning = startedRun;
  await stack.until(smokeSettings.settleSeconds, async () => {
    for (const [versionId, key] of unfinished) {
      const state = (await stack.status({ key, versionId }))?.state;
      if (state === 'done' || state === 'rejected') unfinished.delete(versionId);
    }
    if (isRunning) isRunning = (await readRun(connection, runIdOf(id))).status?.state !== 'done';
    return unfinished.size === 0 && !isRunning ? true : undefined;
  });
  return [...unfinished.values(), ...(isRunning ? [`bulk run ${runIdOf(id)}`] : [])];
}
