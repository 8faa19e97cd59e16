/**
 * Compares an answer with one that was recorded from AWS.
 *
 * In a recorded answer, `<version-id:1>` is a value that varies: the first one of that name sets it, and later ones
 * must equal it, and no value of `<version-id:2>` does. `datetime` and `<...>` without a number are any value.
 */

/** The values of one recorded test that vary, by their names in it. */
export type Bindings = Map<string, unknown>;

const NUMBERED = /<[\w-]+:\d+>/;
const ANY = /^(datetime|<[\w-]+>)$/;

/** Where an answer differs from the recorded one: a line for each field. */
export function differences(recorded: unknown, actual: unknown, bindings: Bindings, path = '$'): string[] {
  if (typeof recorded === 'string' && ANY.test(recorded) && actual !== undefined) return [];
  if (typeof recorded === 'string' && NUMBERED.test(recorded) && actual !== undefined) {
    const other = bindings.has(recorded) ? undefined : otherName(recorded, actual, bindings);
    if (other !== undefined)
      return [`${path}: recorded ${recorded}, found that of ${other}: ${show(actual)}`];
    bindings.set(recorded, bindings.get(recorded) ?? actual);
    return differences(bindings.get(recorded), actual, bindings, path);
  }
  if (Array.isArray(recorded) && Array.isArray(actual) && recorded.length === actual.length) {
    return recorded.flatMap((item, index) => differences(item, actual[index], bindings, `${path}[${index}]`));
  }
  if (isObject(recorded) && isObject(actual)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(actual)]);
    return [...names].flatMap((name) =>
      differences(recorded[name], actual[name], bindings, `${path}.${name}`),
    );
  }
  return recorded === actual ? [] : [`${path}: recorded ${show(recorded)}, found ${show(actual)}`];
}

/** The name of the same kind that has this value: recorded values of two names differ. */
function otherName(name: string, value: unknown, bindings: Bindings): string | undefined {
  const kind = name.replace(/\d+/, '');
  return [...bindings].find(([other, found]) => other.replace(/\d+/, '') === kind && found === value)?.[0];
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
