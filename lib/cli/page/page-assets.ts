/** The files of the page. The package has its scripts as bundles; a checkout bundles them when its sources have changed. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { PAGE_STYLES } from '../../batch/report/styles.ts';
import { HTML_TYPE } from '../../batch/results/content-types.ts';
import { buildOfSources } from '../../local/deployments.ts';
import { bundlePage } from './page-bundle.ts';
import { pageMarkup } from './page-markup.ts';

/** Path prefix of the page's files and answers. */
export const PAGE_PATH = '/_page/';

export interface PageAsset {
  readonly type: string;
  readonly body: string;
}

const BROWSER_FOLDER = new URL('browser/', import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads all files of the page, by path. @throws Error if a file cannot be read, or a script cannot be bundled */
export async function pageAssets(): Promise<ReadonlyMap<string, PageAsset>> {
  const isBuilt = existsSync(new URL('solver-worker.js', BROWSER_FOLDER));
  const files = new Map<string, string>();
  for (const name of readdirSync(BROWSER_FOLDER)) {
    const isServed = extname(name) in TYPES && (isBuilt || extname(name) !== '.js');
    if (isServed) files.set(name, readFileSync(new URL(name, BROWSER_FOLDER), 'utf8'));
  }
  const bundled = isBuilt ? [] : await pageScripts();
  for (const [name, script] of bundled) files.set(name, script);
  // The page shares the styles of the reports.
  const styles = `${PAGE_STYLES.source}${files.get('puzzles.css')}${files.get('page.css')}`;
  const assets = new Map<string, PageAsset>([['/', { type: HTML_TYPE, body: pageMarkup() }]]);
  for (const [name, text] of files) {
    const body = name === 'page.css' ? styles : text;
    assets.set(`${PAGE_PATH}${name}`, { type: TYPES[extname(name)]!, body });
  }
  return assets;
}

/** The scripts of this checkout: those of an earlier start with the same sources, if it could keep them. */
async function pageScripts(): Promise<ReadonlyMap<string, string>> {
  const folder = await buildOfSources('page', async (to) => {
    for (const [name, script] of await bundlePage()) writeFileSync(join(to, name), script);
  });
  if (folder === undefined) return bundlePage();
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
