/**
 * The end of a large job: the pieces of all shards become one file each, their counts one set of statistics, and the
 * manifest commits them. Nothing is committed unless every piece is there.
 *
 * Bytes are joined by the storage itself where pieces are large enough. Every step may be done again: a file that stands
 * with its size is not joined once more, and whatever follows the commit is idempotent.
 */

import { ByteBuffer } from '../../formats/byte-buffer.ts';
import { openWriter } from '../../formats/formats.ts';
import { commit, followCommit, type JobStorage, removeAttempt, type StoredJob } from '../commit.ts';
import { JSON_LINES_TYPE, JSON_TYPE } from '../content-types.ts';
import { joined } from '../input.ts';
import { formatHints } from '../job.ts';
import { createManifest, type FilePart, type ManifestFile } from '../manifest.ts';
import { optionsFromCanonical } from '../options.ts';
import type { Hashing, ResultFiles } from '../ports.ts';
import { lambdaDollars } from '../prices.ts';
import { readJson } from '../read-json.ts';
import { HTML_TYPE } from '../report/report-page.ts';
import { storeText, type WrittenFile } from '../result-files.ts';
import { jobKeys } from '../result-keys.ts';
import { JobStatistics, type JobStats, type RuntimeInfo } from '../statistics.ts';
import { type JoinPart, type JoinPiece, joinParts, MAX_PARTS } from './join-parts.ts';
import { mergedReport } from './merged-report.ts';
import { inParallel } from './parallel.ts';
import type { ShardPlan } from './plan.ts';
import { readPlan } from './read-plan.ts';
import type { PieceResult } from './solve-shard.ts';
import type { MergeInput, StepProgress } from './steps.ts';
import type { WorkKeys } from './work-keys.ts';

export interface MergeMachinery extends JobStorage {
  readonly hashing: Hashing;
  readonly runtime: RuntimeInfo;
  /** Milliseconds until this process is stopped. */
  remainingMs(): number;
  /** Least size of a part that is not the last one. @default 5 MiB, as S3 has it */
  readonly minPartBytes?: number;
}

/** Documents read, or parts stored, at one time. */
const READS_AT_ONCE = 32;
const PARTS_AT_ONCE = 8;
/** Parts between two looks at the time. */
const PARTS_A_STRIDE = 64;
/** Time that is kept for the commit. */
const RESERVE_MS = 60_000;

/** Where a merge stands that ran out of time. */
interface MergeCursor {
  /** The file that is being joined, its join, and how many of its parts are stored. */
  readonly file: number;
  readonly joinId: string;
  readonly parts: number;
}

/** Joins, counts and commits. */
export async function mergeShards(input: MergeInput, machinery: MergeMachinery): Promise<StepProgress> {
  const { plan, keys } = await readPlan(input, machinery);
  const pieces = await readPieces(plan, keys, machinery);
  return new Merge(plan, keys, pieces, machinery).run(input.cursor as MergeCursor | null);
}

/** Every piece, in the order of the file. @throws Error naming what is missing */
async function readPieces(
  plan: ShardPlan,
  keys: WorkKeys,
  { store, resultsBucket }: MergeMachinery,
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
  { store, resultsBucket }: Pick<MergeMachinery, 'store' | 'resultsBucket'>,
): Promise<number> {
  const object = await store.get(resultsBucket, keys.shards);
  if (object === undefined) throw new Error(`${keys.shards} is not there: the job was never planned`);
  let lines = 0;
  for await (const bytes of object.body) for (const byte of bytes) if (byte === 10) lines++;
  return lines;
}

/** A file of the result set, and the pieces that it is joined from. */
interface JoinedFile {
  readonly name: string;
  readonly contentType: string;
  readonly pieces: readonly JoinPiece[];
  readonly parts: readonly FilePart[];
  readonly bytes: number;
}

class Merge {
  readonly #plan: ShardPlan;
  readonly #keys: WorkKeys;
  readonly #pieces: readonly PieceResult[];
  readonly #machinery: MergeMachinery;
  readonly #job: StoredJob;

