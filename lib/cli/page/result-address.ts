/** Addresses of result files on the page's own origin: they name an input version, so nothing else can be read by them. */
import type { RemoteJob } from '../remote/jobs/job-list.ts';

/** Where addresses of results begin. */
export const RESULTS_PATH = '/_page/results/';

/** A file of a version's result set. */
export interface ResultRequest {
  readonly key: string;
  readonly versionId: string;
  /** Its name in the manifest, or `manifest.json`. */
  readonly name: string;
  /** To be looked at in a tab, or saved. */
  readonly use: 'look' | 'save';
}

export function resultAddress(
  { key, versionId }: Pick<RemoteJob, 'key' | 'versionId'>,
  name: string,
  use: ResultRequest['use'],
): string {
  const query = new URLSearchParams({ key, version: versionId, use });
  return `${RESULTS_PATH}${encodeURIComponent(name)}?${query}`;
}

/** What an address asks for; undefined for one that is none of a result. */
export function parseResultAddress({ pathname, searchParams }: URL): ResultRequest | undefined {
  const key = searchParams.get('key');
  const versionId = searchParams.get('version');
  if (!pathname.startsWith(RESULTS_PATH) || key === null || versionId === null) return undefined;
  const encoded = pathname.slice(RESULTS_PATH.length);
  const use = searchParams.get('use') === 'look' ? 'look' : 'save';
  try {
    return { key, versionId, name: decodeURIComponent(encoded), use };
  } catch {
    return undefined;
  }
}
