/** The documents name every format, output, variant, engine and command. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../lib/cli/commands.ts';
import { FORMAT_NAMES, OUTPUT_PROFILES } from '../lib/formats/formats.ts';
import { ENGINE_NAMES } from '../lib/sudoku/engine.ts';
import { VARIANT_NAMES } from '../lib/sudoku/geometry/variants.ts';
import { documentPages } from './docs/document-pages.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const pages = documentPages().map((path) => `docs/${path}`);
const documents = ['README.md', ...pages].map(read).join('\n');
const commands = COMMANDS.map(({ name }) => name);

describe.each([
  ['format', FORMAT_NAMES.map((name) => `\`${name}\``)],
  ['output', OUTPUT_PROFILES.map((name) => `\`${name}\``)],
  ['variant', VARIANT_NAMES.map((name) => `\`${name}\``)],
  ['engine', ENGINE_NAMES.map((name) => `\`${name}\``)],
  ['command', commands.map((name) => `\`${name}`)],
])('every %s', (_kind, names) => {
  it.each(names)('%s is in the documents', (name) => {
    expect(documents).toContain(name);
  });
});

it('the names are read from the sources', () => {
  expect(commands).toContain('solve');
});