  constructor(plan: ShardPlan, keys: WorkKeys, pieces: readonly PieceResult[], machinery: MergeMachinery) {
    const { jobId, input } = plan;
    this.#plan = plan;
    this.#keys = keys;
    this.#pieces = pieces;
    this.#machinery = machinery;
    this.#job = { jobId, input, keys: jobKeys(input.key, input.versionId, jobId, machinery.hashing) };
  }

  async run(cursor: MergeCursor | null): Promise<StepProgress> {
    const files: ManifestFile[] = [];
    for (const [index, file] of this.#files().entries()) {
      const key = `${this.#job.keys.attempt(this.#plan.attempt)}${file.name}`;
      const next = await this.#join(index, key, file, cursor?.file === index ? cursor : null);
      if (next !== undefined) return { done: false, cursor: { ...next } };
      files.push({ name: file.name, key, bytes: file.bytes, ...checksumOf(file) });
    }
    await this.#commit(files);
    return { done: true, cursor: null };
  }

  /** The files that all pieces have, with what stands between their pieces. */
  #files(): JoinedFile[] {
    const names = this.#pieces[0]?.files.map(({ name }) => name) ?? [];
    return names.map((name) => {
      const pieces: JoinPiece[] = [];
      const parts: FilePart[] = [];
      for (const [k, piece] of this.#pieces.entries()) {
        const joint = name.startsWith('solutions.') ? this.#jointBefore(k) : NO_BYTES;
        if (joint.length > 0) {
          pieces.push(joint);
          parts.push({ bytes: joint.length, sha256: this.#sha256(joint) });
        }
        const { bytes, sha256 } = piece.files.find((file) => file.name === name)!;
        if (bytes === 0) continue;
        pieces.push({ key: this.#keys.pieceFile(piece.shard, piece.piece, name), bytes });
        parts.push({ bytes, sha256 });
      }
      const contentType = name.endsWith('.jsonl') ? JSON_LINES_TYPE : this.#writer().contentType;
      return { name, contentType, pieces, parts, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0) };
    });
  }

  #writer() {
    const options = optionsFromCanonical(this.#plan.options);
    return openWriter(options.output, this.#plan.detection, formatHints(options));
  }

  /** What stands before a piece's first solution, behind that of the piece that has the one before it. */
  #jointBefore(index: number): Uint8Array {
    const behind = this.#pieces[index]!.writer;
    if (behind === undefined) return NO_BYTES;
    let before = index - 1;
    while (before >= 0 && this.#pieces[before]!.writer === undefined) before--;
    if (before < 0) return NO_BYTES;
    const out = new ByteBuffer(16);
    this.#writer().joint(out, this.#pieces[before]!.writer!.last, behind.first);
    return out.take().slice();
  }

  /** Joins a file; where it stands, if the time ran out. */
  async #join(
    index: number,
    key: string,
    { pieces, bytes, contentType }: JoinedFile,
    cursor: MergeCursor | null,
  ): Promise<MergeCursor | undefined> {
    const { store, resultsBucket, remainingMs, minPartBytes } = this.#machinery;
    // A join whose completion was not heard of stands already.
    if ((await store.head(resultsBucket, key))?.size === bytes) return undefined;
    const parts = joinParts(pieces, minPartBytes);
    if (parts.length <= 1) {
      const body = parts.length === 0 ? NO_BYTES : await this.#gather(parts[0]!);
      await store.put(resultsBucket, key, body, contentType);
      return undefined;
    }
    if (parts.length > MAX_PARTS) {
      throw new Error(`${key} would be joined from ${parts.length} parts, and S3 takes ${MAX_PARTS}`);
    }
    const joinId = cursor?.joinId ?? (await store.beginJoin(resultsBucket, key, contentType));
    const target = { bucket: resultsBucket, key, joinId };
    for (let done = cursor?.parts ?? 0; done < parts.length; done += PARTS_A_STRIDE) {
      if (remainingMs() < RESERVE_MS && done > (cursor?.parts ?? 0)) {
        return { file: index, joinId, parts: done };
      }
      const stride = parts.slice(done, done + PARTS_A_STRIDE);
      await inParallel(stride, PARTS_AT_ONCE, async (part, k) => {
        const source = part.kind === 'copy' ? { bucket: resultsBucket, ...part } : await this.#gather(part);
        await store.joinPart(target, done + k + 1, source);
      });
    }
    await store.completeJoin(target, parts.length);
    return undefined;
  }

  /** The bytes of a part. */
  async #gather(part: JoinPart): Promise<Uint8Array> {
    const { store, resultsBucket } = this.#machinery;
    const slices = part.kind === 'copy' ? [part] : part.slices;
    const bytes: Uint8Array[] = [];
    for (const slice of slices) {
      if (slice instanceof Uint8Array) {
        bytes.push(slice);
        continue;
      }
      const object = await store.range(resultsBucket, slice.key, undefined, slice.from, slice.to);
      if (object === undefined) throw new Error(`${slice.key} was deleted while its job ran`);
      for await (const piece of object.body) bytes.push(piece.slice());
    }
    return joined(bytes);
  }

  async #commit(files: ManifestFile[]): Promise<void> {
    const plan = this.#plan;
    const statistics = this.#mergedStatistics();
    const stats = this.#stats(statistics);
    const slowest = statistics.slowestRecords();
    const report = await mergedReport(plan, this.#keys, this.#pieces, stats, slowest, this.#machinery);
    const documents = [
      await this.#store('stats.json', JSON_TYPE, `${JSON.stringify(stats, undefined, 2)}\n`),
      await this.#store('report.html', HTML_TYPE, report),
    ];
    const folder = this.#job.keys.attempt(plan.attempt);
    const manifest = createManifest({
      jobId: plan.jobId,
      attempt: plan.attempt,
      input: plan.input,
      canonicalOptions: plan.options,
      reproducible: true,
      puzzles: stats.puzzles,
      engine: stats.engine,
      files: [...files, ...documents.map((file) => ({ ...file, key: `${folder}${file.name}` }))],
    });
    const standing = await commit(this.#job, manifest, this.#machinery);
    if (standing.attempt !== plan.attempt) await removeAttempt(this.#job, plan.attempt, this.#machinery);
    await followCommit(this.#job, standing, this.#machinery);
  }

  #mergedStatistics(): JobStatistics {
    const statistics = new JobStatistics();
    for (const piece of this.#pieces) statistics.merge(piece.statistics);
    return statistics;
  }

  #stats(statistics: JobStatistics): JobStats {
    const { clock, runtime } = this.#machinery;
    const wallMs = Math.max(0, Date.parse(clock.timeOfDay()) - Date.parse(this.#plan.startedAt));
    const times = { wallMs, readMs: 0, parseMs: 0, writeMs: 0 };
    let functionMs = 0;
    let gbSeconds = 0;
    for (const piece of this.#pieces) {
      times.readMs += piece.times.readMs;
      times.parseMs += piece.times.parseMs;
      times.writeMs += piece.times.writeMs;
      functionMs += piece.times.wallMs;
      gbSeconds += (piece.times.wallMs / 1000) * (piece.memoryMb / 1024);
    }
    const { engine, shard } = this.#pieces.at(-1)!;
    const used = {
      shards: shard + 1,
      pieces: this.#pieces.length,
      functionMs: Math.round(functionMs),
      gbSeconds: Math.round(gbSeconds * 1000) / 1000,
      lambdaDollars: Number(lambdaDollars(gbSeconds, this.#pieces.length).toPrecision(3)),
    };
    return { ...statistics.stats(times, engine, runtime), used };
  }

  /** A file of the attempt that is written at once. */
  #store(name: string, contentType: string, text: string): Promise<WrittenFile> {
    const { store, resultsBucket, hashing } = this.#machinery;
    const folder = this.#job.keys.attempt(this.#plan.attempt);
    const files: ResultFiles = {
      open: (fileName, type) => store.writer(resultsBucket, `${folder}${fileName}`, type),
    };
    return storeText(name, contentType, text, files, hashing);
  }

  #sha256(bytes: Uint8Array): string {
    const hash = this.#machinery.hashing.sha256();
    hash.update(bytes);
    return hash.hex();
  }
}

const NO_BYTES = new Uint8Array(0);

/** One piece's checksum is the file's. */
function checksumOf({ parts, bytes }: JoinedFile): Pick<ManifestFile, 'sha256' | 'parts'> {
  return parts.length === 1 && bytes > 0 ? { sha256: parts[0]!.sha256 } : { parts };
}
