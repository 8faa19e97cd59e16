/** Checks of one value in a definition, put together to those of whole states in `definition.ts`. */
import { isPath } from './reference-path.ts';

/** Says nothing where the value at this place is one that is known. @throws DefinitionError */
export type Check = (value: unknown, where: string) => void;

/** A definition has something that is not known here. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';

  constructor(where: string, found: unknown, expected: string) {
    const shown = JSON.stringify(found)?.slice(0, 120) ?? 'nothing';
    super(`The state machine cannot run on this machine: ${where} is ${shown}, expected ${expected}`);
  }
}

/** Exactly these fields: the first must be there, the others may. */
export function fields(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>>,
): Check {
  return (value, where) => {
    const object = checkObject(value, where);
    for (const [name, found] of Object.entries(object)) {
      const check = Object.hasOwn(required, name)
        ? required[name]
        : Object.hasOwn(optional, name)
          ? optional[name]
          : undefined;
      if (check === undefined) {
        const known = [...Object.keys(required), ...Object.keys(optional)].join(', ');
        throw new DefinitionError(`${where}.${name}`, found, `no such field, only ${known}`);
      }
      check(found, `${where}.${name}`);
    }
    for (const name of Object.keys(required)) {
      if (!Object.hasOwn(object, name))
        throw new DefinitionError(`${where}.${name}`, undefined, 'this field');
    }
  };
}

/** An object, which is given back. */
export function checkObject(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DefinitionError(where, value, 'an object');
  }
  return value as Record<string, unknown>;
}

export function listOf(check: Check): Check {
  return (value, where) => {
    if (!Array.isArray(value) || value.length === 0) throw new DefinitionError(where, value, 'a list');
    for (const [index, item] of value.entries()) check(item, `${where}[${index}]`);
  };
}

export function oneOf(...known: readonly unknown[]): Check {
  return (value, where) => {
    if (!known.includes(value)) {
      throw new DefinitionError(where, value, known.map((one) => JSON.stringify(one)).join(' or '));
    }
  };
}

export function exactly(known: unknown): Check {
  return oneOf(known);
}

export function matching(pattern: string): Check {
  const whole = new RegExp(`^${pattern}$`);
  return (value, where) => {
    if (typeof value !== 'string' || !whole.test(value)) throw new DefinitionError(where, value, pattern);
  };
}

export const anyString: Check = (value, where) => {
  if (typeof value !== 'string') throw new DefinitionError(where, value, 'a text');
};

export const stringList: Check = listOf(anyString);

export const nonNegativeNumber: Check = (value, where) => {
  if (typeof value !== 'number' || !(value >= 0)) throw new DefinitionError(where, value, 'a number from 0');
};

export const referencePath: Check = (value, where) => {
  if (!isPath(value))
    throw new DefinitionError(where, value, 'a reference path such as $.a.b or $$.Execution.Name');
};

/** Where a result goes: into the data, or, with null, nowhere. */
export const resultPath: Check = (value, where) => {
  if (value === null) return;
  referencePath(value, where);
  if (String(value).startsWith('$$')) throw new DefinitionError(where, value, 'a path into the data');
};

/** JSON in which every field whose name ends in `.$` has a path. */
export const template: Check = (value, where) => {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) template(item, `${where}[${index}]`);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      (name.endsWith('.$') ? referencePath : template)(item, `${where}.${name}`);
    }
  }
};
