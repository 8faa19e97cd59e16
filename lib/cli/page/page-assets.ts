/** The files of the page. Scripts are served from `browser/` unchanged, without a build step. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { PAGE_STYLES } from '../../batch/report/styles.ts';
import { HTML_TYPE } from '../../batch/results/content-types.ts';
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

/** Reads all files of the page, by path. @throws Error if a file cannot be read */
export function pageAssets(): ReadonlyMap<string, PageAsset> {
  const assets = new Map<string, PageAsset>([['/', { type: HTML_TYPE, body: pageMarkup() }]]);
  for (const name of readdirSync(BROWSER_FOLDER)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const text = readFileSync(new URL(name, BROWSER_FOLDER), 'utf8');
    // The page shares the styles of the reports.
    const body = name === 'page.css' ? `${PAGE_STYLES.source}${text}` : text;
    assets.set(`${PAGE_PATH}${name}`, { type, body });
  }
  return assets;
}
