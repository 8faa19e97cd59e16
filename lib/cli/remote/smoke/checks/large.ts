/** A file that takes several functions. */
import type { ManifestFile } from '../../../../batch/delivery/manifest.ts';
import { collectBytes } from '../../../../batch/job/input.ts';
import { copiedRange, joinParts } from '../../../../batch/large/join.ts';
import type { Finding } from '../../../terminal/finding.ts';
import { largeFile, speedFile } from '../smoke-files.ts';
import { smokeSettings } from '../smoke-settings.ts';
import type { SmokeStack } from '../smoke-stack.ts';
import { difference, type SolvedHere, solveLike } from '../solve-here.ts';
import { largeFinding } from '../verdicts.ts';
import { manifestOf, solutionsOf, statsOf } from './outcomes.ts';

export async function checkLarge(stack: SmokeStack): Promise<Finding> {
  const { outcome: slow } = await stack.outcome(await stack.upload(speedFile('speed.txt')));
  const { timing, search } = await statsOf(stack, slow);
  const nodeNs = (timing.solveMs * 1e6) / search.nodes;
  const file = largeFile('large.txt.gz', smokeSettings.large, nodeNs);
  const sent = await stack.upload(file);
  const { outcome, seconds } = await stack.outcome(sent, smokeSettings.largeSeconds);
  const here = await solveLike(file, outcome);
  const manifest = manifestOf(outcome);
  const stats = await statsOf(stack, outcome);
  const solutions = solutionsOf(manifest);
  const stored = await stack.connection.store.head(stack.connection.resultsBucket, solutions.key!);
  const parts = (solutions.parts ?? []).map(({ bytes }) => ({ key: '', bytes }));
  return largeFinding({
    puzzles: stats.puzzles.total,
    shards: stats.used?.shards ?? 1,
    copiedParts: joinParts(parts).filter((part) => copiedRange(part) !== undefined).length,
    storedParts: Number(/-(\d+)"?$/.exec(stored?.etag ?? '')?.[1] ?? 1),
    difference: difference(here, outcome) ?? (await boundaryDifference(stack, solutions, here)),
    seconds,
  });
}

/** Bytes before and after each boundary of two parts that are compared. */
const BOUNDARY_BYTES = 256;

/** Compares the stored bytes around each boundary with those of this machine: the manifest has only those of the parts. */
async function boundaryDifference(
  { connection }: SmokeStack,
  { name, key, bytes, parts = [] }: ManifestFile,
  here: SolvedHere,
): Promise<string | undefined> {
  const { store, resultsBucket } = connection;
  const expected = here.kind === 'completed' ? here.files.get(name)! : new Uint8Array(0);
  let boundary = 0;
  for (const part of parts) {
    boundary += part.bytes;
    const from = Math.max(0, boundary - BOUNDARY_BYTES);
    const to = Math.min(bytes, boundary + BOUNDARY_BYTES);
    const range = await store.range(resultsBucket, key!, undefined, from, to);
    const found = range === undefined ? new Uint8Array(0) : await collectBytes(range.body);
    if (Buffer.compare(found, expected.subarray(from, to)) !== 0) {
      return `the stored ${name} differs near byte ${boundary} from the result of this machine`;
    }
  }
  return undefined;
}
