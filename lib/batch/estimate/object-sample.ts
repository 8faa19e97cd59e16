/** Samples a stored object for the estimate of a bulk run. */

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
  const head = await collectBytes(object.body);
  if (containerOf(head) !== undefined || utf16Of(head) !== undefined) return undefined;
  const hints = { ...formatHints(options), fileName: source.key };
  const detection = detectFormat(head, complete, hints);
  if (detection.kind !== 'puzzles') return undefined;
  return sampleCost({ source: { head, isWhole: complete }, detection, hints, options, engine, clock });
}
