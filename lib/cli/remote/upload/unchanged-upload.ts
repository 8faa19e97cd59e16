/** Detects a file that is already in the input bucket. */
import { OPTION_METADATA_PREFIX } from '../../../batch/names.ts';
import type { OptionTexts } from '../../../batch/options.ts';
import type { ObjectInfo } from '../../../batch/ports.ts';

/** Metadata key for the checksum of an upload. */
export const CHECKSUM_METADATA = 'content-sha256';

/** Whether an object has this checksum and these options. @param checksum SHA-256 of the file in hex */
export function isUnchanged({ metadata }: ObjectInfo, checksum: string, texts: OptionTexts): boolean {
  return metadata[CHECKSUM_METADATA] === checksum && sameOptions(metadata, texts);
}

function sameOptions(metadata: Readonly<Record<string, string>>, texts: OptionTexts): boolean {
  const stored = Object.entries(metadata)
    .filter(([name]) => name.startsWith(OPTION_METADATA_PREFIX))
    .map(([name, text]) => `${name.slice(OPTION_METADATA_PREFIX.length)}=${text}`);
  const wanted = Object.entries(texts).map(([name, text]) => `${name}=${text}`);
  return stored.sort().join('\n') === wanted.sort().join('\n');
}
