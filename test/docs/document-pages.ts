/** The pages of the documents. */
import { readdirSync } from 'node:fs';

export const DOCS = new URL('../../docs/', import.meta.url);

/** Their paths in `docs`, without the API reference, which is not committed. */
export function documentPages(): string[] {
  const folders = ['', 'tutorials/', 'how-to/', 'reference/', 'explanation/'];
  const paths = folders.flatMap((folder) =>
    readdirSync(new URL(folder, DOCS)).map((name) => `${folder}${name}`),
  );
  return paths.filter((path) => path.endsWith('.md'));
}
