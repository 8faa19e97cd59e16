/** What the page says of a file that it wants to upload. */
import type { OptionTexts } from '../../batch/options.ts';

export interface UploadRequest {
  /** The file's name; of a file in a folder its path there. */
  readonly name: string;
  readonly bytes: number;
  /** In hex; left out for a file that is too large to be hashed in a browser. */
  readonly sha256?: string;
  readonly options: OptionTexts;
  /** Whether it is sent even where it is there already, unchanged. */
  readonly force: boolean;
}

/** Reads it; undefined for what is none. */
export function parseUploadRequest(json: string): UploadRequest | undefined {
  const found = parsed(json);
  if (typeof found !== 'object' || found === null) return undefined;
  const { name, bytes, sha256, options = {}, force = false } = found as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || !Number.isSafeInteger(bytes) || Number(bytes) < 0) return undefined;
  if (sha256 !== undefined && (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)))
    return undefined;
  if (!isTexts(options) || typeof force !== 'boolean') return undefined;
  return { name, bytes: Number(bytes), sha256, options, force };
}

function isTexts(value: unknown): value is OptionTexts {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string')
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
