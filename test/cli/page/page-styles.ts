/** The styles of the page as its server sends them. */
import { readFileSync } from 'node:fs';
import { PAGE_STYLES } from '../../../lib/batch/report/styles.ts';

export function pageStyles(): string {
  const styles = new URL('../../../lib/cli/page/browser/puzzles.css', import.meta.url);
  return PAGE_STYLES.source + readFileSync(styles, 'utf8');
}
