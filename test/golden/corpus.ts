/** The rows of the golden corpus, and their file: one row per line, fields separated by tabs. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { GoldenCase } from './cases.ts';
import { RESULT_SCHEMA, type ResultTexts, solve } from './library.ts';
import { withoutWording } from './wording.ts';

const FILE = new URL('digests.tsv', import.meta.url);
const FIELDS = ['name', 'options', 'schema', 'input', 'result', 'counts'] as const;

export interface GoldenRow {
  readonly name: string;
  readonly options: string;
  /** The result schema of the digest. */
  readonly schema: string;
  /** First digits of the plain input's SHA-256, and its compression: another input is another row. */
  readonly input: string;
  /** SHA-256 of the result files without their wording. */
  readonly result: string;
  /** Puzzles by status, or the code of the rejection, to explain a changed digest in a diff. */
  readonly counts: string;
}

/** The identity of a row; its name may change. */
export const keyOf = ({ input, options }: GoldenRow) => `${input} ${options}`;
export const titleOf = ({ name, options }: GoldenCase | GoldenRow) => `${name} [${options}]`;

export function keptRows(): GoldenRow[] {
  const [, ...lines] = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [name, options, schema, input, result, counts] = line.split('\t');
    return { name, options, schema, input, result, counts };
  });
}

export function keepRows(rows: readonly GoldenRow[]): void {
  const lines = rows.map((row) => FIELDS.map((field) => row[field]).join('\t'));
  writeFileSync(FILE, `${[FIELDS.join('\t'), ...lines].join('\n')}\n`);
}

/** Solves all cases. */
export async function foundRows(cases: readonly GoldenCase[]): Promise<GoldenRow[]> {
  const rows: GoldenRow[] = [];
  for (const golden of cases) {
    const { name, plain, pack, options } = golden;
    const { files, counts } = await solve(golden, options);
    const front = createHash('sha256').update(plain).digest('hex').slice(0, 12);
    const input = pack === undefined ? front : `${front} ${pack.name}`;
    rows.push({ name, options, schema: RESULT_SCHEMA, input, result: digestOf(files, plain), counts });
  }
  return rows;
}

/** The files of a result set without their wording, each after its name. */
export function maskedText(files: ResultTexts, plain: Uint8Array): string {
  const input = Buffer.from(plain).toString('latin1');
  const names = Object.keys(files).sort();
  return names.map((name) => `== ${name}\n${withoutWording(name, files[name], input)}`).join('');
}

export function digestOf(files: ResultTexts, plain: Uint8Array): string {
  return createHash('sha256').update(maskedText(files, plain), 'latin1').digest('hex');
}

/**
 * Compares the rows found with those kept.
 *
 * @param accepted beginnings of titles of rows that may change without another schema
 * @returns all rows, unchanged ones with their old schema; the changed, added and removed ones; and the changed ones that
 *   are refused: the kept row has the current schema, so it must be raised
 */
export function regenerated(
  kept: readonly GoldenRow[],
  found: readonly GoldenRow[],
  accepted: readonly string[] = [],
) {
  const before = new Map(kept.map((row) => [keyOf(row), row]));
  const after = new Set(found.map(keyOf));
  const isChanged = (row: GoldenRow) => (before.get(keyOf(row)) ?? row).result !== row.result;
  const changed = found.filter(isChanged);
  const isAccepted = (row: GoldenRow) => accepted.some((start) => titleOf(row).startsWith(start));
  return {
    rows: found.map((row) => ({
      ...row,
      schema: (isChanged(row) ? row : (before.get(keyOf(row)) ?? row)).schema,
    })),
    changed,
    added: found.filter((row) => !before.has(keyOf(row))),
    removed: kept.filter((row) => !after.has(keyOf(row))),
    refused: changed.filter((row) => before.get(keyOf(row))?.schema === row.schema && !isAccepted(row)),
  };
}
