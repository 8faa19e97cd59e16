/** What each check of `smoke` found, without requests: facts in, a finding out. */
import { numberText } from '../../../batch/quantities.ts';
import { type Finding, fail, ok, warn } from '../../terminal/finding.ts';
import { secondsText } from '../../terminal/time-text.ts';
import { commandText } from '../command-text.ts';

const seeLog = () => `see the log of the function solve-batch, and ${commandText('status --watch')}`;

/** @param seconds until the stack began the first upload; undefined if it did not in `maxSeconds` */
export function eventFinding(seconds: number | undefined, maxSeconds: number): Finding {
  if (seconds !== undefined) return ok('event', `the first upload began after ${secondsText(seconds)}`);
  return warn(
    'event',
    `none arrived in ${secondsText(maxSeconds)}, so the uploads were sent to the queue`,
    `a new bucket needs up to 15 minutes: run smoke again later; if it stays so, run ${commandText('doctor')}`,
  );
}

export interface SolvedFacts {
  readonly puzzles: number;
  /** How the result differs from that of this machine. */
  readonly difference: string | undefined;
  /** From the upload to the result. */
  readonly seconds: number;
}

export function knownFinding({ puzzles, difference, seconds }: SolvedFacts): Finding {
  const what = 'known puzzles';
  if (difference === undefined) {
    return ok(what, `${numberText(puzzles)} with the result of this machine, after ${secondsText(seconds)}`);
  }
  return fail(what, difference, 'deploy this version of the program (npx cdk deploy), then run smoke again');
}

export interface DuplicateFacts {
  /** Whether the second delivery was handled in time. */
  readonly handled: boolean;
  readonly sameManifest: boolean;
  /** Attempts with files. */
  readonly attempts: number;
}

export function duplicateFinding({ handled, sameManifest, attempts }: DuplicateFacts): Finding {
  const what = 'duplicate message';
  if (!handled) return fail(what, 'the second message was not handled in time', seeLog());
  if (!sameManifest) return fail(what, 'the second delivery replaced the result', REPORT);
  if (attempts !== 1) return fail(what, `the files of ${attempts} attempts are stored, expected 1`, REPORT);
  return ok(what, 'the second delivery kept the result of the first');
}

const REPORT = 'this is a defect of dlx-batch: report it with smoke.json';

export interface RejectFacts {
  /** Code of the reject; undefined if the upload was solved. */
  readonly code: string | undefined;
  readonly difference: string | undefined;
}

export function pictureFinding({ code, difference }: RejectFacts): Finding {
  const what = 'rejected picture';
  if (code === undefined) return fail(what, 'the stack solved a picture', REPORT);
  if (difference !== undefined) return fail(what, difference, REPORT);
  return ok(what, `rejected with ${code}, as here`);
}

/** What became of an upload. */
export interface UploadFacts {
  readonly key: string;
  /** The key in the outcome; undefined if there is none. */
  readonly returnedKey: string | undefined;
  readonly option: string;
  /** Why there is no outcome, or how it differs from that of this machine. */
  readonly difference: string | undefined;
}

export function keysFinding(uploads: readonly UploadFacts[]): Finding {
  const lost = uploads.filter(({ key, returnedKey }) => returnedKey !== key);
  if (lost.length === 0) return ok('odd keys', `${uploads.length} of ${uploads.length} came back`);
  const names = lost.map(({ key, returnedKey }) => `${key} as ${returnedKey ?? 'nothing'}`).join(', ');
  return fail(
    'odd keys',
    `${uploads.length - lost.length} of ${uploads.length} came back (${names})`,
    seeLog(),
  );
}

export function optionsFinding(uploads: readonly UploadFacts[]): Finding {
  const other = uploads.filter(({ difference }) => difference !== undefined);
  if (other.length === 0) {
    return ok('options', `${uploads.length} of ${uploads.length} had their effect (${names(uploads)})`);
  }
  const reasons = other.map(({ option, difference }) => `${option}: ${difference}`).join('; ');
  return fail(
    'options',
    reasons,
    'deploy this version of the program (npx cdk deploy), then run smoke again',
  );
}

function names(uploads: readonly UploadFacts[]): string {
  return uploads.map(({ option }) => option).join(', ');
}

export interface LargeFacts {
  readonly puzzles: number;
  readonly shards: number;
  /** Parts of the solutions that S3 copied, by the sizes of the parts; the function that merges has sent the others. */
  readonly copiedParts: number;
  /** Parts of the stored object, by its ETag; 1 for an object that was written whole. */
  readonly storedParts: number;
  readonly difference: string | undefined;
  readonly seconds: number;
}

