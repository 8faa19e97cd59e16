/**
 * Keys of the intermediate objects of a large job in the results bucket; a lifecycle rule expires all of them.
 *
 *     work/<jobId>/<attempt>/plan.json               the plan
 *     work/<jobId>/<attempt>/plain                   the unpacked file, if it is compressed or exact covers
 *     work/<jobId>/<attempt>/ranges.jsonl            ranges to count, one per line
 *     work/<jobId>/<attempt>/counts/00000.json       the count of each range
 *     work/<jobId>/<attempt>/scan/00000.json         shards, or long searches, found by one slice of a scan
 *     work/<jobId>/<attempt>/shards.jsonl            shards to solve, one per line
 *     work/<jobId>/<attempt>/parts/00000-000.json   the result of one part of a shard
 *     work/<jobId>/<attempt>/parts/00000-000/<id>/ its files, written by one attempt
 *     work/<jobId>/<attempt>/map/                    output of the map states
 */
import { WORK_PREFIX } from '../names.ts';

export type WorkKeys = ReturnType<typeof workKeys>;

export function workKeys(jobId: string, attempt: string) {
  const folder = `${WORK_PREFIX}${jobId}/${attempt}/`;
  const part = (shard: number, ordinal: number) => `${folder}parts/${digits(shard, 5)}-${digits(ordinal, 3)}`;
  return {
    plan: `${folder}plan.json`,
    plain: `${folder}plain`,
    ranges: `${folder}ranges.jsonl`,
    shards: `${folder}shards.jsonl`,
    map: `${folder}map/`,
    /** Prefix of the results of parts. */
    parts: `${folder}parts/`,
    count: (shard: number) => `${folder}counts/${digits(shard, 5)}.json`,
    scan: (slice: number) => `${folder}scan/${digits(slice, 5)}.json`,
    part: (shard: number, ordinal: number) => `${part(shard, ordinal)}.json`,
    /** Key of a file of a part, such as `exceptions.jsonl`, written by one attempt. */
    partFile: (of: { shard: number; part: number; attemptId: string }, name: string) =>
      `${part(of.shard, of.part)}/${of.attemptId}/${name}`,
  };
}

/** Fixed width, so that keys sort by number. */
function digits(number: number, width: number): string {
  return String(number).padStart(width, '0');
}
