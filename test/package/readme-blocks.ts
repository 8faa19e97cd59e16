/** The code blocks of the README. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

/** Blocks of commands, which are indented by four spaces. */
export const commandBlocks = [...readme.matchAll(/(?<=\n\n)(?: {4}.*\n)+/g)].map(([block]) =>
  block.replaceAll(/^ {4}/gm, ''),
);

/**
 * Blocks of code, which are fenced, with their language. One without imports goes on in the app of an earlier block;
 * `test/infra/outcome-events.test.ts` runs it.
 */
export const codeBlocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
  .map(([, language, text]) => ({ language: language!, text: text! }))
  .filter(({ text }) => text.includes('import '));
