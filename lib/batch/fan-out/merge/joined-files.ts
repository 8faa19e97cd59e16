/**
 * Lists the files of a large job's result set, each with the parts from which it is joined.
 *
 *     shard 0, part 0    shard 1, part 0    shard 1, part 1
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
import type { PartResult } from '../solve-shard.ts';
import type { WorkKeys } from '../work-keys.ts';
import type { JoinInput } from './join-parts.ts';

/** A file of the result set and its parts. */
export interface JoinedFile {
  readonly name: string;
  readonly contentType: string;
  readonly inputs: readonly JoinInput[];
  readonly bytes: number;
  /** For the manifest: the checksum of the only part, or one for each part. */
  readonly checksum: Pick<ManifestFile, 'sha256' | 'parts'>;
}

const NO_BYTES = new Uint8Array(0);

/**
 * @param parts all parts of the job, in the order of the file; they have the same files
 */
export function joinedFiles(
  plan: ShardPlan,
  keys: WorkKeys,
  parts: readonly PartResult[],
  hashing: Hashing,
): JoinedFile[] {
  const options = optionsFromCanonical(plan.options);
  const writer = openWriter(options.output, plan.detection, options);
  const names = parts[0]?.files.map(({ name }) => name) ?? [];
  return names.map((name) => {
    const joined: JoinInput[] = [];
    const checksums: FilePart[] = [];
    for (const [k, part] of parts.entries()) {
      const separator = name.startsWith('solutions.') ? separatorBefore(k, parts, writer) : NO_BYTES;
      if (separator.length > 0) {
        joined.push(separator);
        checksums.push({ bytes: separator.length, sha256: sha256Hex(separator, hashing) });
      }
      const { bytes, sha256: checksum } = part.files.find((file) => file.name === name)!;
      if (bytes === 0) continue;
      joined.push({ key: keys.partFile(part, name), bytes });
      checksums.push({ bytes, sha256: checksum });
    }
    return {
      name,
      contentType: name.endsWith('.jsonl') ? JSON_LINES_TYPE : writer.contentType,
      inputs: joined,
      bytes: checksums.reduce((sum, { bytes }) => sum + bytes, 0),
      checksum: checksums.length === 1 ? { sha256: checksums[0]!.sha256 } : { parts: checksums },
    };
  });
}

/** Returns the separator between a part's first solution and the previous solution in any part. */
function separatorBefore(
  index: number,
  parts: readonly PartResult[],
  writer: ReturnType<typeof openWriter>,
): Uint8Array {
  const next = parts[index]!.writer;
  if (next === undefined) return NO_BYTES;
  let previous = index - 1;
  while (previous >= 0 && parts[previous]!.writer === undefined) previous--;
  if (previous < 0) return NO_BYTES;
  const out = new ByteBuffer(16);
  writer.writeSeparator(out, parts[previous]!.writer!.last, next.first);
  return out.take().slice();
}
