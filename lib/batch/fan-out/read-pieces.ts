/** The pieces that the shards of a large job came to. */
import type { JobStorage } from '../commit.ts';
import { readJson } from '../read-json.ts';
import { inParallel } from './parallel.ts';
import type { ShardPlan } from './plan.ts';
import type { PieceResult } from './solve-shard.ts';
import type { WorkKeys } from './work-keys.ts';

/** Documents read at one time. */
const READS_AT_ONCE = 32;

/** Every piece, in the order of the file. @throws Error naming what is missing */
export async function readPieces(
  plan: ShardPlan,
  keys: WorkKeys,
  { store, resultsBucket }: Pick<JobStorage, 'store' | 'resultsBucket'>,
): Promise<PieceResult[]> {
  const names: string[] = [];
  for await (const key of store.list(resultsBucket, keys.pieces)) {
    if (/^\d+-\d+\.json$/.test(key.slice(keys.pieces.length))) names.push(key);
  }
  const pieces = await inParallel(names, READS_AT_ONCE, async (key) => {
    const found = await readJson<PieceResult>(store, resultsBucket, key);
    if (found === undefined) throw new Error(`${key} was deleted while its job ran`);
    return found.document;
  });
  const shardCount = await countShards(keys, { store, resultsBucket });
  let shard = 0;
  let index = 1;
  let ended = true;
  for (const piece of pieces) {
    const expected = ended ? { shard, piece: 0 } : { shard, piece: piece.piece };
    if (piece.shard !== expected.shard || piece.piece !== expected.piece || piece.firstIndex !== index) {
      throw new Error(`job ${plan.jobId}: a piece of shard ${shard} is missing: nothing is committed`);
    }
    index += piece.records;
    ended = piece.last;
    if (ended) shard++;
  }
  if (!ended || shard !== shardCount) {
    throw new Error(`job ${plan.jobId}: shard ${shard} of ${shardCount} is not solved: nothing is committed`);
  }
  return pieces;
}

async function countShards(
  keys: WorkKeys,
  { store, resultsBucket }: Pick<JobStorage, 'store' | 'resultsBucket'>,
): Promise<number> {
  const object = await store.get(resultsBucket, keys.shards);
  if (object === undefined) throw new Error(`${keys.shards} is not there: the job was never planned`);
  let lines = 0;
  for await (const bytes of object.body) for (const byte of bytes) if (byte === 10) lines++;
  return lines;
}
