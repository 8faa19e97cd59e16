/**
 * The subset of JSONPath in use: reference paths of plain names, into the data or, with two dollars, into the context.
 *
 *     $    $.step.cursor    $$.Execution.Name
 *
 * In a template, a field whose name ends in `.$` takes the value at its path: { "cursor.$": "$.step.cursor" }.
 */
import { StateError } from './state-error.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The values that a path reads from. */
export interface PathScope {
  readonly data: Json;
  readonly context: Json;
}

const PATH = /^\${1,2}(\.[A-Za-z_][\w-]*)*$/;

/** Whether a value is a path in this subset. */
export function isPath(text: unknown): text is string {
  return typeof text === 'string' && PATH.test(text);
}

/** Fields of the context object that an execution here has; what follows after a dot is data of the user. */
const CONTEXT_PATHS = [
  /^\$\$$/,
  /^\$\$\.Execution(\.(Id|Name|StartTime|Input(\..*)?))?$/,
  /^\$\$\.StateMachine(\.(Id|Name))?$/,
];
const ITEM_PATH = /^\$\$\.Map(\.Item(\.(Index|Value(\..*)?))?)?$/;

/**
 * Whether a path leads into the data, or to a field that the context object has.
 *
 * @param hasItem whether it may lead to the item of a map, as in an ItemSelector
 */
export function isContextPath(
  path: string,
  { hasItem = false }: { readonly hasItem?: boolean } = {},
): boolean {
  if (!path.startsWith('$$')) return true;
  return CONTEXT_PATHS.some((known) => known.test(path)) || (hasItem && ITEM_PATH.test(path));
}

/**
 * Reads the value at a path.
 *
 * @throws StateError States.ParameterPathFailure if the path has no value
 */
export function readPath(path: string, { data, context }: PathScope): Json {
  const names = path.split('.').slice(1);
  let value: Json | undefined = path.startsWith('$$') ? context : data;
  for (const name of names) {
    const object: Json | undefined = value;
    value = isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
    if (value === undefined) {
      throw new StateError('States.ParameterPathFailure', `The path ${path} has no value in the data`);
    }
  }
  return value as Json;
}

/**
 * Returns the data with a value set at a path; missing objects on the path are created.
 *
 * @param path into the data, `$` for all of it
 * @throws StateError States.ResultPathMatchFailure if a value on the path is not an object
 */
export function writePath(path: string, data: Json, value: Json): Json {
  const [name, ...rest] = path.split('.').slice(1);
  if (name === undefined) return value;
  if (!isObject(data)) {
    throw new StateError(
      'States.ResultPathMatchFailure',
      `The path ${path} leads through a value that is not an object`,
    );
  }
  const inner = Object.hasOwn(data, name) ? (data[name] as Json) : {};
  return { ...data, [name]: writePath(['$', ...rest].join('.'), inner, value) };
}

/**
 * Replaces the paths in a template with their values.
 *
 * @throws StateError as `readPath` does
 */
export function fillTemplate(template: Json, scope: PathScope): Json {
  if (Array.isArray(template)) return template.map((item: Json) => fillTemplate(item, scope));
  if (!isObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) =>
      name.endsWith('.$')
        ? [name.slice(0, -2), readPath(value as string, scope)]
        : [name, fillTemplate(value, scope)],
    ),
  );
}

/** Whether a value is an object, not an array. */
export function isObject(value: unknown): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
