/** The command smoke against the local stack: what it prints, saves, and leaves, which is nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { keyVersions } from '../../../lib/aws/object-versions.ts';
import { connect } from '../../../lib/cli/remote/connection.ts';
import { SmokeRun } from '../../../lib/cli/remote/smoke/smoke-run.ts';
import { smokeSettings } from '../../../lib/cli/remote/smoke/smoke-settings.ts';
import { DEEP } from '../../support/depth.ts';
import { type Ended, folderWith, runProgram } from '../program.ts';
import { serveStack } from '../served-stack.ts';

/** Bundles functions and synthesises the template if they are not cached. */
const START_MS = 120_000;
const RUN_MS = 180_000;

const SETTINGS = { ...smokeSettings };
/** `npm test` leaves out what takes most of the time: other tests have bulk runs and large files. */
const OMITTED = ['bulk run', 'large file'];
const SMALL_SETTINGS = { rateRepeats: 5, failureSeconds: 0.5, omitted: OMITTED };

let endpoint: string;
let folder: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  folder = folderWith({}, afterAll);
  if (!DEEP) Object.assign(smokeSettings, SMALL_SETTINGS);
  ({ endpoint, stop } = await serveStack(folder));
}, START_MS);
afterAll(async () => {
  Object.assign(smokeSettings, SETTINGS);
  await stop();
});

function smoke(...args: readonly string[]): Promise<Ended> {
  return runProgram(folder, ['smoke', '--endpoint', endpoint, ...args]);
}

/** Keys of all versions and delete markers in both buckets. */
async function leftKeys(): Promise<string[]> {
  const connection = await connect({ endpoint });
  onTestFinished(() => {
    connection.retries.close();
    connection.s3.destroy();
  });
  const { s3, inputBucket, resultsBucket } = connection;
  const left = await Promise.all([inputBucket, resultsBucket].map((bucket) => keyVersions(s3, bucket, '')));
  return left.flat().map(({ key }) => key);
}

