/** Every line of smoke, once for a stack that works, and once for each way in which it may not. */
import { describe, expect, test } from 'vitest';
import { type Measurements, measurementFindings } from '../../../../lib/cli/remote/smoke/measurements.ts';
import { removalFinding } from '../../../../lib/cli/remote/smoke/smoke-objects.ts';
import * as verdicts from '../../../../lib/cli/remote/smoke/verdicts.ts';
import type { Finding } from '../../../../lib/cli/terminal/finding.ts';

const OTHER = 'solutions.txt differs from the result of this machine';

const KNOWN = { puzzles: 100, difference: undefined, seconds: 3.2 };
const DUPLICATE = { handled: true, sameManifest: true, attempts: 1 };
const UPLOAD = {
  key: 'inbox/a b.txt',
  returnedKey: 'inbox/a b.txt',
  option: 'engine',
  difference: undefined,
};
const LARGE = {
  ...{ puzzles: 120_000, shards: 3, copiedParts: 2, storedParts: 4 },
  ...{ difference: undefined, seconds: 61 },
};
const RACE = { writers: 8, winners: 1, isWinners: true };
const LINK = { status: 200, sameBytes: true, unsignedStatus: 403 };
const RETRY = { failed: true, seconds: 9.4, difference: undefined };
const REMOVAL = {
  ...{ id: 'smoke-1', removed: 240, left: [], unfinished: [] },
  command: 'dlx-batch smoke --remove smoke-1',
};

const FINDINGS: readonly Finding[] = [
  verdicts.eventFinding(2.1, 60),
  verdicts.eventFinding(undefined, 60),
  verdicts.knownFinding(KNOWN),
  verdicts.knownFinding({ ...KNOWN, difference: OTHER }),
  verdicts.pictureFinding({ code: 'not_text', difference: undefined }),
  verdicts.pictureFinding({ code: undefined, difference: 'x' }),
  verdicts.pictureFinding({ code: 'x', difference: 'the stack rejects it with x' }),
  verdicts.keysFinding([UPLOAD, UPLOAD]),
  verdicts.keysFinding([UPLOAD, { ...UPLOAD, returnedKey: 'inbox/a+b.txt' }]),
  verdicts.keysFinding([{ ...UPLOAD, returnedKey: undefined }]),
  verdicts.optionsFinding([UPLOAD]),
  verdicts.optionsFinding([UPLOAD, { ...UPLOAD, option: 'box', difference: OTHER }]),
  verdicts.racesFinding([RACE, RACE]),
  verdicts.racesFinding([RACE, { ...RACE, winners: 2 }]),
  verdicts.racesFinding([{ ...RACE, winners: 0 }]),
  verdicts.racesFinding([{ ...RACE, isWinners: false }]),
  verdicts.linkFinding(LINK),
  verdicts.linkFinding({ ...LINK, status: 403 }),
  verdicts.linkFinding({ ...LINK, sameBytes: false }),
  verdicts.linkFinding({ ...LINK, unsignedStatus: 200 }),
  verdicts.duplicateFinding(DUPLICATE),
  verdicts.duplicateFinding({ ...DUPLICATE, handled: false }),
  verdicts.duplicateFinding({ ...DUPLICATE, sameManifest: false }),
  verdicts.duplicateFinding({ ...DUPLICATE, attempts: 2 }),
  verdicts.retryFinding(RETRY),
  verdicts.retryFinding({ ...RETRY, failed: false }),
  verdicts.retryFinding({ ...RETRY, seconds: undefined }),
  verdicts.retryFinding({ ...RETRY, difference: OTHER }),
  verdicts.runFinding({ report: { planned: 2, solved: 2 }, uploads: 2, seconds: 20 }),
  verdicts.runFinding({ report: undefined, uploads: 2, seconds: 300 }),
  verdicts.runFinding({ report: { planned: 3, solved: 2 }, uploads: 2, seconds: 20 }),
  verdicts.runFinding({ report: { planned: 2, solved: 1 }, uploads: 2, seconds: 20 }),
  verdicts.largeFinding(LARGE),
  verdicts.largeFinding({ ...LARGE, difference: OTHER }),
  verdicts.largeFinding({ ...LARGE, shards: 1 }),
  verdicts.largeFinding({ ...LARGE, copiedParts: 0 }),
  verdicts.largeFinding({ ...LARGE, storedParts: 2 }),
  removalFinding(REMOVAL),
  removalFinding({ ...REMOVAL, left: ['removing s3://b/inbox/: access denied'] }),
  removalFinding({ ...REMOVAL, unfinished: ['inbox/smoke-1/known.txt'] }),
];

