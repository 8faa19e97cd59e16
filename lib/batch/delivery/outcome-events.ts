/**
 * Events about outcomes, for rules of the user. An event is sent after everything else that a commit writes, and its
 * step is repeated until the bus has accepted it: so an event is sent at least once, and none undoes or delays a commit.
 *
 * Keys in events are complete, also if the results have a folder of their own in their bucket. `docs/reference/events.md` documents
 * the fields; the number in `schema` changes if a field is removed or changes its meaning.
 */
import type { FileError } from '../job/file-error.ts';
import { EVENT_NOT_SENT_ERROR, type EventType } from '../names.ts';
import type { EventBus } from '../ports.ts';
import { numberText } from '../quantities.ts';
import { exceptionCount, exceptionText, jobTotals, noPuzzlesText } from '../results/job-totals.ts';
import type { InputIdentity, Manifest } from './manifest.ts';

const EVENT_SCHEMA = 'dlx-batch/event@1';

/** Characters kept of an error, which may be a long stack trace. */
const MAX_ERROR = 1000;

/** Where events of outcomes are sent. */
export interface EventDestination {
  readonly bus: EventBus;
  /** Name of the stack in its metrics. */
  readonly stack: string;
  /** Folder of all keys in the results bucket, with a final slash; empty for the whole bucket. */
  readonly resultsPrefix: string;
}

export interface EventStorage {
  readonly resultsBucket: string;
  /** @default no events are sent */
  readonly events?: EventDestination;
}

/** The bus did not accept an event; the outcome exists, and a repetition of the step sends the event. */
export class EventNotSentError extends Error {
  override readonly name = EVENT_NOT_SENT_ERROR;

  constructor(type: EventType, about: string, cause: unknown) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    super(
      `${type} of ${about} was not sent, and will be: ${reason}. Its outcome is stored and does not change`,
      {
        cause,
      },
    );
  }
}

/** Whether an error, or one of several, is that of an event. */
export function isEventNotSent(error: unknown): boolean {
  return error instanceof AggregateError
    ? error.errors.some(isEventNotSent)
    : error instanceof EventNotSentError;
}

/** @throws EventNotSentError */
export async function sendCompleted(
  manifest: Manifest,
  manifestKey: string,
  storage: EventStorage,
): Promise<void> {
  const input = manifest.input as InputIdentity;
  const { puzzles, noPuzzles } = manifest;
  const counts =
    puzzles.total === 0
      ? noPuzzlesText(noPuzzles)
      : `${numberText(puzzles.solved)} of ${numberText(puzzles.total)} puzzles solved`;
  const exceptions = exceptionCount(manifest) === 0 ? '' : `; ${exceptionText(manifest)}`;
  await sendEvent('JobCompleted', input.key, storage, {
    jobId: manifest.jobId,
    input,
    manifest: storedObject(manifestKey, storage),
    ...jobTotals(manifest),
    summary: `${input.key}: ${counts}${exceptions}`,
  });
}

/** @throws EventNotSentError */
export async function sendRejected(
  jobId: string,
  input: InputIdentity,
  rejectKey: string,
  { code, message, line, column }: FileError,
  storage: EventStorage,
): Promise<void> {
  await sendEvent('JobRejected', input.key, storage, {
    jobId,
    input,
    reject: storedObject(rejectKey, storage),
    error: { code, message: shortened(message), line, column },
    summary: `${input.key} was rejected: ${shortened(message)}`,
  });
}

/** @throws EventNotSentError */
export async function sendFailed(
  jobId: string,
  input: InputIdentity,
  statusKey: string,
  message: string,
  storage: EventStorage,
): Promise<void> {
  await sendEvent('JobFailed', input.key, storage, {
    jobId,
    input,
    status: storedObject(statusKey, storage),
    error: { message: shortened(message) },
    summary: `${input.key} failed: ${shortened(message)}`,
  });
}

/**
 * Sends an event.
 *
 * @param about for the error: the input key, or the run
 * @throws EventNotSentError
 */
export async function sendEvent(
  type: EventType,
  about: string,
  { events }: EventStorage,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (events === undefined) return;
  try {
    await events.bus.send(type, { schema: EVENT_SCHEMA, stack: events.stack, ...detail });
  } catch (cause) {
    throw new EventNotSentError(type, about, cause);
  }
}

/** Where a user finds a document of the results bucket. */
export function storedObject(key: string, { resultsBucket, events }: EventStorage) {
  return { bucket: resultsBucket, key: `${events?.resultsPrefix ?? ''}${key}` };
}

function shortened(message: string): string {
  return message.length <= MAX_ERROR ? message : `${message.slice(0, MAX_ERROR)}...`;
}
