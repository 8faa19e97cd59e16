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

const CASES: readonly (readonly [Finding, Finding['status'], text: RegExp])[] = [
  [verdicts.eventFinding(2.1, 60), 'ok', /^the first upload began after 2\.1 s$/],
  [
    verdicts.eventFinding(undefined, 60),
    'warn',
    /^none arrived in 60 s.*; a new bucket needs up to 15 minutes/,
  ],

  [verdicts.knownFinding(KNOWN), 'ok', /^100 with the result of this machine, after 3\.2 s$/],
  [
    verdicts.knownFinding({ ...KNOWN, difference: OTHER }),
    'FAIL',
    /^solutions\.txt differs .*; deploy this version/,
  ],

  [
    verdicts.pictureFinding({ code: 'not_text', difference: undefined }),
    'ok',
    /^rejected with not_text, as here$/,
  ],
  [
    verdicts.pictureFinding({ code: undefined, difference: 'x' }),
    'FAIL',
    /^the stack solved a picture; .*defect/,
  ],
  [
    verdicts.pictureFinding({ code: 'x', difference: 'the stack rejects it with x' }),
    'FAIL',
    /^the stack rejects it with x; /,
  ],

  [verdicts.keysFinding([UPLOAD, UPLOAD]), 'ok', /^2 of 2 came back$/],
  [
    verdicts.keysFinding([UPLOAD, { ...UPLOAD, returnedKey: 'inbox/a+b.txt' }]),
    'FAIL',
    /^1 of 2 came back \(inbox\/a b\.txt as inbox\/a\+b\.txt\); see the log/,
  ],
  [
    verdicts.keysFinding([{ ...UPLOAD, returnedKey: undefined }]),
    'FAIL',
    /^0 of 1 came back \(inbox\/a b\.txt as nothing\)/,
  ],

  [verdicts.optionsFinding([UPLOAD]), 'ok', /^1 of 1 had their effect \(engine\)$/],
  [
    verdicts.optionsFinding([UPLOAD, { ...UPLOAD, option: 'box', difference: OTHER }]),
    'FAIL',
    /^box: solutions\.txt differs .*; deploy this version/,
  ],

  [verdicts.racesFinding([RACE, RACE]), 'ok', /^one of 8 writers won each of 2 races$/],
  [
    verdicts.racesFinding([RACE, { ...RACE, winners: 2 }]),
    'FAIL',
    /^2 of 8 writers won a race; the storage does not keep/,
  ],
  [verdicts.racesFinding([{ ...RACE, winners: 0 }]), 'FAIL', /^0 of 8 writers won a race/],
  [
    verdicts.racesFinding([{ ...RACE, isWinners: false }]),
    'FAIL',
    /^the stored object is not that of the writer that won/,
  ],

  [verdicts.linkFinding(LINK), 'ok', /^fetched without credentials; without its signature, refused \(403\)$/],
  [verdicts.linkFinding({ ...LINK, status: 403 }), 'FAIL', /^fetching it gave 403; check the clock/],
  [verdicts.linkFinding({ ...LINK, sameBytes: false }), 'FAIL', /^it gave other bytes/],
  [
    verdicts.linkFinding({ ...LINK, unsignedStatus: 200 }),
    'FAIL',
    /gave 200, expected 403; block public access/,
  ],

  [verdicts.duplicateFinding(DUPLICATE), 'ok', /^the second delivery kept the result of the first$/],
  [verdicts.duplicateFinding({ ...DUPLICATE, handled: false }), 'FAIL', /not handled in time; see the log/],
  [
    verdicts.duplicateFinding({ ...DUPLICATE, sameManifest: false }),
    'FAIL',
    /^the second delivery replaced the result/,
  ],
  [
    verdicts.duplicateFinding({ ...DUPLICATE, attempts: 2 }),
    'FAIL',
    /^the files of 2 attempts are stored, expected 1/,
  ],

  [verdicts.retryFinding(RETRY), 'ok', /^repeated after 9\.4 s, and then done$/],
  [verdicts.retryFinding({ ...RETRY, failed: false }), 'FAIL', /did not stop the attempt/],
  [
    verdicts.retryFinding({ ...RETRY, seconds: undefined }),
    'FAIL',
    /^it was not repeated in time; see the log/,
  ],
  [verdicts.retryFinding({ ...RETRY, difference: OTHER }), 'FAIL', /^solutions\.txt differs/],

  [
    verdicts.runFinding({ report: { planned: 2, solved: 2 }, uploads: 2, seconds: 20 }),
    'ok',
    /^solved 2 of 2 uploads of its prefix after 20 s$/,
  ],
  [
    verdicts.runFinding({ report: undefined, uploads: 2, seconds: 300 }),
    'FAIL',
    /^no report after 5 min; see the execution/,
  ],
  [
    verdicts.runFinding({ report: { planned: 3, solved: 2 }, uploads: 2, seconds: 20 }),
    'FAIL',
    /^planned 3 and solved 2 of 2 uploads; /,
  ],
  [
    verdicts.runFinding({ report: { planned: 2, solved: 1 }, uploads: 2, seconds: 20 }),
    'FAIL',
    /^planned 2 and solved 1/,
  ],

  [
    verdicts.largeFinding(LARGE),
    'ok',
    /^120,000 puzzles in 3 shards with the result of this machine, after 61 s; S3 copied 2 of 4 parts, the others were sent$/,
  ],
  [
    verdicts.largeFinding({ ...LARGE, difference: OTHER }),
    'FAIL',
    /^solutions\.txt differs .*; see the execution/,
  ],
  [
    verdicts.largeFinding({ ...LARGE, shards: 1 }),
    'FAIL',
    /^it was not split into several shards; deploy this version/,
  ],
  [
    verdicts.largeFinding({ ...LARGE, copiedParts: 0 }),
    'warn',
    /but S3 did not join parts that it copied with parts that were sent; its shards were smaller/,
  ],
  [verdicts.largeFinding({ ...LARGE, storedParts: 2 }), 'warn', /but S3 did not join/],

  [removalFinding(REMOVAL), 'ok', /^240 objects and versions, nothing is left$/],
  [
    removalFinding({ ...REMOVAL, left: ['removing s3://b/inbox/: access denied'] }),
    'FAIL',
    /^objects with smoke-1 in their keys are left \(removing .*denied\); to remove them: dlx-batch smoke --remove smoke-1$/,
  ],
  [
    removalFinding({ ...REMOVAL, unfinished: ['inbox/smoke-1/known.txt'] }),
    'FAIL',
    /^1 job had no outcome, and may write again: inbox\/smoke-1\/known\.txt; .*: dlx-batch smoke --remove smoke-1$/,
  ],
];

describe('a check', () => {
  test.each(CASES)('gives %o', ({ status, text, todo }, expected, pattern) => {
    expect(status).toBe(expected);
    expect(todo === undefined ? text : `${text}; ${todo}`).toMatch(pattern);
    // Only a line without a problem has nothing to do.
    expect(todo === undefined).toBe(status === 'ok');
  });
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