describe('smoke', () => {
  test(
    'proves that the stack works, saves what it found, and removes all that it made',
    async () => {
      const { stdout, stderr, status } = await smoke();
      expect(stderr).toBe('');
      const [announcement, ...lines] = stdout.trimEnd().split('\n');
      expect(announcement).toMatch(
        /^smoke-\d{4}-\S+ in dlx-batch-input and dlx-batch-results: about five minutes, less than a cent; /,
      );
      expect(lines).toEqual(
        [
          /^ok {4}event +the first upload began after /,
          /^ok {4}known puzzles +100 with the result of this machine, after /,
          /^ok {4}rejected picture +rejected with unsupported_compression, as here$/,
          /^ok {4}odd keys +11 of 11 came back$/,
          /^ok {4}options +11 of 11 had their effect \(engine, format, .*csv-safe\)$/,
          /^ok {4}conditional writes +one of 8 writers won each of 8 races$/,
          /^ok {4}link +fetched without credentials; without its signature, refused \(403\)$/,
          /^ok {4}duplicate message +the second delivery kept the result of the first$/,
          /^ok {4}failed attempt +repeated after \d.*, and then done$/,
          /^ok {4}bulk run +solved 2 of 2 uploads of its prefix after /,
          /^ok {4}large file +200,000 puzzles in \d shards with the result of this machine, .*; S3 copied \d of \d parts, the others were sent$/,
          /^ok {4}architecture +\w+, Node v24.*, 1,769 MiB$/,
          /^ok {4}SIMD +WebAssembly has it$/,
          /^ok {4}threads +1 for 1,769 MiB$/,
          /^ok {4}cold start +the first upload had one, begun after /,
          /^ok {4}rate +[\d,]+ puzzles per second, of [\d,]+$/,
          /^ok {4}billed time +.* by its statistics, estimate .* for [\d,]+ puzzles$/,
          /^ok {4}removal +\d+ objects and versions, nothing is left$/,
          /^$/,
          /^\d+ ok, 0 warn, 0 FAIL; findings and measurements: smoke.json$/,
        ]
          .filter(({ source }) => !smokeSettings.omitted.some((what) => source.includes(what)))
          .map((line) => expect.stringMatching(line)),
      );
      expect(status).toBe(0);
      const saved = JSON.parse(readFileSync(join(folder, 'smoke.json'), 'utf8'));
      expect(saved).toMatchObject({
        schema: 'dlx-batch/smoke@1',
        counts: { FAIL: 0 },
        inputBucket: 'dlx-batch-input',
      });
      expect(saved.findings).toHaveLength(18 - smokeSettings.omitted.length);
      expect(saved.measurements).toMatchObject({
        ...{ arch: process.arch, simd: true, threads: 1, coldStart: true, source: 'statistics' },
        puzzles: 97 * smokeSettings.rateRepeats,
      });
      expect(await leftKeys()).toEqual([]);
    },
    RUN_MS,
  );

  test(
    'removes all that it made after an interruption, and what jobs in progress still write',
    async () => {
      const interruption = new AbortController();
      const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      onTestFinished(() => stderr.mockRestore());
      const run = new SmokeRun('smoke-2026-11-22T09-00-00Z-1a2b3c', { endpoint, json: true });
      const running = run.run(interruption.signal);
      await expect.poll(() => run.findings.length, { timeout: RUN_MS }).toBeGreaterThan(0);
      interruption.abort(new Error('interrupted'));
      await expect(running).rejects.toThrow('interrupted');
      const message =
        /removing what was made; if you interrupt this: .*smoke --remove smoke-2026-11-22T09-00-00Z-1a2b3c/;
      expect(stderr.mock.calls.join('')).toMatch(message);
      expect(run.findings.at(-1)).toMatchObject({ status: 'ok', check: 'removal' });
      expect(await leftKeys()).toEqual([]);
    },
    RUN_MS,
  );

  test('--remove removes what a killed run has left, and nothing else', async () => {
    const id = 'smoke-2026-11-22T09-00-00Z-1a2b3c';
    const connection = await connect({ endpoint });
    const { store, inputBucket, resultsBucket } = connection;
    const put = (bucket: string, key: string) => store.put(bucket, key, new Uint8Array(1), 'text/plain');
    const job = '0123456789abcdef';
    const own = [
      ...[`results/inbox/${id}/a.txt/${job}/x/solutions.txt`, `status/inbox/${id}/a.txt/${job}.json`],
      ...[`work/${job}/${job}/plain`, `work/${id}/race-0`, 'runs/2026-11-22T09-00-00Z-1a2b3c/plan.jsonl'],
    ];
    const others = ['results/inbox/other.txt/latest.json', `work/${id}0/x`, 'work/fedcba9876543210/x'];
    for (const key of [...own, ...others]) await put(resultsBucket, key);
    await store.delete(resultsBucket, own[0]!);
    await put(inputBucket, `scheduled/${id}/a.txt`);
    const { stdout, status } = await smoke('--remove', id);
    expect(stdout).toBe('ok    removal             7 objects and versions, nothing is left\n');
    expect(status).toBe(0);
    expect((await leftKeys()).sort()).toEqual(others.sort());
    for (const key of others) await connection.s3.deleteObject({ Bucket: resultsBucket, Key: key });
    connection.retries.close();
    connection.s3.destroy();
  });

  test.each([
    ['an id that is none', ['--remove', 'inbox/'], 'option "--remove" is "inbox/": expected the id'],
    ['a folder that does not exist', ['--out', 'none/smoke.json'], 'no such file or folder'],
    ['a folder in place of the file', ['--out', '.'], 'is a folder, expected a file: --out'],
    ['an endpoint without a stack', ['--endpoint', 'http://127.0.0.1:9'], 'no local stack of yours runs at'],
  ])('rejects %s before it makes anything', async (_, args, message) => {
    const { stdout, stderr, status } = await smoke(...args);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });
});
