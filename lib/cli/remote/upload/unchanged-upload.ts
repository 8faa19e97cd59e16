/** Whether a file is in the input bucket already, so that it need not be sent again. */
import { OPTION_METADATA_PREFIX } from '../../../batch/names.ts';
import type { OptionTexts } from '../../../batch/options.ts';
import type { ObjectInfo } from '../../../batch/ports.ts';

/** Metadata in which an upload says what its bytes are. */
export const CHECKSUM_METADATA = 'content-sha256';

/** Whether an object is this file, uploaded with these options. @param checksum SHA-256 of the file in hex */
export function isUnchanged({ metadata }: ObjectInfo, checksum: string, texts: OptionTexts): boolean {
  return metadata[CHECKSUM_METADATA] === checksum && sameOptions(metadata, texts);
}

function sameOptions(metadata: Readonly<Record<string, string>>, texts: OptionTexts): boolean {
  const there = Object.entries(metadata)
    .filter(([name]) => name.startsWith(OPTION_METADATA_PREFIX))
    .map(([name, text]) => `${name.slice(OPTION_METADATA_PREFIX.length)}=${text}`);
  const wanted = Object.entries(texts).map(([name, text]) => `${name}=${text}`);
  return there.sort().join('\n') === wanted.sort().join('\n');
}
