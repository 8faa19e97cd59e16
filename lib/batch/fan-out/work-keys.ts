/**
 * Keys of what a large job leaves in the results bucket while it runs; all of it expires by itself.
 *
 *     work/<jobId>/<attempt>/plan.json               what was decided about the file
 *     work/<jobId>/<attempt>/plain                   the file unpacked, where it came packed
 *     work/<jobId>/<attempt>/ranges.jsonl            stretches to be counted, a line each
 *     work/<jobId>/<attempt>/counts/00000.json       what was counted in each
 *     work/<jobId>/<attempt>/scan/00000.jsonl        shards found by reading on from the front, a stretch of time each
 *     work/<jobId>/<attempt>/shards.jsonl            shards to be solved, a line each
 *     work/<jobId>/<attempt>/pieces/00000-000.json   the result of a shard's piece
 *     work/<jobId>/<attempt>/pieces/00000-000/<try>/ its files, as each try wrote them
 *     work/<jobId>/<attempt>/map/                    what the state machine's maps write themselves
 */
import { WORK_PREFIX } from '../names.ts';

export interface WorkKeys {
  readonly folder: string;
  readonly plan: string;
  readonly plain: string;
  readonly ranges: string;
  readonly shards: string;
  readonly map: string;
  /** Results of pieces lie under this prefix. */
  readonly pieces: string;
  count(shard: number): string;
  scan(stretch: number): string;
  piece(shard: number, piece: number): string;
  /** A file of a piece as one try wrote it, such as `exceptions.jsonl`. */
  pieceFile(of: { shard: number; piece: number; tryId: string }, name: string): string;
}

export function workKeys(jobId: string, attempt: string): WorkKeys {
  const folder = `${WORK_PREFIX}${jobId}/${attempt}/`;
  const piece = (shard: number, ordinal: number) =>
    `${folder}pieces/${digits(shard, 5)}-${digits(ordinal, 3)}`;
  return {
    folder,
    plan: `${folder}plan.json`,
    plain: `${folder}plain`,
    ranges: `${folder}ranges.jsonl`,
    shards: `${folder}shards.jsonl`,
    map: `${folder}map/`,
    pieces: `${folder}pieces/`,
    count: (shard) => `${folder}counts/${digits(shard, 5)}.json`,
    scan: (stretch) => `${folder}scan/${digits(stretch, 5)}.json`,
    piece: (shard, ordinal) => `${piece(shard, ordinal)}.json`,
    pieceFile: (of, name) => `${piece(of.shard, of.piece)}/${of.tryId}/${name}`,
  };
}

/** Fixed width, so that keys sort as their numbers do. */
function digits(number: number, width: number): string {
  return String(number).padStart(width, '0');
}
