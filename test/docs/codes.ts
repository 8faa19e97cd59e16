/** Statuses, errors and warnings, each with an example that is solved now. */
import { type FileErrorCode, goneError } from '../../lib/batch/job/file-error.ts';
import { writtenError } from '../../lib/batch/job-limits.ts';
import { parseOptions } from '../../lib/batch/options.ts';
import type { JobRecord } from '../../lib/batch/results/job-record.ts';
import { PUZZLE_STATUSES, type PuzzleStatus } from '../../lib/batch/solving/puzzle-status.ts';
import { type CatalogueCase, catalogue } from '../formats/catalogue.ts';
import { jsonLines } from '../support/result-set.ts';
import { MemoryFiles, runText } from '../support/run-job.ts';
import { table } from './blocks.ts';

const PUZZLE = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';

/** Longest example of a message, in characters. */
const MAX_MESSAGE = 200;

/** A file of one puzzle for each status, with the options of its job. */
const EXAMPLES: Readonly<Record<PuzzleStatus, readonly [file: string, options?: Record<string, string>]>> = {
  solved: [PUZZLE],
  multiple: [`...${PUZZLE.slice(3)}`.replace('6', '.').replace('9', '.').replace('8', '.')],
  unsolvable: [PUZZLE.replace('.', '1')],
  invalid: [PUZZLE.replace('.', '5')],
  unreadable: [PUZZLE.slice(1)],
  limit: [PUZZLE.replaceAll(/[2-9]/g, '.'), { 'max-nodes': '1' }],
};

/** What is written for a puzzle of each status. */
export async function statusExamples(): Promise<string> {
  const parts: string[] = [];
  for (const status of PUZZLE_STATUSES) {
    const [line, options = {}] = EXAMPLES[status];
    // A puzzle that can be read tells the format of one that cannot.
    const input = `${line}\n${PUZZLE}\n`;
    const { solutions, records } = await solved(input, { ...options, records: 'true' });
    const [record] = records;
    if (record?.status !== status) throw new Error(`the example of ${status} is ${record?.status}`);
    const { solveUs: _, ...shown } = record;
    const flags = Object.entries(options).map(([name, value]) => ` --${name} ${value}`);
    parts.push(
      `### \`${status}\``,
      MEANINGS_OF_STATUSES[status],
      `\`\`\`text\n${line}\n\`\`\``,
      `\`solutions.txt\` has${flags.length > 0 ? `, with \`${flags.join('').trim()}\`,` : ''} this line:`,
      `\`\`\`text\n${solutions.split('\n')[0]}\n\`\`\``,
      `and the record of the puzzle is:`,
      `\`\`\`json\n${JSON.stringify(shown, undefined, 2)}\n\`\`\``,
    );
  }
  return parts.join('\n\n');
}

const MEANINGS_OF_STATUSES: Readonly<Record<PuzzleStatus, string>> = {
  solved:
    'The puzzle has exactly one solution, which is proven. (With `--solutions 1`, it is the first one found.)',
  multiple: 'The puzzle has more than one solution. The first one that was found is written.',
  unsolvable: 'The puzzle has no solution: the search was exhaustive.',
  invalid: 'Givens of the puzzle clash: the same digit is twice in a row, a column, a box or another unit.',
  unreadable: 'The puzzle could not be read. The record says where, what was found and what was expected.',
  limit:
    'The search ran out of its budget, so it is not known whether the puzzle has one solution. ' +
    'The message estimates the size of the search. `--max-nodes` raises the budget.',
};

type ErrorCode = FileErrorCode | 'clashing_givens' | 'unexpected_result' | 'max_written' | 'limit';

const MEANINGS_OF_ERRORS: Readonly<Record<ErrorCode, string>> = {
  bad_character: 'A character is neither a digit of the puzzle nor a blank.',
  bad_length: 'A puzzle, a row or a list has another length than its format or the others.',
  row_count: 'A grid has too many rows, or too few.',
  symbol_out_of_range: 'A number or a letter is larger than the puzzle allows.',
  ambiguous_alphabet: 'The symbols can be read in two ways: name them with `--alphabet`.',
  ambiguous_columns: 'It is not clear which column of a table has the puzzles.',
  bad_regions: 'The region map of a jigsaw has regions of a wrong size, or belongs to another puzzle.',
  unsupported_variant: 'The puzzle has a rule that is not supported, such as cages of a killer.',
  truncated: 'The file ends within a puzzle.',
  too_large: 'The file, or a puzzle in it, exceeds a limit. The message names the limit and its setting.',
  bad_encoding: 'The bytes are not text in UTF-8 or UTF-16.',
  no_puzzles: 'Nothing in the file is a puzzle that is known.',
  bad_option: 'An option of the job is unknown, or its value is wrong.',
  gone: 'The upload was deleted before it was read.',
  corrupt: 'The compressed data is damaged.',
  unsupported_compression: 'The file is compressed, or an archive, in a way that is not supported.',
  clashing_givens: 'The reason for the status `invalid`. The error lists the units and their cells.',
  unexpected_result:
    'The file says how many solutions the puzzle has, or which, and another result was found.',
  max_written: 'The puzzle has more solutions than may be written.',
  limit: 'The reason for the status `limit`.',
};

