/**
 * Checks documents that a test has caused against the JSON Schemas of the package. In addition, a field that a schema does not
 * name is an error here: users learn the fields from the schemas.
 *
 * All stores, result folders and buses of the tests call this for each document that the program writes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { manifestIn, mismatches } from './manifest-check.ts';

const FOLDER = new URL('../../schemas/', import.meta.url);

/** Lines of a file that are checked: the others are of the same kinds. */
const MAX_LINES = 100;

/** Schemas of documents by their name in the member `schema`, such as `dlx-batch/stats@1`. */
const BY_NAME: Readonly<Record<string, string>> = { result: 'manifest' };

/** Files with a JSON object in each line: the schemas of which a line has one. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  'exceptions.jsonl': ['record'],
  'records.jsonl': ['record'],
  'unsolved.jsonl': ['unsolved'],
};

const schemas = new Map(
  readdirSync(FOLDER).map((file) => {
    const schema = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
    return [file.replace('.json', ''), closed(schema) as object] as const;
  }),
);
const ajv = new Ajv2020({ allErrors: true, strict: false });
const validators = new Map<string, ValidateFunction>();

/** A schema in which no object has members that are not named. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
  return 'properties' in schema && 'required' in schema ? { additionalProperties: false, ...parts } : parts;
}

function errorsOf(name: string, document: unknown): string[] {
  let validate = validators.get(name);
  if (validate === undefined) {
    validate = ajv.compile(schemas.get(name)!);
    validators.set(name, validate);
  }
  if (validate(document)) return [];
  return validate.errors!.map(({ instancePath, message, params }) => {
    return `${instancePath} ${message} ${JSON.stringify(params)}`;
  });
}

/** @throws Error unless the document has one of these schemas */
function check(what: string, names: readonly string[], document: unknown): void {
  const errors = names.map((name) => errorsOf(name, document));
  if (errors.some((each) => each.length === 0)) return;
  const fewest = errors.sort((a, b) => a.length - b.length)[0]!;
  throw new Error(
    `${what} is not of the schema ${names.join(' or ')}: ${fewest.join('; ')}: ${JSON.stringify(document)}`,
  );
}

/** Whether a document is of an earlier version of its schema, which a program of that time has written. */
function isEarlier(name: string, { schema }: { readonly schema?: unknown }): boolean {
  const { properties } = schemas.get(name) as { properties?: { schema?: { const?: string } } };
  const version = (text: unknown) => Number(/@(\d+)$/.exec(String(text))?.[1]);
  return version(schema) < version(properties?.schema?.const);
}

/** Checks a document that names its schema. Another one is of no concern. @throws Error */
export function checkDocument(what: string, document: { readonly schema?: unknown }): void {
  const [, kind = ''] = /^dlx-batch\/(\w+)@\d+$/.exec(String(document.schema)) ?? [];
  const name = BY_NAME[kind] ?? kind;
  if (schemas.has(name) && !isEarlier(name, document)) check(what, [name], document);
}

/**
 * Checks a file that the program has written, by its name or key. Files of other kinds are of no concern.
 *
 * @throws Error
 */
export function checkFile(path: string, bytes: Uint8Array | string): void {
  const lines = LINES[basename(path)];
  // Solutions have the layout of the input.
  const isDocument =
    (path.endsWith('.json') && !basename(path).startsWith('solutions.')) || /(^|\/)done\//.test(path);
  if (lines === undefined && !isDocument) return;
  const text = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
  if (lines === undefined) {
    const document = JSON.parse(text);
    if (typeof document === 'object' && document !== null) checkDocument(path, document);
  } else {
    const all = text.split('\n').filter((line) => line !== '');
    for (const line of all.slice(0, MAX_LINES)) check(path, lines, JSON.parse(line));
  }
}

/**
 * Checks the files of result sets in a folder: their schemas, and the sizes and checksums that the manifest beside them has.
 *
 * @throws Error
 */
export function checkFolder(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (/\.jsonl?$/.test(path)) checkFile(path, readFileSync(path));
    if (entry.name === 'manifest.json') checkSums(entry.parentPath);
  }
}

/** Checks that each file beside a manifest is as the manifest says; a download may have only some, and version 0.1 knew no sums. */
function checkSums(folder: string): void {
  const { files = [], ...manifest } = manifestIn(folder);
  const there = readdirSync(folder);
  const named = {
    ...manifest,
    files: files.filter(({ name, sha256 }) => sha256 !== undefined && there.includes(name)),
  };
  const found = mismatches(named, (name) => readFileSync(join(folder, name)));
  if (found.length > 0) throw new Error(`${folder}: ${found.join('; ')}`);
}
