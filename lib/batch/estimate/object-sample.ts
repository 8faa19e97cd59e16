/** Samples a stored object before it is solved, to decide whether one function can solve it in time. */

import { utf16Of } from '../../formats/bytes/utf16.ts';
import { detectFormat } from '../../formats/formats.ts';
import { HEAD_BYTES } from '../../formats/reader.ts';
import type { Engine } from '../../sudoku/engine.ts';
import { containerOf } from '../job/containers.ts';
import { formatHints } from '../job/format-hints.ts';
import { collectBytes } from '../job/input.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock, ObjectStore } from '../ports.ts';
import type { ObjectSource } from '../storage/object-source.ts';
import { type CostSample, sampleCost } from './cost-sample.ts';

/** For smaller objects a sample costs more than it saves: if they are hard, the first seconds of solving show it. */
export const MIN_SAMPLED_BYTES = 8 * 1024 * 1024;

/** @returns undefined if the object is missing, compressed, UTF-16, or not a file of puzzles in cells */
export async function sampleObject(
  source: ObjectSource,
  options: SolveOptions,
  engine: Engine,
  store: ObjectStore,
  clock: Clock,
): Promise<CostSample | undefined> {
  const complete = source.bytes <= HEAD_BYTES;
  const to = complete ? source.bytes : HEAD_BYTES;
  const object = await store.range(source.bucket, source.key, source.versionId, 0, to);
  if (object === undefined) return undefined;
  return sampleFront(await collectBytes(object.body), complete, source.key, options, engine, clock);
}

/**
 * A sample of a file's front; undefined if it is compressed, UTF-16, or no file of puzzles in cells.
 *
 * @param front the file's first bytes
 * @param complete whether they are all of it
 */
export function sampleFront(
  front: Uint8Array,
  complete: boolean,
  fileName: string,
  options: SolveOptions,
  engine: Engine,
  clock: Clock,
): CostSample | undefined {
  if (containerOf(front) !== undefined || utf16Of(front) !== undefined) return undefined;
  const hints = { ...formatHints(options), fileName };
  const detection = detectFormat(front, complete, hints);
  if (detection.kind !== 'puzzles') return undefined;
  return sampleCost(front, complete, detection, hints, options, engine, clock);
}
