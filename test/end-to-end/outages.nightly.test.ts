/**
 * Uploads while S3 returns 503: the whole stack with the deployed bundle, and a queue clock that skips the delays
 * between tries. The outage ends at a time of that clock.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MAX_RECEIVES, REPORT_RECEIVES, TOLERATED_OUTAGE_SECONDS } from '../../lib/batch/limits.ts';
import { LocalQueue } from '../../lib/local/queue/queue.ts';
import { startLocalStack } from '../../lib/local/stack.ts';
import { temporaryFolder } from '../local/fixture-function.ts';
import { builtProgram } from '../support/built-program.ts';
import { clientOf } from '../support/client-of.ts';
import { EASY } from '../support/puzzles.ts';
import { forwarded, scriptedServer } from '../support/scripted-server.ts';

let codeDir: string;
beforeAll(async () => {
  ({ codeDir } = await builtProgram(temporaryFolder(afterAll)));
});

/** A proxy for the function: returns 503 while `isDown`, otherwise forwards to the S3 at `target()`. */
async function startOutage(isDown: () => boolean, target: () => string): Promise<string> {
  const { endpoint } = await scriptedServer((response, incoming) => {
    if (!isDown()) return forwarded(target)(response, incoming);
    incoming.resume();
    return response.writeHead(503).end('<Error><Code>ServiceUnavailable</Code></Error>');
  });
  return endpoint;
}

/** Uploads a file during an outage; `trySeconds` are the times of the tries after the upload, by the delays that were asked for. */
async function uploadDuringOutage(outageSeconds: number) {
  let secondsNow = 0;
  const trySeconds: number[] = [];
  const { receive, changeVisibility } = LocalQueue.prototype;
  vi.spyOn(LocalQueue.prototype, 'receive').mockImplementation(function (this: LocalQueue, most) {
    const records = receive.call(this, most);
    trySeconds.push(...records.map(() => secondsNow));
    return records;
  });
  vi.spyOn(LocalQueue.prototype, 'changeVisibility').mockImplementation(function (
    this: LocalQueue,
    ...given
  ) {
    secondsNow += given[1] / 1000;
    return changeVisibility.apply(this, given);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  let endpoint = '';
  const outage = await startOutage(
    () => secondsNow < outageSeconds,
    () => endpoint,
  );
  const stack = await startLocalStack({
    dataDir: temporaryFolder(),
    codeDir,
    fastRetries: true,
    concurrency: 1,
    environment: { AWS_ENDPOINT_URL_S3: outage, AWS_MAX_ATTEMPTS: '1' },
  });
  onTestFinished(() => stack.close());
  endpoint = stack.endpoint;
  const s3 = clientOf(stack);
  await s3.putObject({ Bucket: stack.inputBucket, Key: 'inbox/a.txt', Body: EASY });
  await stack.idle();
  const { Contents = [] } = await s3.listObjectsV2({ Bucket: stack.resultsBucket, Prefix: 'done/' });
  return { trySeconds, done: Contents.length, deadLetters: stack.deadLetters };
}

describe('an upload while S3 returns 503', () => {
  test('for five seconds is solved in the second try, seconds later', async () => {
    const { trySeconds, done, deadLetters } = await uploadDuringOutage(5);
    expect([trySeconds.length, done, deadLetters]).toEqual([2, 1, []]);
    expect(trySeconds[1]).toBeLessThan(20);
  });

  test('for four hours is solved, and does not become a dead letter', async () => {
    const { trySeconds, done, deadLetters } = await uploadDuringOutage(TOLERATED_OUTAGE_SECONDS);
    expect([done, deadLetters]).toEqual([1, []]);
    expect(trySeconds.length).toBeLessThanOrEqual(MAX_RECEIVES);
    // The last try starts at most 15 minutes after the outage ends.
    expect(trySeconds.at(-1)).toBeLessThan(TOLERATED_OUTAGE_SECONDS + 900 + 60);
  });

  test('for a day becomes a dead letter after the last try, and after reports that fail too', async () => {
    const { trySeconds, done, deadLetters } = await uploadDuringOutage(24 * 3600);
    const receives = MAX_RECEIVES + REPORT_RECEIVES;
    expect([trySeconds.length, done]).toEqual([receives, 0]);
    expect(deadLetters).toMatchObject([{ receives }]);
    const [first, second, third, fourth, fifth, sixth] = trySeconds;
    for (const [from, to, minSeconds, maxSeconds] of [
      [first, second, 8, 10],
      [second, third, 32, 40],
      [third, fourth, 128, 160],
      [fourth, fifth, 512, 640],
      [fifth, sixth, 720, 900],
    ]) {
      expect(to - from).toBeGreaterThanOrEqual(minSeconds);
      expect(to - from).toBeLessThanOrEqual(maxSeconds);
    }
  });
});
