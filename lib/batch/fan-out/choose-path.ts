/** Whether a file is solved by the function that heard of it, or by many: from a sample of its front, before any work. */
import { detectFormat } from '../../formats/formats.ts';
import { HEAD_BYTES } from '../../formats/reader.ts';
import type { Engine } from '../../sudoku/engine.ts';
import { isGzip, joined } from '../input.ts';
import { formatHints } from '../job.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock, ObjectStore } from '../ports.ts';
import { sampleCost } from './cost-sample.ts';
import type { ShardSource } from './plan.ts';

/** Below this a sample costs more than it can save: if the puzzles are hard, the first seconds show it. */
const SAMPLED_BYTES = 8 * 1024 * 1024;

/**
 * How long a file would take one vCPU, in milliseconds; undefined where a sample does not tell: a small file, a packed
 * one, or one that is no file of puzzles in cells.
 */
export async function estimateMs(
  source: ShardSource,
  options: SolveOptions,
  engine: Engine,
  store: ObjectStore,
  clock: Clock,
): Promise<number | undefined> {
  if (source.bytes < SAMPLED_BYTES) return undefined;
  const object = await store.range(source.bucket, source.key, source.versionId, 0, HEAD_BYTES);
  if (object === undefined) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const bytes of object.body) pieces.push(bytes.slice());
  const head = joined(pieces);
  if (isGzip(head)) return undefined;
  const hints = { ...formatHints(options), fileName: source.key };
  const detection = detectFormat(head, false, hints);
  if (detection.kind !== 'puzzles') return undefined;
  const { usPerByte } = sampleCost(head, false, detection, hints, options, engine, clock);
  return (usPerByte * source.bytes) / 1000;
}
