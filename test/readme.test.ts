/** The README names every format, output, variant, engine and command. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES, OUTPUT_PROFILES } from '../lib/formats/formats.ts';
import { ENGINE_NAMES } from '../lib/sudoku/engine.ts';
import { VARIANT_NAMES } from '../lib/sudoku/geometry/variants.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const program = readFileSync(new URL('../lib/cli/program.ts', import.meta.url), 'utf8');

/** Commands that the program registers, from its calls. */
const commands = [...program.matchAll(/^ *register(\w+)\(program\);$/gm)].map(([, name]) =>
  name!.toLowerCase(),
);

describe.each([
  ['format', FORMAT_NAMES.map((name) => `\`${name}\``)],
  ['output', OUTPUT_PROFILES.map((name) => `\`${name}\``)],
  ['variant', VARIANT_NAMES.map((name) => `\`${name}\``)],
  ['engine', ENGINE_NAMES.map((name) => `\`${name}\``)],
  ['command', commands.map((name) => `\`${name}`)],
])('every %s', (_kind, names) => {
  it.each(names)('%s is in the README', (name) => {
    expect(readme).toContain(name);
  });
});

it('the names are read from the sources', () => {
  expect(commands).toContain('solve');
});
