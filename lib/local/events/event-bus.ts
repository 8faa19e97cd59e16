/**
 * The event bus: rules match events and give them to receivers. It has the events that services send about themselves
 * (uploads, executions), and the subset of EventBridge's API that the project uses, PutEvents, whose answer is sent after
 * each receiver has the event.
 *
 * A pattern may have values and prefixes, as the rules of the template; anything else is refused, so that no part of a
 * pattern is ignored.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type JsonService, operation } from '../json-api.ts';
import { LOCAL_ACCOUNT, LOCAL_STACK } from '../stack-names.ts';

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

/** JSON of an object. */
const detail = z
  .string()
  .transform((text) => JSON.parse(text))
  .pipe(z.record(z.string(), z.unknown()));
/** Only AWS sends events with its own sources. */
const entry = z.strictObject({
  EventBusName: z.string().default('default'),
  Source: z.string().regex(/^(?!aws\.)./),
  DetailType: z.string().min(1),
  Detail: detail,
});

/** EventBridge's API. */
export function eventBusService(publish: Publish): JsonService {
  const PutEvents = operation(
    'events:PutEvents',
    // Each event is a request of its own; a permission is for one bus and one source.
    z.strictObject({ Entries: z.tuple([entry]) }),
    // The local stack has one bus, which takes the place of all.
    ({ Entries: [{ EventBusName: name }] }) =>
      name.startsWith('arn:')
        ? name
        : `arn:aws:events:${LOCAL_STACK.region}:${LOCAL_ACCOUNT}:event-bus/${name}`,
    ({ Entries: [{ Source: source, DetailType, Detail }] }) => {
      const EventId = publish({ source, 'detail-type': DetailType, detail: Detail });
      return { FailedEntryCount: 0, Entries: [{ EventId }] };
    },
    ({ Entries: [{ Source }] }) => ({ 'events:source': Source }),
  );
  return { target: 'AWSEvents.', signingName: 'events', operations: { PutEvents } };
}
