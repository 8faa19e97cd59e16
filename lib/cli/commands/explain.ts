/** `dlx-batch solve --explain`: reports the size of each puzzle's exact-cover matrix. */

import { formatHints } from '../../batch/job/format-hints.ts';
import { FileRejection } from '../../batch/job/input.ts';
import { RecordSource } from '../../batch/job/record-source.ts';
import type { JobLimits } from '../../batch/job-limits.ts';
import type { SolveOptions } from '../../batch/options.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import { BlockPool } from '../../batch/solving/block-pool.ts';
import type { CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { systemClock } from '../../node/system.ts';
import { zlibUnpacking } from '../../node/unpacking.ts';
import { type MatrixReport, matrixReport, problemReport } from '../../sudoku/matrix-report.ts';
import { EXIT_FAILED, EXIT_SOLVED, EXIT_UNSOLVED } from '../exit.ts';
import { filesLeft } from '../files/files-left.ts';
import { type InputFile, rejectionMessage } from '../files/input-files.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { complain, print, printJson } from '../terminal/output.ts';

/**
 * Reports every puzzle of the files on standard output.
 *
 * @returns the exit status: 1 if a puzzle was unreadable, 2 if a whole file was
 */
export async function explainFiles(
  files: readonly InputFile[],
  options: SolveOptions,
  jobLimits: JobLimits,
  json: boolean,
): Promise<number> {
  let exitCode = EXIT_SOLVED;
  let done = 0;
  using _ = onInterrupt({ left: () => [filesLeft(files, done, 'explained')] });
  for (const [index, file] of files.entries()) {
    done = index;
    try {
      const unreadable = await explainFile(file, options, jobLimits, json);
      if (unreadable > 0 && exitCode === EXIT_SOLVED) exitCode = EXIT_UNSOLVED;
    } catch (error) {
      complain(`${file.path}: ${rejectionMessage(error)}`);
      exitCode = EXIT_FAILED;
    }
  }
  return exitCode;
}

/** @returns the number of unreadable puzzles */
async function explainFile(
  file: InputFile,
  options: SolveOptions,
  jobLimits: JobLimits,
  json: boolean,
): Promise<number> {
  const hints = { ...formatHints(options), fileName: file.name };
  const limits = { maxBytes: jobLimits.unpackedBytes, storedBytes: file.bytes };
  const stored = file.openReusingBuffers();
  const source = new RecordSource(stored, hints, zlibUnpacking, systemClock, false, limits);
  try {
    const detection = await source.detect();
    if (detection.kind === 'unreadable') throw new FileRejection(detection.error);
    let index = 0;
    let unreadable = 0;
    if (detection.kind === 'exact-cover') {
      for await (const record of source.covers(detection)) {
        if (!explainCover(file, record, ++index, json)) unreadable++;
      }
    }
    if (detection.kind !== 'puzzles') return unreadable;
    const pool = new BlockPool(false);
    for await (const block of source.blocks(detection, pool)) {
      for (let i = 0; i < block.count; i++) {
        if (!explainRecord(file, block, i, ++index, json)) unreadable++;
      }
      pool.release(block, 0);
    }
    return unreadable;
  } finally {
    await source.close();
  }
}

/** @returns whether the record is readable */
function explainRecord(
  file: InputFile,
  block: RecordBlock,
  i: number,
  index: number,
  json: boolean,
): boolean {
  const location = { file: file.path, index, line: block.line[i]! };
  const error = block.notes.get(i)?.error;
  if (error !== undefined) {
    explainError(location, error, json);
    return false;
  }
  const { geometry, cells } = block;
  const report = matrixReport(geometry, cells, i * geometry.cellCount);
  const { size } = geometry;
  const name = `puzzle ${index} (line ${location.line}), ${size}x${size}`;
  write(json, { ...location, size, ...report }, reportText(name, report));
  return true;
}

/** @returns whether the record is readable */
function explainCover(file: InputFile, record: CoverRecord, index: number, json: boolean): boolean {
  const { line, cover, error } = record;
  const location = { file: file.path, index, line };
  if (error !== undefined || cover === undefined) {
    explainError(location, error!, json);
    return false;
  }
  const report = problemReport(cover.problem);
  write(json, { ...location, ...report }, reportText(`puzzle ${index} (line ${line})`, report));
  return true;
}

function explainError(
  location: { readonly index: number; readonly line: number },
  error: { readonly message: string },
  json: boolean,
): void {
  const { index, line } = location;
  write(json, { ...location, error }, `puzzle ${index} (line ${line}): unreadable: ${error.message}`);
}

function reportText(name: string, report: MatrixReport): string {
  const { options, items, nodes, bytes, seedBytes } = report;
  return (
    `${name}: ${counted(options, 'option')}, ${counted(items, 'item')}, ` +
    `${counted(nodes, 'node')}; ${counted(bytes, 'byte')} in typed arrays, ${numberText(seedBytes)} in a linked layout with ` +
    '6 bytes per node, 2 per option, 1 per item'
  );
}

function write(json: boolean, record: unknown, line: string): void {
  if (json) printJson(record);
  else print([line]);
}
