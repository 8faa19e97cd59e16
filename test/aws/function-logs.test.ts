import { afterEach, describe, expect, test, vi } from 'vitest';
import { billedInvocations, type LogEvent, readFunctionLog } from '../../lib/aws/function-logs.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const REPORT = 'REPORT RequestId: 1b\tDuration: 812.40 ms\tBilled Duration: 983 ms\tMemory Size: 1769 MB\t';
const COLD = `${REPORT}Max Memory Used: 120 MB\tInit Duration: 170.21 ms\t\n`;

/** Lines in the order of their times, by stream. */
function events(lines: readonly (readonly [stream: string, message: string])[]): LogEvent[] {
  return lines.map(([stream, message], timeMs) => ({ stream, timeMs, message }));
}

describe('the billed time of an invocation', () => {
  test('is in the report after its line in the same stream', () => {
    const log = events([
      ['a', '{"message":"completed","key":"inbox/other.txt"}'],
      ['b', '{"message":"completed","key":"inbox/mine.txt"}'],
      ['a', REPORT.replace('983', '5')],
      ['b', COLD],
      ['b', REPORT.replace('983', '7')],
    ]);
    expect(billedInvocations(log, '"inbox/mine.txt"')).toEqual([{ billedMs: 983, initMs: 170.21 }]);
    expect(billedInvocations(log, '"inbox/other.txt"')).toEqual([{ billedMs: 5 }]);
    expect(billedInvocations(log, '"inbox/none.txt"')).toEqual([]);
  });

  test('is unknown before its report, and has one entry for each delivery', () => {
    const line = '{"key":"a"}';
    expect(billedInvocations(events([['s', line]]), 'a')).toEqual([]);
    const twice = events([
      ['s', line],
      ['s', REPORT],
      ['s', line],
      ['s', REPORT],
    ]);
    expect(billedInvocations(twice, 'a')).toEqual([{ billedMs: 983 }, { billedMs: 983 }]);
  });
});

describe('the log', () => {
  afterEach(() => vi.unstubAllEnvs());

  const answer = (body: object) => (response: import('node:http').ServerResponse) => {
    response.setHeader('content-type', 'application/x-amz-json-1.1').end(JSON.stringify(body));
  };

  test('is read page by page', async () => {
    const event = { logStreamName: 's', timestamp: 1, message: 'x' };
    const server = await scriptedServer(
      answer({ events: [event], nextToken: 'more' }),
      answer({ events: [{ ...event, timestamp: 2, message: COLD }] }),
    );
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDWATCH_LOGS', server.endpoint);
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIATEST');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    const read = await readFunctionLog('/solve', 'smoke-1', 5, new AbortController().signal);
    expect(read).toEqual([
      { stream: 's', timeMs: 1, message: 'x' },
      { stream: 's', timeMs: 2, message: COLD },
    ]);
    expect(server.requests).toHaveLength(2);
  });
});
