/** Addresses of result files on the page's origin. They name an input version, so they give access to nothing else. */
import type { InputVersion } from '../../batch/delivery/manifest.ts';

/** Path prefix of result files. */
export const RESULTS_PATH = '/_page/results/';

/** The file of a result set that an address names. */
export interface ResultRequest extends InputVersion {
  /** Name in the manifest, or `manifest.json`. */
  readonly name: string;
  /** Whether the browser shows the file in a tab or saves it. */
  readonly use: 'view' | 'save';
}

export function resultAddress(
  { key, versionId }: InputVersion,
  name: string,
  use: ResultRequest['use'],
): string {
  const query = new URLSearchParams({ key, version: versionId, use });
  return `${RESULTS_PATH}${encodeURIComponent(name)}?${query}`;
}

/** Parses an address; undefined if it is not that of a result. */
export function parseResultAddress({ pathname, searchParams }: URL): ResultRequest | undefined {
  const key = searchParams.get('key');
  const versionId = searchParams.get('version');
  if (!pathname.startsWith(RESULTS_PATH) || key === null || versionId === null) return undefined;
  const encoded = pathname.slice(RESULTS_PATH.length);
  const use = searchParams.get('use') === 'view' ? 'view' : 'save';
  try {
    return { key, versionId, name: decodeURIComponent(encoded), use };
  } catch {
    return undefined;
  }
}
