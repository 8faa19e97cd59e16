/** The golden corpus' interface to the library: it solves jobs and generates puzzles. */
import { RESULT_SCHEMA } from '../../lib/batch/version.ts';
import { ByteBuffer } from '../../lib/formats/bytes/byte-buffer.ts';
import { FORMAT_NAMES, OUTPUT_PROFILES } from '../../lib/formats/formats.ts';
import { puzzleWriter, puzzleWriterProblem } from '../../lib/formats/writing/puzzle-writer.ts';
import { PuzzleSeries } from '../../lib/sudoku/generator/puzzle-series.ts';
import { parseBox } from '../../lib/sudoku/geometry/geometry.ts';
import { needsRegions, VARIANT_NAMES, type VariantName } from '../../lib/sudoku/geometry/variants.ts';
import { largeJob, runLarge } from '../support/large-job.ts';
import { MemoryBuckets } from '../support/memory-store.ts';
import { readResultSet } from '../support/result-set.ts';
import { MemoryFiles, runText } from '../support/run-job.ts';
import { upload } from '../support/uploads.ts';

export { samples } from '../../lib/cli/files/samples.ts';
export { FORMAT_NAMES as FORMATS, OUTPUT_PROFILES as PROFILES, RESULT_SCHEMA, VARIANT_NAMES as VARIANTS };

export interface Input {
  readonly name: string;
  readonly plain: Uint8Array;
  /** Compresses the plain bytes. */
  readonly pack?: (plain: Uint8Array) => Uint8Array;
}

/** The files of a result set by name, one character for each byte. */
export type ResultTexts = Readonly<Record<string, string>>;

/** Runs a job in this process; `count-only` is a flag of the request, all others are options as in metadata. */
export async function solve(
  { plain, pack }: Input,
  options: string,
): Promise<{ readonly files: ResultTexts; readonly counts: string }> {
  const { 'count-only': countOnly, ...texts } = optionTexts(options);
  const files = new MemoryFiles();
  const request = { files, report: false, countOnly: countOnly === 'true' };
  const outcome = await runText(pack?.(plain) ?? plain, texts, request);
  if (outcome.kind === 'rejected') {
    const error = Buffer.from(`${JSON.stringify(outcome.error)}\n`);
    return { files: byteTexts({ 'error.jsonl': error }), counts: `rejected: ${outcome.error.code}` };
  }
  const statuses = Object.entries(outcome.stats.puzzles).filter(([, count]) => count > 0);
  return {
    files: byteTexts(files.closedBytes),
    counts: statuses.map(([status, count]) => `${status} ${count}`).join(', '),
  };
}

/** Solves a file in shards, as the state machine does. */
export async function solveInShards(
  { plain }: Input,
  options: string,
  shardBytes: number,
): Promise<ResultTexts> {
  const buckets = new MemoryBuckets(64);
  const texts = optionTexts(options);
  await runLarge(buckets, largeJob(upload(buckets, 'inbox/puzzles', plain, texts), texts), { shardBytes });
  const files = Object.entries(readResultSet(buckets, 'inbox/puzzles').files);
  return byteTexts(Object.fromEntries(files.map(([name, text]) => [name, Buffer.from(text)])));
}

function optionTexts(options: string): Readonly<Record<string, string>> {
  return Object.fromEntries(options.split(' ').flatMap((text) => (text === '' ? [] : [text.split('=')])));
}

/** The files without times. */
function byteTexts(files: Readonly<Record<string, Buffer>>): ResultTexts {
  const untimed = Object.entries(files).filter(([name]) => !['stats.json', 'report.html'].includes(name));
  return Object.fromEntries(untimed.map(([name, bytes]) => [name, bytes.toString('latin1')]));
}

/** Two puzzles with most cells given and one with few, written in each profile; without duplicate texts. */
export function generatedFiles(
  variant: VariantName,
  size: number,
  boxText = '',
  seed = 0,
): Record<string, string> {
  const cellCount = variant === 'samurai' ? 369 : size ** 2;
  const [most, few] = [0.6, 0.4].map((share, k) => {
    const givens = Math.ceil(cellCount * share);
    return new PuzzleSeries({ variant, size, box: parseBox(boxText), seed: seed + k, givens, unique: false });
  });
  const puzzles = [most.next(), most.next(), few.next()];
  const files = new Map<string, string>();
  for (const profile of OUTPUT_PROFILES) {
    if (puzzleWriterProblem(profile, size, needsRegions(variant), undefined) !== undefined) continue;
    const out = new ByteBuffer();
    const writer = puzzleWriter(profile);
    writer.begin(out);
    for (const puzzle of puzzles) writer.write(out, puzzle);
    writer.end(out);
    const text = new TextDecoder().decode(out.take());
    if (!files.has(text)) files.set(text, profile);
  }
  return Object.fromEntries([...files].map(([text, profile]) => [profile, text]));
}
