/** A file of a result set on its way to a browser. */

import { findOutcome } from '../../batch/delivery/result-set.ts';
import { HTML_TYPE } from '../../batch/results/content-types.ts';
import { systemHashing } from '../../node/system.ts';
import type { Connection } from '../remote/connection.ts';
import { hasBaseName } from '../remote/download/result-file-names.ts';
import { downloadName } from './object-name.ts';
import type { ResultRequest } from './result-address.ts';

/** An opened file, and the headers that say what a browser does with it. */
export interface OpenedResult {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Opens a file that a committed result set names; undefined where there is none of that name. */
export async function openResult(
  { store, resultsBucket }: Connection,
  { key, versionId, name, use }: ResultRequest,
): Promise<OpenedResult | undefined> {
  const outcome = await findOutcome(store, resultsBucket, key, versionId, systemHashing);
  if (outcome?.kind !== 'completed') return undefined;
  const file = outcome.manifest.files.find((candidate) => candidate.name === name);
  const fileKey = name === 'manifest.json' ? outcome.key : file?.key;
  const object = fileKey === undefined ? undefined : await store.get(resultsBucket, fileKey);
  if (object === undefined) return undefined;
  // All but the report are somebody's own bytes: they are saved, never shown as a page.
  const look = use === 'look' && hasBaseName({ name }, 'report');
  return {
    headers: {
      'content-length': String(object.size),
      'content-type': look ? HTML_TYPE : 'application/octet-stream',
      'content-disposition': look ? 'inline' : disposition(downloadName(key, name)),
    },
    body: object.body,
  };
}

/** RFC 6266: the name as it is, and one without what a header cannot have for those who know no better. */
function disposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
