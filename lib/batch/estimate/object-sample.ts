/** Whether a file is solved by the function that heard of it, or by many: from a sample of its front, before any work. */
import { detectFormat } from '../../formats/formats.ts';
import { HEAD_BYTES } from '../../formats/reader.ts';
import type { Engine } from '../../sudoku/engine.ts';
import { formatHints } from '../job/format-hints.ts';
import { gathered, isGzip } from '../job/input.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock, ObjectStore } from '../ports.ts';
import type { ObjectSource } from '../storage/object-source.ts';
import { type CostSample, sampleCost } from './cost-sample.ts';

/** Below this a sample costs more than it can save: if the puzzles are hard, the first seconds show it. */
const SAMPLED_BYTES = 8 * 1024 * 1024;

/**
 * How long a file would take one vCPU, in milliseconds; undefined where a sample does not tell: a small file, a packed
 * one, or one that is no file of puzzles in cells.
 */
export async function estimateSolveMs(
  source: ObjectSource,
  options: SolveOptions,
  engine: Engine,
  store: ObjectStore,
  clock: Clock,
): Promise<number | undefined> {
  if (source.bytes < SAMPLED_BYTES) return undefined;
  const sample = await sampleObject(source, options, engine, store, clock);
  return sample && (sample.usPerByte * source.bytes) / 1000;
}

/** A sample of an object's front; undefined where it is gone, packed, or no file of puzzles in cells. */
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
  const head = await gathered(object.body);
  if (isGzip(head)) return undefined;
  const hints = { ...formatHints(options), fileName: source.key };
  const detection = detectFormat(head, complete, hints);
  if (detection.kind !== 'puzzles') return undefined;
  return sampleCost(head, complete, detection, hints, options, engine, clock);
}
