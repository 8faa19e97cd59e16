/**
 * The files of a large job's result set, each with the pieces that it is joined from.
 *
 *     shard 0, piece 0    shard 1, piece 0    shard 1, piece 1
 *     solutions.txt     + solutions.txt     + solutions.txt        with what the format's writer puts between two
 *     exceptions.jsonl  + exceptions.jsonl  + exceptions.jsonl
 */
import { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import { openWriter } from '../../formats/formats.ts';
import type { FilePart, ManifestFile } from '../delivery/manifest.ts';
import { optionsFromCanonical } from '../options.ts';
import type { Hashing } from '../ports.ts';
import { JSON_LINES_TYPE } from '../results/content-types.ts';
import type { JoinPiece } from './join-parts.ts';
import type { ShardPlan } from './plan.ts';
import type { PieceResult } from './solve-shard.ts';
import type { WorkKeys } from './work-keys.ts';

/** A file of the result set, and the pieces that it is joined from. */
export interface JoinedFile {
  readonly name: string;
  readonly contentType: string;
  readonly pieces: readonly JoinPiece[];
  readonly bytes: number;
  /** As the manifest names it: one piece's checksum is the file's. */
  readonly checksum: Pick<ManifestFile, 'sha256' | 'parts'>;
}

const NO_BYTES = new Uint8Array(0);

/**
 * The files that all pieces have.
 *
 * @param pieces all of the job's, in the order of the file
 */
export function joinedFiles(
  plan: ShardPlan,
  keys: WorkKeys,
  pieces: readonly PieceResult[],
  hashing: Hashing,
): JoinedFile[] {
  const options = optionsFromCanonical(plan.options);
  const writer = openWriter(options.output, plan.detection);
  const names = pieces[0]?.files.map(({ name }) => name) ?? [];
  return names.map((name) => {
    const joins: JoinPiece[] = [];
    const parts: FilePart[] = [];
    for (const [k, piece] of pieces.entries()) {
      const joint = name.startsWith('solutions.') ? jointBefore(k, pieces, writer) : NO_BYTES;
      if (joint.length > 0) {
        joins.push(joint);
        parts.push({ bytes: joint.length, sha256: sha256(joint, hashing) });
      }
      const { bytes, sha256: checksum } = piece.files.find((file) => file.name === name)!;
      if (bytes === 0) continue;
      joins.push({ key: keys.pieceFile(piece, name), bytes });
      parts.push({ bytes, sha256: checksum });
    }
    return {
      name,
      contentType: name.endsWith('.jsonl') ? JSON_LINES_TYPE : writer.contentType,
      pieces: joins,
      bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      checksum: parts.length === 1 ? { sha256: parts[0]!.sha256 } : { parts },
    };
  });
}

/** What stands before a piece's first solution, behind that of the piece that has the one before it. */
function jointBefore(
  index: number,
  pieces: readonly PieceResult[],
  writer: ReturnType<typeof openWriter>,
): Uint8Array {
  const behind = pieces[index]!.writer;
  if (behind === undefined) return NO_BYTES;
  let before = index - 1;
  while (before >= 0 && pieces[before]!.writer === undefined) before--;
  if (before < 0) return NO_BYTES;
  const out = new ByteBuffer(16);
  writer.writeSeparator(out, pieces[before]!.writer!.last, behind.first);
  return out.take().slice();
}

function sha256(bytes: Uint8Array, hashing: Hashing): string {
  const hash = hashing.sha256();
  hash.update(bytes);
  return hash.hex();
}
