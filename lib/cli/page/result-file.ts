/** Opens a file of a result set for a browser, or many result sets as one archive. */
import { sep } from 'node:path';
import { makeZip } from 'client-zip';
import { findOutcome } from '../../batch/delivery/result-set.ts';
import { HTML_TYPE } from '../../batch/results/content-types.ts';
import { isResultFile } from '../../node/result-folder.ts';
import { systemHashing } from '../../node/system.ts';
import { resultFolders } from '../files/result-folders.ts';
import type { Buckets } from '../remote/connection.ts';
import { identityOf, type Job } from '../remote/jobs.ts';
import { hasBaseName } from '../remote/outcomes.ts';
import { downloadName } from './object-name.ts';
import type { ResultRequest } from './result-address.ts';

/** An opened file and its response headers. */
export interface OpenedResult {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Opens a file of a committed result set; undefined if there is no such file. */
export async function openResult(buckets: Buckets, wanted: ResultRequest): Promise<OpenedResult | undefined> {
  const { key, name, use } = wanted;
  const outcome = await findOutcome(buckets, wanted, systemHashing);
  if (outcome?.kind !== 'completed') return undefined;
  const file = outcome.manifest.files.find((candidate) => candidate.name === name);
  const fileKey = name === 'manifest.json' ? outcome.key : file?.key;
  const object = fileKey === undefined ? undefined : await buckets.store.get(buckets.resultsBucket, fileKey);
  if (object === undefined) return undefined;
  // Only the report is shown as a page. The other files have content from the user and are always saved.
  const view = use === 'view' && hasBaseName({ name }, 'report');
  return {
    headers: {
      'content-length': String(object.size),
      'content-type': view ? HTML_TYPE : 'application/octet-stream',
      'content-disposition': view ? 'inline' : disposition(downloadName(key, name)),
    },
    body: object.body,
  };
}

/** The first day that an archive can name: archives of the same files are the same. */
const NO_DATE = new Date(1980, 0, 1);

/** The result sets of jobs, each in a folder of its own, as one archive. A job whose results were deleted is left out. */
export async function openArchive(buckets: Buckets, jobs: readonly Job[]): Promise<OpenedResult> {
  const inputs = jobs.map((job) => ({ name: job.key, id: identityOf(job) }));
  const folders = await resultFolders('', inputs, false);
  async function* files() {
    for (const job of jobs) {
      const outcome = await findOutcome(buckets, job, systemHashing);
      if (outcome === undefined) continue;
      const own = { name: outcome.kind === 'completed' ? 'manifest.json' : 'error.json', key: outcome.key };
      const found = outcome.kind === 'completed' ? [...outcome.manifest.files, own] : [own];
      for (const { name, key } of found) {
        // A name could lead to another folder.
        if (!isResultFile(name) && name !== own.name) throw new Error(`a manifest names the file ${name}`);
        const object = await buckets.store.get(buckets.resultsBucket, key!);
        if (object === undefined) throw new Error(`${key} was deleted while it was read`);
        const path = `${folders.get(identityOf(job))!.replaceAll(sep, '/')}/${name}`;
        yield { name: path, input: object.body, size: object.size, lastModified: NO_DATE };
      }
    }
  }
  return {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': disposition('dlx-batch-results.zip'),
    },
    body: makeZip(files()),
  };
}

/** The Content-Disposition of RFC 6266: the exact name, and an ASCII name for older clients. */
function disposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
