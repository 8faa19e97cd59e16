/** Checks of single values in a definition; `definition.ts` combines them into checks of states. */
import { isPath } from './reference-path.ts';

/** Checks the value at a location such as `$.States.A`. @throws DefinitionError if it is not supported */
export type Check = (value: unknown, location: string) => void;

/** A definition with an unsupported value. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';

  constructor(location: string, found: unknown, expected: string) {
    const shown = JSON.stringify(found)?.slice(0, 120) ?? 'nothing';
    super(`the local stack cannot run the state machine: ${location} is ${shown}, expected ${expected}`);
  }
}

/** An object with these fields and no others. */
export function fields(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>>,
): Check {
  return (value, location) => {
    const object = checkObject(value, location);
    for (const [name, found] of Object.entries(object)) {
      const check = Object.hasOwn(required, name)
        ? required[name]
        : Object.hasOwn(optional, name)
          ? optional[name]
          : undefined;
      if (check === undefined) {
        const known = [...Object.keys(required), ...Object.keys(optional)].join(', ');
        throw new DefinitionError(`${location}.${name}`, found, `only the fields ${known}`);
      }
      check(found, `${location}.${name}`);
    }
    for (const name of Object.keys(required)) {
      if (!Object.hasOwn(object, name))
        throw new DefinitionError(`${location}.${name}`, undefined, 'this field');
    }
  };
}

/** Checks that a value is an object, and returns it. */
export function checkObject(value: unknown, location: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DefinitionError(location, value, 'an object');
  }
  return value as Record<string, unknown>;
}

export function listOf(check: Check): Check {
  return (value, location) => {
    if (!Array.isArray(value) || value.length === 0) throw new DefinitionError(location, value, 'a list');
    for (const [index, item] of value.entries()) check(item, `${location}[${index}]`);
  };
}

export function oneOf(...allowed: readonly unknown[]): Check {
  return (value, location) => {
    if (!allowed.includes(value)) {
      throw new DefinitionError(location, value, allowed.map((each) => JSON.stringify(each)).join(' or '));
    }
  };
}

export function exactly(expected: unknown): Check {
  return oneOf(expected);
}

export function matching(pattern: string): Check {
  const whole = new RegExp(`^${pattern}$`);
  return (value, location) => {
    if (typeof value !== 'string' || !whole.test(value)) throw new DefinitionError(location, value, pattern);
  };
}

export const anyString: Check = (value, location) => {
  if (typeof value !== 'string') throw new DefinitionError(location, value, 'a string');
};

export const stringList: Check = listOf(anyString);

export const nonNegativeNumber: Check = (value, location) => {
  if (typeof value !== 'number' || !(value >= 0))
    throw new DefinitionError(location, value, 'a number of at least 0');
};

export const referencePath: Check = (value, location) => {
  if (!isPath(value))
    throw new DefinitionError(location, value, 'a reference path such as $.a.b or $$.Execution.Name');
};

/** A path into the data, or null to discard the result. */
export const resultPath: Check = (value, location) => {
  if (value === null) return;
  referencePath(value, location);
  if (String(value).startsWith('$$')) throw new DefinitionError(location, value, 'a path into the data');
};

/** JSON in which the value of each field whose name ends in `.$` is a path. */
export const template: Check = (value, location) => {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) template(item, `${location}[${index}]`);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      (name.endsWith('.$') ? referencePath : template)(item, `${location}.${name}`);
    }
  }
};