test('each check says what it found, and with a problem also what to do', () => {
  expect(FINDINGS.filter(({ status, todo }) => (todo === undefined) !== (status === 'ok'))).toEqual([]);
  const lines = FINDINGS.map(
    ({ status, check, text, todo }) => `${status} ${check}: ${text}${todo === undefined ? '' : `; ${todo}`}`,
  );
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "ok event: the first upload began after 2.1 s
    warn event: none arrived in 60 s, so the uploads were sent to the queue; a new bucket needs up to 15 minutes: run smoke again later; if it stays so, run dlx-batch doctor
    ok known puzzles: 100 with the result of this machine, after 3.2 s
    FAIL known puzzles: solutions.txt differs from the result of this machine; deploy this version of the program (npx cdk deploy), then run smoke again
    ok rejected picture: rejected with not_text, as here
    FAIL rejected picture: the stack solved a picture; this is a defect of dlx-batch: report it with smoke.json
    FAIL rejected picture: the stack rejects it with x; this is a defect of dlx-batch: report it with smoke.json
    ok odd keys: 2 of 2 came back
    FAIL odd keys: 1 of 2 came back (inbox/a b.txt as inbox/a+b.txt); see the log of the function solve-batch, and dlx-batch status --watch
    FAIL odd keys: 0 of 1 came back (inbox/a b.txt as nothing); see the log of the function solve-batch, and dlx-batch status --watch
    ok options: 1 of 1 had their effect (engine)
    FAIL options: box: solutions.txt differs from the result of this machine; deploy this version of the program (npx cdk deploy), then run smoke again
    ok conditional writes: one of 8 writers won each of 2 races
    FAIL conditional writes: 2 of 8 writers won a race; the storage does not keep the conditions of writes as S3 does: do not use it
    FAIL conditional writes: 0 of 8 writers won a race; the storage does not keep the conditions of writes as S3 does: do not use it
    FAIL conditional writes: the stored object is not that of the writer that won; the storage does not keep the conditions of writes as S3 does: do not use it
    ok link: fetched without credentials; without its signature, refused (403)
    FAIL link: fetching it gave 403; check the clock of this machine, and that your credentials may read results
    FAIL link: it gave other bytes than those of the result; this is a defect of dlx-batch: report it with smoke.json
    FAIL link: without its signature, the address gave 200, expected 403; block public access to the results bucket
    ok duplicate message: the second delivery kept the result of the first
    FAIL duplicate message: the second message was not handled in time; see the log of the function solve-batch, and dlx-batch status --watch
    FAIL duplicate message: the second delivery replaced the result; this is a defect of dlx-batch: report it with smoke.json
    FAIL duplicate message: the files of 2 attempts are stored, expected 1; this is a defect of dlx-batch: report it with smoke.json
    ok failed attempt: repeated after 9.4 s, and then done
    FAIL failed attempt: a damaged latest.json did not stop the attempt; this is a defect of dlx-batch: report it with smoke.json
    FAIL failed attempt: it was not repeated in time; see the log of the function solve-batch, and dlx-batch status --watch
    FAIL failed attempt: solutions.txt differs from the result of this machine; this is a defect of dlx-batch: report it with smoke.json
    ok bulk run: solved 2 of 2 uploads of its prefix after 20 s
    FAIL bulk run: no report after 5 min; see the execution of BulkRun in Step Functions, and dlx-batch runs
    FAIL bulk run: planned 3 and solved 2 of 2 uploads; see the execution of BulkRun in Step Functions, and dlx-batch runs
    FAIL bulk run: planned 2 and solved 1 of 2 uploads; see the execution of BulkRun in Step Functions, and dlx-batch runs
    ok large file: 120,000 puzzles in 3 shards with the result of this machine, after 61 s; S3 copied 2 of 4 parts, the others were sent
    FAIL large file: solutions.txt differs from the result of this machine; see the execution of SolveLarge in Step Functions
    FAIL large file: it was not split into several shards; deploy this version of the program (npx cdk deploy); dlx:memoryMb must not be far below dlx:shardMemoryMb
    warn large file: 120,000 puzzles in 3 shards with the result of this machine, after 61 s, but S3 did not join parts that it copied with parts that were sent; its shards were smaller than usual: run smoke again; if it stays so, check that no shard size is set
    warn large file: 120,000 puzzles in 3 shards with the result of this machine, after 61 s, but S3 did not join parts that it copied with parts that were sent; its shards were smaller than usual: run smoke again; if it stays so, check that no shard size is set
    ok removal: 240 objects and versions, nothing is left
    FAIL removal: objects with smoke-1 in their keys are left (removing s3://b/inbox/: access denied); to remove them: dlx-batch smoke --remove smoke-1
    FAIL removal: 1 job had no outcome, and may write again: inbox/smoke-1/known.txt; when they have ended, such as tomorrow: dlx-batch smoke --remove smoke-1"
  `);
});

const MEASURED: Measurements = {
  ...{ node: 'v24.0.0', arch: 'arm64', memoryMb: 1769, simd: true, threads: 1 },
  ...{ coldStart: true, initMs: 170, firstSeconds: 2.4, puzzles: 19_400, puzzlesPerSecond: 150_000 },
  ...{ functionSeconds: 0.9, source: 'log', estimatedSeconds: 0.7 },
};

function measured(check: string, changes: Partial<Measurements>, isLocal = false): Finding {
  return measurementFindings({ ...MEASURED, ...changes }, isLocal).find((each) => each.check === check)!;
}

describe('a measurement', () => {
  test('of a stack as it should be has no problem', () => {
    expect(
      measurementFindings(MEASURED, false).map(({ check, status, text }) => [check, status, text]),
    ).toEqual([
      ['architecture', 'ok', 'arm64, Node v24.0.0, 1,769 MiB'],
      ['SIMD', 'ok', 'WebAssembly has it'],
      ['threads', 'ok', '1 for 1,769 MiB'],
      ['cold start', 'ok', 'the first upload had one, initialised in 0.17 s, begun after 2.4 s'],
      ['rate', 'ok', '150,000 puzzles per second, of 19,400'],
      ['billed time', 'ok', '0.9 s billed, estimate 0.7 s for 19,400 puzzles'],
    ]);
  });

  test.each([
    ['architecture', { arch: 'x64' }, /^x64, .*; the stack is made for arm64/],
    ['SIMD', { simd: false }, /^WebAssembly lacks it/],
    ['threads', { memoryMb: 3538 }, /^1 for 3,538 MiB, expected 2; /],
    [
      'billed time',
      { functionSeconds: 1.5 },
      /^1\.5 s billed, estimate 0\.7 s .*; dlx-batch estimate is too low/,
    ],
    [
      'billed time',
      { source: 'statistics', noLog: 'reading the log: access denied' },
      /^0\.9 s by its statistics, estimate 0\.7 s .*; reading the log: access denied; .*logs:FilterLogEvents/,
    ],
  ] as const)('warns: %s %o', (check, changes, pattern) => {
    const { status, text, todo } = measured(check, changes);
    expect(status).toBe('warn');
    expect(`${text}; ${todo}`).toMatch(pattern);
  });

  test.each([
    ['architecture', { arch: 'x64' }],
    ['billed time', { functionSeconds: 20, source: 'statistics', noLog: 'an endpoint has no log' }],
  ] as const)('of a local stack may be anything: %s', (check, changes) => {
    expect(measured(check, changes, true).status).toBe('ok');
  });
});
