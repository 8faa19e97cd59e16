import { describe, expect, it } from 'vitest';
import { type EventPattern, eventMatcher } from '../../../lib/local/events/event-pattern.ts';

const EVENT = {
  source: 'dlx-batch',
  'detail-type': 'JobCompleted',
  resources: ['a', 'b'],
  detail: { input: { key: 'inbox/a.txt' }, puzzles: { total: 3, solved: 2 }, noPuzzles: null, done: true },
};

const detail = (pattern: EventPattern): EventPattern => ({ detail: pattern });

describe('a pattern matches', () => {
  it.each<[string, EventPattern]>([
    ['everything without members', {}],
    ['one of several values', { source: ['other', 'dlx-batch'], 'detail-type': ['JobCompleted'] }],
    ['null and true', detail({ noPuzzles: [null], done: [true] })],
    ['an item of a list', { resources: ['b'] }],
    ['a prefix and a suffix', detail({ input: { key: [{ prefix: 'inbox/' }, { suffix: '.csv' }] } })],
    [
      'a member that exists, and one that does not',
      detail({ done: [{ exists: true }], error: [{ exists: false }] }),
    ],
    ['anything but a value', detail({ input: { key: [{ 'anything-but': ['inbox/b.txt'] }] } })],
    ['a range of numbers', detail({ puzzles: { solved: [{ numeric: ['>', 1, '<=', 2] }] } })],
  ])('%s', (_, pattern) => {
    expect(eventMatcher(pattern)(EVENT)).toBe(true);
  });
});

describe('a pattern does not match', () => {
  it.each<[string, EventPattern]>([
    ['another value', { source: ['aws.s3'] }],
    ['a number as text', detail({ puzzles: { total: ['3'] } })],
    ['a missing member', detail({ error: ['x'] })],
    ['a member of a missing object', detail({ error: { code: [{ exists: true }] } })],
    ['a member that only the prototype has', { constructor: [{ exists: true }] }],
    [
      'an excluded value, or none',
      detail({ done: [{ 'anything-but': true }], error: [{ 'anything-but': 'x' }] }),
    ],
    ['a number out of the range', detail({ puzzles: { solved: [{ numeric: ['>', 2] }] } })],
  ])('%s', (_, pattern) => {
    expect(eventMatcher(pattern)(EVENT)).toBe(false);
  });
});

it.each([
  ['an operator', { source: [{ wildcard: '*' }] }],
  ['a combination of patterns', { $or: [{ source: ['a'] }, { source: ['b'] }] }],
  ['no comparisons', { source: [] }],
  ['a value without a list', { source: 'dlx-batch' }],
  ['a prefix that is no text', { source: [{ prefix: 1 }] }],
  ['half a range', { source: [{ numeric: ['>'] }] }],
])('%s is refused by name', (_, pattern) => {
  expect(() => eventMatcher(pattern as never)).toThrow(/does not support \{.*in an event pattern: expected/);
});
