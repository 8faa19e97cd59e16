/**
 * JSONPath as far as it is in use: reference paths of plain names, into the data or, with two dollars, into the context.
 *
 *     $    $.step.cursor    $$.Execution.Name
 *
 * In a template a field whose name ends in `.$` takes what its path points to: { "cursor.$": "$.step.cursor" }.
 */
import { StateError } from './state-error.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** What a path is read from. */
export interface PathScope {
  readonly data: Json;
  readonly context: Json;
}

const PATH = /^\${1,2}(\.[A-Za-z_][\w-]*)*$/;

/** Whether a text is a path of the kind in use. */
export function isPath(text: unknown): text is string {
  return typeof text === 'string' && PATH.test(text);
}

/**
 * What a path points to.
 *
 * @throws StateError States.ParameterPathFailure where nothing is there
 */
export function readPath(path: string, { data, context }: PathScope): Json {
  const names = path.split('.').slice(1);
  let value: Json | undefined = path.startsWith('$$') ? context : data;
  for (const name of names) {
    const object: Json | undefined = value;
    value = isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
    if (value === undefined) {
      throw new StateError('States.ParameterPathFailure', `The path ${path} points to nothing in the data`);
    }
  }
  return value as Json;
}

/**
 * The data with a value at a path; objects on the way are made.
 *
 * @param path into the data, `$` for all of it
 * @throws StateError States.ResultPathMatchFailure where something on the way is no object
 */
export function writePath(path: string, data: Json, value: Json): Json {
  const [name, ...rest] = path.split('.').slice(1);
  if (name === undefined) return value;
  if (!isObject(data)) {
    throw new StateError('States.ResultPathMatchFailure', `The path ${path} leads through what is no object`);
  }
  const inner = Object.hasOwn(data, name) ? (data[name] as Json) : {};
  return { ...data, [name]: writePath(['$', ...rest].join('.'), inner, value) };
}

/**
 * A template with its paths filled in.
 *
 * @throws StateError as `readPath`
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

/** Whether it is an object, and no list. */
export function isObject(value: unknown): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