export function largeFinding(facts: LargeFacts): Finding {
  const { puzzles, shards, copiedParts, storedParts, difference, seconds } = facts;
  const what = 'large file';
  if (difference !== undefined)
    return fail(what, difference, 'see the execution of SolveLarge in Step Functions');
  if (shards < 2) {
    return fail(
      what,
      'it was not split into several shards',
      'deploy this version of the program (npx cdk deploy); dlx:memoryMb must not be far below dlx:shardMemoryMb',
    );
  }
  const found = `${numberText(puzzles)} puzzles in ${shards} shards with the result of this machine, after ${secondsText(seconds)}`;
  if (copiedParts === 0 || storedParts <= copiedParts) {
    return warn(
      what,
      `${found}, but S3 did not join parts that it copied with parts that were sent`,
      'its shards were smaller than usual: run smoke again; if it stays so, check that no shard size is set',
    );
  }
  return ok(what, `${found}; S3 copied ${copiedParts} of ${storedParts} parts, the others were sent`);
}

/** One race of conditional writes. */
export interface RaceFacts {
  readonly writers: number;
  readonly winners: number;
  /** Whether the stored bytes are those of the winner. */
  readonly isWinners: boolean;
}

export function racesFinding(races: readonly RaceFacts[]): Finding {
  const what = 'conditional writes';
  const wrong = races.find(({ winners }) => winners !== 1);
  const advice = 'the storage does not keep the conditions of writes as S3 does: do not use it';
  if (wrong !== undefined)
    return fail(what, `${wrong.winners} of ${wrong.writers} writers won a race`, advice);
  if (races.some(({ isWinners }) => !isWinners)) {
    return fail(what, 'the stored object is not that of the writer that won', advice);
  }
  return ok(what, `one of ${races[0]?.writers} writers won each of ${races.length} races`);
}

export interface RunFacts {
  /** Undefined if the run has no report in time. */
  readonly report: { readonly planned: number; readonly solved: number } | undefined;
  readonly uploads: number;
  readonly seconds: number;
}

export function runFinding({ report, uploads, seconds }: RunFacts): Finding {
  const what = 'bulk run';
  const advice = `see the execution of BulkRun in Step Functions, and ${commandText('runs')}`;
  if (report === undefined) return fail(what, `no report after ${secondsText(seconds)}`, advice);
  const { planned, solved } = report;
  if (planned !== uploads || solved !== uploads) {
    return fail(what, `planned ${planned} and solved ${solved} of ${uploads} uploads`, advice);
  }
  return ok(what, `solved ${solved} of ${uploads} uploads of its prefix after ${secondsText(seconds)}`);
}

export interface LinkFacts {
  /** Status of the answer to the link, and whether its bytes are those of the result. */
  readonly status: number;
  readonly sameBytes: boolean;
  /** Status of the answer to the same address without its signature. */
  readonly unsignedStatus: number;
}

export function linkFinding({ status, sameBytes, unsignedStatus }: LinkFacts): Finding {
  const what = 'link';
  if (status !== 200) {
    return fail(
      what,
      `fetching it gave ${status}`,
      'check the clock of this machine, and that your credentials may read results',
    );
  }
  if (!sameBytes) return fail(what, 'it gave other bytes than those of the result', REPORT);
  if (unsignedStatus !== 403) {
    return fail(
      what,
      `without its signature, the address gave ${unsignedStatus}, expected 403`,
      'block public access to the results bucket',
    );
  }
  return ok(what, 'fetched without credentials; without its signature, refused (403)');
}

export interface RetryFacts {
  /** Whether the first attempt stopped at the damaged object. */
  readonly failed: boolean;
  /** Seconds from the failure to the retry that finished the job; undefined if none did. */
  readonly seconds: number | undefined;
  readonly difference: string | undefined;
}

export function retryFinding({ failed, seconds, difference }: RetryFacts): Finding {
  const what = 'failed attempt';
  if (!failed) return fail(what, 'a damaged latest.json did not stop the attempt', REPORT);
  if (seconds === undefined) return fail(what, 'it was not repeated in time', seeLog());
  if (difference !== undefined) return fail(what, difference, REPORT);
  return ok(what, `repeated after ${secondsText(seconds)}, and then done`);
}
