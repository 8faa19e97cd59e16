/** What axe-core finds on the page that a browser shows. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { HeadlessBrowser } from './headless-browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @returns the rule and the first element of each finding */
export async function axeFindings(browser: HeadlessBrowser): Promise<string[]> {
  await browser.evaluate(AXE);
  return browser.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200)))',
  );
}
