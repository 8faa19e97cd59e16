/** Reads the log of a function: what Lambda billed for each invocation. */
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { handlerOptions, TIMEOUTS } from './timeouts.ts';

export interface LogEvent {
  /** Log stream: one execution environment, which runs one invocation after another. */
  readonly stream: string;
  readonly timeMs: number;
  readonly message: string;
}

/** An invocation, by the line that Lambda writes at its end. */
export interface BilledInvocation {
  readonly billedMs: number;
  /** Time of the cold start; undefined if the environment had run before. */
  readonly initMs?: number;
}

/**
 * Reads the lines of a log since a time that contain a text, and the lines that report invocations.
 *
 * @throws the SDK's error: `AccessDeniedException` without the permission `logs:FilterLogEvents`
 */
export async function readFunctionLog(
  logGroupName: string,
  text: string,
  sinceMs: number,
  signal: AbortSignal,
): Promise<LogEvent[]> {
  const logs = new CloudWatchLogsClient({ requestHandler: handlerOptions(TIMEOUTS) });
  const events: LogEvent[] = [];
  try {
    let nextToken: string | undefined;
    do {
      const filterPattern = `?"REPORT RequestId" ?${JSON.stringify(text)}`;
      const command = new FilterLogEventsCommand({
        ...{ logGroupName, filterPattern, startTime: sinceMs, nextToken },
      });
      const page = await logs.send(command, { abortSignal: signal });
      for (const { logStreamName = '', timestamp = 0, message = '' } of page.events ?? []) {
        events.push({ stream: logStreamName, timeMs: timestamp, message });
      }
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
    return events;
  } finally {
    logs.destroy();
  }
}

/** The invocations that wrote a line with this text: in a stream, the report follows the lines of its invocation. */
export function billedInvocations(events: readonly LogEvent[], text: string): BilledInvocation[] {
  const streams = new Map<string, LogEvent[]>();
  for (const event of events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  const billed: BilledInvocation[] = [];
  for (const stream of streams.values()) {
    let named = false;
    for (const { message } of stream.sort((a, b) => a.timeMs - b.timeMs)) {
      if (!message.startsWith('REPORT ')) {
        named ||= message.includes(text);
        continue;
      }
      if (named) billed.push(reportOf(message));
      named = false;
    }
  }
  return billed;
}

/** @param line such as `REPORT RequestId: 1 Duration: 4.2 ms Billed Duration: 5 ms ... Init Duration: 170 ms` */
function reportOf(line: string): BilledInvocation {
  const billedMs = Number(/Billed Duration: ([\d.]+) ms/.exec(line)?.[1] ?? Number.NaN);
  const init = /Init Duration: ([\d.]+) ms/.exec(line)?.[1];
  return { billedMs, ...(init !== undefined && { initMs: Number(init) }) };
}
