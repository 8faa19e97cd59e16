/** The page's request to upload a file. */
import type { OptionTexts } from '../../batch/options.ts';

export interface UploadRequest {
  /** The file's name, or its path in the uploaded folder. */
  readonly name: string;
  readonly bytes: number;
  /** In hex; missing for a file that is too large to hash in a browser. */
  readonly sha256?: string;
  readonly options: OptionTexts;
  /** Whether to send the file even if the object exists unchanged. */
  readonly force: boolean;
}

/** Parses an upload request; undefined if it is invalid. */
export function parseUploadRequest(json: string): UploadRequest | undefined {
  const value = parsed(json);
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, bytes, sha256, options = {}, force = false } = value as Readonly<Record<string, unknown>>;
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
