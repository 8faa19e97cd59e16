/** The Chromium for tests of pages: the one that `CHROMIUM` names, or one at its usual places. */
import { existsSync } from 'node:fs';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the browser; undefined if there is none: tests in a browser are then skipped. */
export const CHROMIUM = process.env.CHROMIUM ?? USUAL_PLACES.find((path) => existsSync(path));

/** Title of a group of tests in a browser: it names the reason if they are skipped. */
export function inBrowser(title: string): string {
  return CHROMIUM === undefined ? `${title} (skipped: no Chromium; CHROMIUM can name one)` : title;
}

// Continuous integration must not pass without these tests.
if (CHROMIUM === undefined && process.env.DLX_BATCH_REQUIRE_CHROMIUM === '1') {
  throw new Error(`no Chromium at ${USUAL_PLACES.join(', ')}: install one, or let CHROMIUM name it`);
}
