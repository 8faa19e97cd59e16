/** The files of the page. Browsers get the scripts as they stand in `browser/`: nothing is built. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { PAGE_STYLES } from '../../batch/report/styles.ts';
import { HTML_TYPE } from '../../batch/results/content-types.ts';
import { pageMarkup } from './page-markup.ts';

/** Where addresses of the page begin; no bucket may have such a name. */
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

/** By path. @throws Error where they cannot be read */
export function pageAssets(): ReadonlyMap<string, PageAsset> {
  const assets = new Map<string, PageAsset>([['/', { type: HTML_TYPE, body: pageMarkup() }]]);
  for (const name of readdirSync(BROWSER_FOLDER)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const text = readFileSync(new URL(name, BROWSER_FOLDER), 'utf8');
    // The page looks like the reports that it leads to.
    const body = name === 'page.css' ? `${PAGE_STYLES.source}${text}` : text;
    assets.set(`${PAGE_PATH}${name}`, { type, body });
  }
  return assets;
}
