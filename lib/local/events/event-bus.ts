/**
 * The subset of EventBridge's API that the project uses: PutEvents, and rules that give the events to receivers. The
 * answer to PutEvents is sent after each receiver has the event.
 */
import { randomUUID } from 'node:crypto';
import { LOCAL_ACCOUNT } from '../functions/lambda-environment.ts';
import { JsonApiError, type JsonService, type RequestParameters } from '../json-api.ts';
import { type EventPattern, eventMatcher } from './event-pattern.ts';

const MAX_ENTRIES = 10;
const MAX_BYTES = 262_144;
const MEMBERS = ['EventBusName', 'Source', 'DetailType', 'Detail'];
/** The members that an entry must have, and their names in error messages. */
const REQUIRED = ['Source', 'DetailType', 'Detail'] as const;

/** A rule of the user. */
export interface EventRule {
  readonly pattern: EventPattern;
  /** Takes an event as its target would: JSON. If it throws, the sender sends the event again. */
  readonly receive: (event: string) => void;
}

type Entry = Readonly<Partial<Record<string, unknown>>>;

/** @throws Error if a pattern is not supported */
export function eventBusService(
  rules: readonly EventRule[],
  { region, now = () => new Date() }: { readonly region: string; readonly now?: () => Date },
): JsonService {
  const matchers = rules.map(({ pattern, receive }) => ({ matches: eventMatcher(pattern), receive }));
  return {
    target: 'AWSEvents.',
    signingName: 'events',
    operations: {
      PutEvents: {
        parameters: ['Entries'],
        action: 'events:PutEvents',
        resource: (given) => busOf(given, region),
        run(given) {
          const results = entriesIn(given).map((entry) => {
            const problem = problemOf(entry);
            if (problem !== undefined) return problem;
            const event = eventOf(entry, region, now());
            for (const { matches, receive } of matchers) if (matches(event)) receive(JSON.stringify(event));
            return { EventId: event.id };
          });
          return {
            FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length,
            Entries: results,
          };
        },
      },
    },
  };
}

/** The event with EventBridge's fields, in its order. */
function eventOf({ Source, DetailType, Detail }: Entry, region: string, time: Date) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': String(DetailType),
    source: String(Source),
    account: LOCAL_ACCOUNT,
    // Whole seconds, as in AWS.
    time: `${time.toISOString().slice(0, 19)}Z`,
    region,
    resources: [],
    detail: JSON.parse(String(Detail)),
  };
}

/** @throws JsonApiError if EventBridge would reject the request */
function entriesIn({ Entries }: RequestParameters): readonly Entry[] {
  const entries = Array.isArray(Entries) ? (Entries as Entry[]) : [];
  if (entries.length === 0 || entries.length > MAX_ENTRIES) {
    throw new JsonApiError(
      'ValidationException',
      `Entries has ${entries.length} items: expected 1 to ${MAX_ENTRIES}`,
    );
  }
  for (const entry of entries) {
    const other = Object.keys(entry).find((name) => !MEMBERS.includes(name));
    if (other !== undefined) {
      throw new JsonApiError(
        'ValidationException',
        `The local stack does not implement ${other} of an entry`,
      );
    }
  }
  const bytes = entries.flatMap((entry) =>
    REQUIRED.map((name) => Buffer.byteLength(String(entry[name] ?? ''))),
  );
  if (bytes.reduce((sum, each) => sum + each, 0) > MAX_BYTES) {
    throw new JsonApiError(
      'ValidationException',
      'Total size of the entries in the request is over the limit.',
    );
  }
  return entries;
}

/** Why EventBridge does not accept an entry; the others of the request are accepted. */
function problemOf(entry: Entry): { readonly ErrorCode: string; readonly ErrorMessage: string } | undefined {
  const missing = REQUIRED.find((name) => typeof entry[name] !== 'string' || entry[name] === '');
  if (missing !== undefined) {
    return {
      ErrorCode: 'InvalidArgument',
      ErrorMessage: `Parameter ${missing} is not valid. Reason: ${missing} is a required argument.`,
    };
  }
  if (String(entry.Source).startsWith('aws.')) {
    return {
      ErrorCode: 'NotAuthorizedForSource',
      ErrorMessage: 'Not authorized for the source.',
    };
  }
  try {
    const detail: unknown = JSON.parse(String(entry.Detail));
    if (typeof detail === 'object' && detail !== null && !Array.isArray(detail)) return undefined;
  } catch {}
  return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
}

/** The ARN of the bus of a request; the local stack has one that takes the place of all. */
function busOf({ Entries }: RequestParameters, region: string): string {
  const names = (Array.isArray(Entries) ? (Entries as Entry[]) : []).map(({ EventBusName = 'default' }) =>
    String(EventBusName),
  );
  const [name = 'default', ...others] = new Set(names);
  if (others.length > 0) {
    throw new JsonApiError(
      'ValidationException',
      'The local stack implements one event bus for each request',
    );
  }
  return name.startsWith('arn:') ? name : `arn:aws:events:${region}:${LOCAL_ACCOUNT}:event-bus/${name}`;
}
