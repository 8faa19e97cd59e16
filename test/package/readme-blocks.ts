/** The code blocks of the README and of the pages for users. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGES = [
  'README.md',
  'docs/tutorials/from-zero-to-aws.md',
  'docs/how-to/own-cdk-app.md',
  'docs/how-to/upload.md',
  'docs/how-to/s3-clients.md',
  'docs/how-to/local.md',
  'docs/how-to/events.md',
];
const pages = PAGES.map((page) => readFileSync(join(import.meta.dirname, '../..', page), 'utf8')).join('\n');

const fenced = [...pages.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
  language: language!,
  text: text!,
}));
const indented = [...pages.matchAll(/(?<=\n\n)(?: {4}.*\n)+/g)].map(([block]) =>
  block.replaceAll(/^ {4}/gm, ''),
);

/** Blocks of commands: indented by four spaces, or fenced as `sh`. */
export const commandBlocks = [
  ...indented,
  ...fenced.filter(({ language }) => language === 'sh').map(({ text }) => text),
];

/**
 * Blocks of code, which are fenced, with their language. One without imports goes on in the app of an earlier block;
 * `test/infra/outcome-events.test.ts` runs it.
 */
export const codeBlocks = fenced.filter(({ text }) => text.includes('import '));
