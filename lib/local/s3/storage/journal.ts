/**
 * The journal of the server's changes, in their order.
 *
 * Data files are written before the line that names them; a file that no line names is left over from a dead process.
 */
import { join } from 'node:path';
import { JournalFile } from '../../journal-file.ts';
import { Catalog, type JournalRecord } from './catalog.ts';
import type { ScratchFile } from './scratch-file.ts';

const FIRST_LINE = { schema: 'dlx-batch/local-s3-journal@1' } as const;

export type Journal = JournalFile<JournalRecord | typeof FIRST_LINE>;

/**
 * Reads the journal of a folder, compacts it, and opens it for appending.
 *
 * @param scratch of the catalog
 * @throws Error with the line number if a line other than the last cannot be read or applied
 */
export function openJournal(
  folder: string,
  scratch: ScratchFile,
): { readonly journal: Journal; readonly catalog: Catalog } {
  const catalog = new Catalog(scratch);
  const journal: Journal = new JournalFile(join(folder, 'journal.jsonl'), 'local S3 server', (lines) => {
    let isKnown = false;
    for (const line of lines) {
      isKnown ||= 'schema' in line && line.schema === FIRST_LINE.schema;
      if (!isKnown) throw new Error('this is not a journal of this server');
      if ('op' in line) catalog.apply(line);
    }
    return linesOf(catalog);
  });
  return { journal, catalog };
}

/** The shortest journal of a catalog. */
function* linesOf(catalog: Catalog) {
  yield FIRST_LINE;
  yield* catalog.records();
}
