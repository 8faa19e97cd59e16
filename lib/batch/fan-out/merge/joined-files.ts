/**
 * Lists the files of a large job's result set, each with the pieces from which it is joined.
 *
 *     shard 0, piece 0    shard 1, piece 0    shard 1, piece 1
 *     solutions.txt     + solutions.txt     + solutions.txt        with the writer's separator between two
 *     exceptions.jsonl  + exceptions.jsonl  + exceptions.jsonl
 */
import { ByteBuffer } from '../../../formats/bytes/byte-buffer.ts';
import { openWriter } from '../../../formats/formats.ts';
import { sha256Hex } from '../../delivery/job-id.ts';
import type { FilePart, ManifestFile } from '../../delivery/manifest.ts';
import { optionsFromCanonical } from '../../options.ts';
import type { Hashing } from '../../ports.ts';
import { JSON_LINES_TYPE } from '../../results/content-types.ts';
import type { ShardPlan } from '../shard-plan.ts';
import type { PieceResult } from '../solve-shard.ts';
import type { WorkKeys } from '../work-keys.ts';
import type { JoinPiece } from './join-parts.ts';

/** A file of the result set and its pieces. */
export interface JoinedFile {
  readonly name: string;
  readonly contentType: string;
  readonly pieces: readonly JoinPiece[];
  readonly bytes: number;
  /** For the manifest: the checksum of the only piece, or one for each part. */
  readonly checksum: Pick<ManifestFile, 'sha256' | 'parts'>;
}

const NO_BYTES = new Uint8Array(0);

/**
 * @param pieces all pieces of the job, in the order of the file; they have the same files
 */
export function joinedFiles(
  plan: ShardPlan,
  keys: WorkKeys,
  pieces: readonly PieceResult[],
  hashing: Hashing,
): JoinedFile[] {
  const options = optionsFromCanonical(plan.options);
  const writer = openWriter(options.output, plan.detection, options);
  const names = pieces[0]?.files.map(({ name }) => name) ?? [];
  return names.map((name) => {
    const joined: JoinPiece[] = [];
    const parts: FilePart[] = [];
    for (const [k, piece] of pieces.entries()) {
      const separator = name.startsWith('solutions.') ? separatorBefore(k, pieces, writer) : NO_BYTES;
      if (separator.length > 0) {
        joined.push(separator);
        parts.push({ bytes: separator.length, sha256: sha256Hex(separator, hashing) });
      }
      const { bytes, sha256: checksum } = piece.files.find((file) => file.name === name)!;
      if (bytes === 0) continue;
      joined.push({ key: keys.pieceFile(piece, name), bytes });
      parts.push({ bytes, sha256: checksum });
    }
    return {
      name,
      contentType: name.endsWith('.jsonl') ? JSON_LINES_TYPE : writer.contentType,
      pieces: joined,
      bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      checksum: parts.length === 1 ? { sha256: parts[0]!.sha256 } : { parts },
    };
  });
}

/** Returns the separator between a piece's first solution and the previous solution in any piece. */
function separatorBefore(
  index: number,
  pieces: readonly PieceResult[],
  writer: ReturnType<typeof openWriter>,
): Uint8Array {
  const next = pieces[index]!.writer;
  if (next === undefined) return NO_BYTES;
  let previous = index - 1;
  while (previous >= 0 && pieces[previous]!.writer === undefined) previous--;
  if (previous < 0) return NO_BYTES;
  const out = new ByteBuffer(16);
  writer.writeSeparator(out, pieces[previous]!.writer!.last, next.first);
  return out.take().slice();
}
