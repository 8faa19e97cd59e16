/**
 * The subset of JSONPath in use: reference paths of plain names, into the data or, with two dollars, into the context.
 *
 *     $    $.step.cursor    $$.Execution.Name
 *
 * In a template, a field whose name ends in `.$` takes the value at its path: { "cursor.$": "$.step.cursor" }.
 */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The values that a path reads from. */
export interface PathScope {
  readonly data: Json;
  readonly context: Json;
}

/** An error with a name: one of the states language, such as `States.Timeout`, or that of a function's own error. */
export class StateError extends Error {
  /** The name that Retry matches and the execution reports. */
  readonly errorName: string;

  /** @param cause human-readable description */
  constructor(error: string, cause: string) {
    super(cause);
    this.errorName = error;
  }
}

/** Whether a value is a path in this subset. */
export function isPath(text: unknown): text is string {
  return typeof text === 'string' && /^\${1,2}(\.[A-Za-z_][\w-]*)*$/.test(text);
}

/** Reads the value at a path; undefined if it has none. */
export function readPath(path: string, { data, context }: PathScope): Json | undefined {
  let value: Json | undefined = path.startsWith('$$') ? context : data;
  for (const name of path.split('.').slice(1)) {
    const object: Json | undefined = value;
    value = isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
  }
  return value;
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
    const message = `The path ${path} leads through a value that is not an object`;
    throw new StateError('States.ResultPathMatchFailure', message);
  }
  const inner = Object.hasOwn(data, name) ? (data[name] as Json) : {};
  return { ...data, [name]: writePath(['$', ...rest].join('.'), inner, value) };
}

/**
 * Replaces the paths in a template with their values.
 *
 * @throws StateError States.Runtime if a path has no value
 */
export function fillTemplate(template: Json, scope: PathScope): Json {
  if (Array.isArray(template)) return template.map((item: Json) => fillTemplate(item, scope));
  if (!isObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) =>
      name.endsWith('.$')
        ? [name.slice(0, -2), valueFor(name, value as string, scope)]
        : [name, fillTemplate(value, scope)],
    ),
  );
}

function valueFor(field: string, path: string, scope: PathScope): Json {
  const value = readPath(path, scope);
  if (value !== undefined) return value;
  throw new StateError(
    'States.Runtime',
    `The JSONPath '${path}' specified for the field '${field}' could not be found in the input '${JSON.stringify(scope.data)}'`,
  );
}

function isObject(value: unknown): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
