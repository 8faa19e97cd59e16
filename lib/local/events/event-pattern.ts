/**
 * Event patterns of EventBridge: the subset that most rules use. Anything else is rejected by name, so that no part of a
 * pattern is ignored. (Amazon EventBridge User Guide, "Comparison operators for use in event patterns".)
 */

type Value = string | number | boolean | null;

/** A value, or an operator with its argument, as `{ "prefix": "inbox/" }`. */
export type Comparison = Value | Readonly<Record<string, unknown>>;

/** An event matches if it has each member, and its value one of the comparisons. */
export interface EventPattern {
  readonly [member: string]: EventPattern | readonly Comparison[];
}

type Test = (value: unknown) => boolean;

const OPERATORS: Readonly<Record<string, (argument: unknown) => Test>> = {
  prefix: (argument) => (value) => typeof value === 'string' && value.startsWith(text('prefix', argument)),
  suffix: (argument) => (value) => typeof value === 'string' && value.endsWith(text('suffix', argument)),
  exists: (argument) => (value) => (value !== undefined) === argument,
  'anything-but': (argument) => {
    const others = [argument].flat();
    const invalid = others.find((other) => !isValue(other));
    if (invalid !== undefined) throw unsupported({ 'anything-but': argument });
    return (value) => isValue(value) && !others.includes(value);
  },
  numeric: (argument) => {
    const terms = [argument].flat();
    const tests = terms.flatMap((sign, at) => (at % 2 === 0 ? [numeric(sign, terms[at + 1])] : []));
    return (value) => typeof value === 'number' && tests.every((test) => test(value));
  },
};

const SIGNS: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '=': (value, limit) => value === limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
};

/**
 * Prepares a pattern.
 *
 * @returns whether an event matches
 * @throws Error if the pattern has an operator that is not supported, or no comparisons
 */
export function eventMatcher(pattern: EventPattern): (event: unknown) => boolean {
  const members = Object.entries(pattern).map(([name, expected]) => [name, testOf(name, expected)] as const);
  return (event) => {
    const found = typeof event === 'object' && event !== null ? (event as Record<string, unknown>) : {};
    return members.every(([name, test]) => test(Object.hasOwn(found, name) ? found[name] : undefined));
  };
}

function testOf(name: string, expected: EventPattern[string]): Test {
  if (!Array.isArray(expected)) {
    if (typeof expected !== 'object' || expected === null || name.startsWith('$')) {
      throw unsupported({ [name]: expected });
    }
    return eventMatcher(expected as EventPattern);
  }
  if (expected.length === 0) throw unsupported({ [name]: expected });
  const tests = expected.map(comparison);
  // Of a list, one item must match.
  return (value) => tests.some((test) => (Array.isArray(value) ? value.some(test) : test(value)));
}

function comparison(expected: Comparison): Test {
  if (isValue(expected)) return (value) => value === expected;
  const [[operator = '', argument] = [], ...more] = Object.entries(expected);
  const create = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (create === undefined || more.length > 0) throw unsupported(expected);
  const test = create(argument);
  // Checks the argument now, not with the first event.
  test('');
  return test;
}

function text(operator: string, argument: unknown): string {
  if (typeof argument !== 'string') throw unsupported({ [operator]: argument });
  return argument;
}

function numeric(sign: unknown, limit: unknown): (value: number) => boolean {
  const compare = SIGNS[String(sign)];
  if (compare === undefined || typeof limit !== 'number') throw unsupported({ numeric: [sign, limit] });
  return (value) => compare(value, limit);
}

function isValue(value: unknown): value is Value {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function unsupported(found: unknown): Error {
  return new Error(
    `the local stack does not support ${JSON.stringify(found)} in an event pattern: expected values, or one of ${Object.keys(OPERATORS).join(', ')}`,
  );
}
