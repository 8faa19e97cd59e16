/** Result sets on this machine, as records: `records.jsonl`, or what the other files of the set say. */
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { createInterface } from 'node:readline';
import type { Manifest } from '../../batch/delivery/manifest.ts';
import type { JobRecord } from '../../batch/results/job-record.ts';
import { EXCEPTIONS_FILE } from '../../batch/results/result-files.ts';
import { BlockPool } from '../../batch/solving/block-pool.ts';
import { gridText } from '../../formats/formats.ts';
import { CommandError } from '../exit.ts';
import { readSolveOptions } from '../option-values.ts';
import { openSource } from './each-file.ts';

const MANIFEST = 'manifest.json';
const RECORDS = 'records.jsonl';

export interface RecordSet {
  /** Below the folder that was named; empty for the set that was named itself. */
  readonly name: string;
  /** Whether its records have puzzles; without them, records are known by their numbers. */
  readonly hasPuzzles: boolean;
  records(): AsyncIterable<JobRecord>;
}

/**
 * The result sets in a folder, by name, or that of a file of records.
 *
 * @throws CommandError if there is none
 */
export async function findRecordSets(path: string): Promise<RecordSet[]> {
  if ((await stat(path)).isFile()) return [{ name: '', hasPuzzles: true, records: () => linesOf(path) }];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isFile() && entry.name === MANIFEST)
    .map(({ parentPath }) => parentPath)
    .sort();
  const found = folders.length === 0 && existsSync(join(path, RECORDS)) ? [path] : folders;
  if (found.length === 0) {
    throw new CommandError(
      `${path}: found no result set; expected a folder with ${MANIFEST}, folders of such, or a file ${RECORDS}: write one with solve -o, or with download`,
    );
  }
  return Promise.all(found.map((folder) => setIn(folder, relative(path, folder).split(sep).join('/'))));
}

async function setIn(folder: string, name: string): Promise<RecordSet> {
  const records = join(folder, RECORDS);
  if (existsSync(records)) return { name, hasPuzzles: true, records: () => linesOf(records) };
  const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest;
  const { options, files } = manifest;
  const solutions = files.find((file) => file.name.startsWith('solutions.'))?.name;
  const isWhole =
    options.strict !== true && Number(options.solutions) <= 2 && existsSync(join(folder, `${solutions}`));
  if (!isWhole) {
    throw new CommandError(
      `${folder}: found no ${RECORDS}; expected it, as the other files do not have one solution of each puzzle: solve with --records`,
    );
  }
  return { name, hasPuzzles: false, records: () => fromSolutions(folder, solutions!, manifest) };
}

async function* linesOf(path: string): AsyncGenerator<JobRecord, void, void> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line === '') continue;
    const record = parsed(line);
    if (typeof record?.status !== 'string') {
      throw new CommandError(`${path}: found no record in line ${number}; expected a line of ${RECORDS}`);
    }
    yield record;
  }
}

function parsed(line: string): JobRecord | undefined {
  try {
    return JSON.parse(line) ?? undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The exceptions, and between them the solutions of the other puzzles, in the order of the file. */
async function* fromSolutions(
  folder: string,
  solutions: string,
  { puzzles: { total } }: Manifest,
): AsyncGenerator<JobRecord, void, void> {
  const exceptions = linesOf(join(folder, EXCEPTIONS_FILE));
  const grids = gridsOf(join(folder, solutions));
  let exception = await nextOf(exceptions);
  for (let index = 1; index <= total; index++) {
    const record = exception?.index === index ? exception : undefined;
    if (record !== undefined) exception = await nextOf(exceptions);
    const isWritten = record === undefined || (record.solution !== undefined && record.status !== 'limit');
    const solution = isWritten ? await nextOf(grids) : undefined;
    if (isWritten && solution === undefined) {
      throw new CommandError(
        `${join(folder, solutions)}: found no solution of puzzle ${index}; expected one for each solved puzzle: solve with --records`,
      );
    }
    // A record of an exception has its solution, in the symbols of the puzzle.
    yield record ?? { index, line: index, lineEnd: index, status: 'solved', solution };
  }
}

/** The next value; undefined at the end. */
async function nextOf<Value>(values: AsyncIterator<Value, void>): Promise<Value | undefined> {
  const next = await values.next();
  return next.done === true ? undefined : next.value;
}

/** The grids of a file of solutions. */
async function* gridsOf(path: string): AsyncGenerator<string, void, void> {
  const stored = { name: basename(path), bytes: (await stat(path)).size, stream: createReadStream(path) };
  const source = openSource(stored, readSolveOptions({}));
  try {
    const detection = await source.detectReadable();
    if (detection.kind !== 'puzzles') return;
    const pool = new BlockPool(false);
    for await (const block of source.blocks(detection, pool)) {
      for (let i = 0; i < block.count; i++) {
        const notes = block.notes.get(i);
        // A table has its puzzles too, next to their solutions.
        const solution = notes?.expected?.solution;
        if (solution !== undefined) yield gridText(block.layout, solution, 0);
        else if (notes?.error === undefined)
          yield gridText(block.layout, block.cells, i * block.geometry.cellCount);
      }
      pool.release(block, 0);
    }
  } finally {
    await source.close();
  }
}
