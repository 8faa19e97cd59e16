/**
 * Pages with generated parts, which stand between two comments:
 *
 *     <!-- generated: limits -->
 *     ...
 *     <!-- end of generated -->
 */
import { readFileSync } from 'node:fs';
import { blockText } from './blocks.ts';
import { DOCS, documentPages } from './document-pages.ts';

const GENERATED = /<!-- generated: ([\w ]+) -->\n[\s\S]*?<!-- end of generated -->/g;

/** The paths of the pages in `docs` that have generated parts. */
export function generatedPages(): string[] {
  return documentPages().filter((page) => page !== 'README.md' && textOf(page).search(GENERATED) >= 0);
}

/** A page with its generated parts as the program gives them now. */
export async function generatedPage(path: string): Promise<string> {
  const text = textOf(path);
  const names = [...text.matchAll(GENERATED)].map(([, name]) => name!);
  const blocks = new Map<string, string>();
  for (const name of names) blocks.set(name, await blockText(name));
  return text.replaceAll(
    GENERATED,
    (_, name) => `<!-- generated: ${name} -->\n\n${blocks.get(name)}\n\n<!-- end of generated -->`,
  );
}

function textOf(path: string): string {
  return readFileSync(new URL(path, DOCS), 'utf8');
}