/** Errors that no case of the catalogue has: they are about uploads, bytes or searches. */
const OTHER_EXAMPLES: readonly (readonly [file: string | Uint8Array, options?: Record<string, string>])[] = [
  EXAMPLES.invalid,
  EXAMPLES.limit,
  [`${PUZZLE}:2\n${PUZZLE}:1\n`],
  [Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3)],
  [Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c)],
  ['Dear editor, the puzzles follow.\n'],
];

/** Every code of an error, its meaning, and a message. */
export async function errorTable(): Promise<string> {
  const messages = await errorMessages();
  const rows = Object.entries(MEANINGS_OF_ERRORS).map(([code, meaning]) => [
    `\`${code}\``,
    meaning,
    shortened(messages.get(code) ?? ''),
  ]);
  return table(['code', 'meaning', 'example of a message'], rows);
}

/** A message that fits into a table. */
function shortened(message: string): string {
  return message.length <= MAX_MESSAGE
    ? message
    : `${message.slice(0, message.lastIndexOf(' ', MAX_MESSAGE))} ...`;
}

async function errorMessages(): Promise<Map<string, string>> {
  const messages = new Map<string, string>();
  const add = (error: { readonly code: string; readonly message: string } | undefined) => {
    if (error !== undefined && !messages.has(error.code)) messages.set(error.code, error.message);
  };
  for (const [file, options] of OTHER_EXAMPLES) {
    const { records, rejected } = await solved(file, { ...options, records: 'true' });
    for (const { error } of records) add(error);
    add(rejected);
  }
  const parsed = parseOptions({ format: 'sudoku' });
  if ('errors' in parsed) parsed.errors.forEach(add);
  add(goneError('inbox/june.txt'));
  add(writtenError(1_000_000, 'a puzzle of 81 cells'));
  const isCover = ({ name }: CatalogueCase) => name.startsWith('exact-cover');
  for (const each of shortest().sort((a, b) => Number(isCover(a)) - Number(isCover(b)))) {
    const codes = [...each.records.join('\n').matchAll(/"code":"(\w+)"/g)].map(([, code]) => code!);
    if (codes.every((code) => messages.has(code))) continue;
    const { records, rejected } = await solved(each.input, each.options);
    for (const { error } of records) add(error);
    add(rejected);
  }
  return messages;
}

const MEANINGS_OF_WARNINGS: Readonly<Record<string, string>> = {
  rating_unsupported: 'The puzzle has more than 31 digits, and so no rating.',
  alphabet_assumed: 'The letters of a large puzzle can be read in two ways, and the usual one was taken.',
  blank_assumed: 'It is not certain which character is a blank.',
  blanks_mixed: 'The puzzle has two characters for a blank.',
  blanks_restored: 'Blanks at the end of a line were missing, and were added.',
  candidates_ignored: 'The puzzle has candidates next to its givens, which were not read.',
  entries_ignored: 'Entries of the player that are no givens were not read.',
  region_disconnected: 'The cells of a region do not touch.',
  unknown_member: 'A member of a JSON object is not known. It is kept as a label.',
  expected_unreadable: 'The solution that the file expects could not be read.',
};

/** Every warning, with the case of the catalogue that has it. */
export function warningTable(): string {
  const found = new Map<string, string>();
  for (const { records, title } of shortest()) {
    for (const [, list] of records.join('\n').matchAll(/"warnings":\[([^\]]*)\]/g)) {
      for (const [, code] of list!.matchAll(/"([a-z]+_[a-z_]+)/g))
        if (!found.has(code!)) found.set(code!, title);
    }
  }
  const unknown = [...found.keys()].filter((code) => MEANINGS_OF_WARNINGS[code] === undefined);
  if (unknown.length > 0) throw new Error(`warnings without a meaning: ${unknown}`);
  return table(
    ['warning', 'meaning'],
    Object.entries(MEANINGS_OF_WARNINGS).map(([code, meaning]) => [`\`${code}\``, meaning]),
  );
}

/** The cases of the catalogue, short ones first; not those that only the benchmark of reading needs. */
export function shortest(): CatalogueCase[] {
  const cases = catalogue().filter(({ name }) => !name.startsWith('speed/'));
  return cases.sort((a, b) => a.input.length - b.input.length);
}

interface Solved {
  readonly solutions: string;
  readonly records: readonly JobRecord[];
  readonly rejected?: { readonly code: string; readonly message: string };
}

/** Solves a file; its exceptions are its records unless the job has records. */
export async function solved(
  file: string | Uint8Array,
  options: Readonly<Record<string, string>>,
): Promise<Solved> {
  const files = new MemoryFiles();
  const outcome = await runText(file, options, { files, report: false });
  if (outcome.kind === 'rejected') return { solutions: '', records: [], rejected: outcome.error };
  const { closed } = files;
  const name = Object.keys(closed).find((each) => each.startsWith('solutions.'))!;
  const records = jsonLines(closed['records.jsonl'] ?? closed['exceptions.jsonl'] ?? '');
  return { solutions: closed[name]!, records };
}
