/**
 * The event bus: rules match events and give them to receivers. It has the events that services send about themselves
 * (uploads, executions), and the subset of EventBridge's API that the project uses, PutEvents, whose answer is sent after
 * each receiver has the event.
 *
 * A pattern may have values and prefixes, as the rules of the template; anything else is refused, so that no part of a
 * pattern is ignored.
 */
import { randomUUID } from 'node:crypto';
import {
  checkNames,
  JsonApiError,
  type JsonOperation,
  type JsonService,
  type RequestParameters,
} from '../json-api.ts';
import { LOCAL_ACCOUNT, LOCAL_STACK } from '../stack-names.ts';

const MAX_ENTRIES = 10;
const MAX_BYTES = 262_144;
const MEMBERS = ['EventBusName', 'Source', 'DetailType', 'Detail'];
/** The members that an entry must have. */
const REQUIRED = ['Source', 'DetailType', 'Detail'] as const;

/** An event matches if it has each member, and its value one of the listed ones. */
export interface EventPattern {
  readonly [member: string]: EventPattern | readonly unknown[];
}

/** What differs between the events that the stack sends. */
export interface SentEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly resources?: readonly string[];
  readonly detail: object;
}

export interface EventRule {
  readonly pattern: EventPattern;
  /** Takes an event as its target would: JSON. If it throws, the sender sends the event again. */
  readonly receive: (text: string, event: SentEvent) => void;
}

/** Gives an event to the receivers of all rules that it matches. @returns the id of the event */
export type Publish = (event: SentEvent) => string;

/** @throws Error if a pattern is not supported */
export function eventBus(rules: readonly EventRule[], now = () => new Date()): Publish {
  const matchers = rules.map(({ pattern, receive }) => ({ matches: matcherOf(pattern), receive }));
  return ({ source, 'detail-type': type, resources = [], detail }) => {
    // The fields of EventBridge, in its order.
    const event = {
      version: '0',
      id: randomUUID(),
      'detail-type': type,
      source,
      account: LOCAL_ACCOUNT,
      // Whole seconds, as in AWS.
      time: `${now().toISOString().slice(0, 19)}Z`,
      region: LOCAL_STACK.region,
      resources,
      detail,
    };
    for (const { matches, receive } of matchers) if (matches(event)) receive(JSON.stringify(event), event);
    return event.id;
  };
}

function matcherOf(pattern: EventPattern): (event: unknown) => boolean {
  const members = Object.entries(pattern).map(([name, expected]) => {
    if (!Array.isArray(expected)) return [name, matcherOf(expected as EventPattern)] as const;
    const tests = expected.map(comparison);
    return [name, (value: unknown) => tests.some((test) => test(value))] as const;
  });
  return (event) => {
    const found = typeof event === 'object' && event !== null ? (event as Record<string, unknown>) : {};
    return members.every(([name, test]) => test(Object.hasOwn(found, name) ? found[name] : undefined));
  };
}

function comparison(expected: unknown): (value: unknown) => boolean {
  if (typeof expected !== 'object' || expected === null) return (value) => value === expected;
  const { prefix, ...others } = expected as { readonly prefix?: unknown };
  if (typeof prefix !== 'string' || Object.keys(others).length > 0) {
    throw new Error(`the local stack does not support ${JSON.stringify(expected)} in an event pattern`);
  }
  return (value) => typeof value === 'string' && value.startsWith(prefix);
}

/** EventBridge's API. */
export function eventBusService(publish: Publish): JsonService {
  const PutEvents: JsonOperation = {
    parameters: ['Entries'],
    action: 'events:PutEvents',
    // The local stack has one bus, which takes the place of all.
    resource: (given) => {
      const [name = 'default', ...others] = valuesOf(given, 'EventBusName');
      if (others.length > 0) {
        const message = 'The local stack implements one event bus for each request';
        throw new JsonApiError('ValidationException', message);
      }
      if (name.startsWith('arn:')) return name;
      return `arn:aws:events:${LOCAL_STACK.region}:${LOCAL_ACCOUNT}:event-bus/${name}`;
    },
    // No permission is for several sources.
    context(given) {
      const [source = '', ...others] = valuesOf(given, 'Source');
      return { 'events:source': others.length > 0 ? '' : source };
    },
    run(given) {
      const Entries = entriesIn(given).map((entry) => {
        const problem = problemOf(entry);
        if (problem !== undefined) return problem;
        const { Source: source, DetailType: type, Detail } = entry as Record<string, string>;
        const detail = JSON.parse(Detail!);
        return { EventId: publish({ source: source!, 'detail-type': type!, detail }) };
      });
      return { FailedEntryCount: Entries.filter((entry) => 'ErrorCode' in entry).length, Entries };
    },
  };
  return { target: 'AWSEvents.', signingName: 'events', operations: { PutEvents } };
}

type Entry = Readonly<Partial<Record<string, unknown>>>;

function valuesOf(given: RequestParameters, member: string): (string | undefined)[] {
  return [...new Set(entriesIn(given).map((entry) => entry[member] as string | undefined))];
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
  for (const entry of entries) checkNames('an entry', Object.keys(entry), MEMBERS);
  const bytes = entries.flatMap((entry) =>
    REQUIRED.map((name) => Buffer.byteLength(String(entry[name] ?? ''))),
  );
  if (bytes.reduce((sum, each) => sum + each, 0) <= MAX_BYTES) return entries;
  throw new JsonApiError(
    'ValidationException',
    'Total size of the entries in the request is over the limit.',
  );
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
    return { ErrorCode: 'NotAuthorizedForSource', ErrorMessage: 'Not authorized for the source.' };
  }
  try {
    const detail: unknown = JSON.parse(String(entry.Detail));
    if (typeof detail === 'object' && detail !== null && !Array.isArray(detail)) return undefined;
  } catch {}
  return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
}
