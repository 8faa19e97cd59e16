/** What each check of `doctor --live` found: facts in, a finding out, without requests. */
import { counted, numberText } from '../../batch/quantities.ts';
import { commandText } from '../remote/command-text.ts';
import { secondsText } from '../terminal/quantity-text.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const DEPLOY = 'deploy this version of the program (npx cdk deploy), then run doctor --live again';
const REPORT = 'this is a defect of dlx-batch: report it';

const seeLog = () => `see the log of the function solve-batch, and ${commandText('status --watch')}`;

/** @param seconds until the stack began the first upload; undefined if it did not in `maxSeconds` */
export function eventFinding(seconds: number | undefined, maxSeconds: number): Finding {
  if (seconds !== undefined) return ok('event', `the first upload began after ${secondsText(seconds)}`);
  return warn(
    'event',
    `none arrived in ${secondsText(maxSeconds)}, so the uploads were sent to the queue`,
    `a new bucket needs up to 15 minutes: try again later; if it stays so, see ${commandText('doctor')}`,
  );
}

/** A solved file. */
export interface SolvedFacts {
  readonly puzzles: number;
  readonly shards: number;
  /** How the result differs from that of this machine. */
  readonly difference: string | undefined;
  /** From the upload to the result. */
  readonly seconds: number;
}

export function knownFinding({ puzzles, difference, seconds }: SolvedFacts): Finding {
  if (difference !== undefined) return fail('known puzzles', difference, DEPLOY);
  return ok(
    'known puzzles',
    `${numberText(puzzles)} with the result of this machine, after ${secondsText(seconds)}`,
  );
}

/** @param options those that were uploaded @param problems what happened to some of them */
export function optionsFinding(options: readonly string[], problems: readonly string[]): Finding {
  if (problems.length > 0) return fail('options', problems.join('; '), seeLog());
  const { length } = options;
  return ok('options', `${length} of ${length} had their effect, under odd keys (${options.join(', ')})`);
}

export function largeFinding({ puzzles, shards, difference, seconds }: SolvedFacts): Finding {
  const what = 'large file';
  if (difference !== undefined)
    return fail(what, difference, 'see the execution of SolveLarge in Step Functions');
  const found = `${numberText(puzzles)} puzzles in ${counted(shards, 'shard')} with the result of this machine`;
  if (shards > 1) return ok(what, `${found}, after ${secondsText(seconds)}`);
  return fail(
    what,
    `${found}: it was not split`,
    `${DEPLOY}; dlx:memoryMb must not be far below dlx:shardMemoryMb`,
  );
}

export interface DuplicateFacts {
  /** Whether the second delivery was handled in time. */
  readonly handled: boolean;
  readonly sameManifest: boolean;
  /** Attempts with files. */
  readonly attempts: number;
}

export function duplicateFinding({ handled, sameManifest, attempts }: DuplicateFacts): Finding {
  const what = 'duplicate';
  if (!handled) return fail(what, 'the second message was not handled in time', seeLog());
  if (!sameManifest) return fail(what, 'the second delivery replaced the result', REPORT);
  if (attempts !== 1) return fail(what, `the files of ${attempts} attempts are stored, expected 1`, REPORT);
  return ok(what, 'the second delivery kept the result of the first');
}

export interface RunFacts {
  /** Undefined if the run failed, or has no report in time. */
  readonly report: { readonly planned: number; readonly solved: number } | undefined;
  readonly uploads: number;
  readonly seconds: number;
}

export function runFinding({ report, uploads, seconds }: RunFacts): Finding {
  const advice = `see the execution of BulkRun in Step Functions, and ${commandText('run --list')}`;
  if (report === undefined) return fail('bulk run', `no report after ${secondsText(seconds)}`, advice);
  const { planned, solved } = report;
  const text = `planned ${planned} and solved ${solved} of ${uploads} uploads after ${secondsText(seconds)}`;
  return planned === uploads && solved === uploads ? ok('bulk run', text) : fail('bulk run', text, advice);
}

const MAX_NAMES = 3;

/**
 * @param removed objects and versions
 * @param unfinished uploads whose jobs may still write
 * @param command that repeats the removal
 */
export function removalFinding(removed: number, unfinished: readonly string[], command: string): Finding {
  if (unfinished.length === 0) return ok('removal', `${removed} objects and versions, nothing is left`);
  const more = unfinished.length > MAX_NAMES ? ' and others' : '';
  const names = unfinished.slice(0, MAX_NAMES).join(', ') + more;
  const text = `${counted(unfinished.length, 'job')} had no outcome, and may write again: ${names}`;
  return fail('removal', text, `when they have ended, such as tomorrow: ${command}`);
}
