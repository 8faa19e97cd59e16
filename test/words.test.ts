/** The sources and docs use the terms of the field: identifiers and user-facing texts do not contain the old terms. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { wordsIn } from './support/source-words.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DOCS = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/peers.md',
  'docs/runbook.md',
];

/** Old terms as parts of identifiers in camel case, and prefixes of constants. */
const IDENTIFIER_TERM =
  /^(?:machinery|stretch(?:es)?|mends?|standing|behind|joints?|parted|wish(?:es)?|permits?|permitted|hurry|foresee|hoped|blind|rowless|nobody|somebody|whoever)$/;
const CONSTANT_PREFIX = /^(?:LEAST|MOST)_/;

/** Old terms in texts. Each has no other sense that a text here may need. */
const TEXT_TERM = new RegExp(
  [
    'machinery|behind|beside|parted|joints?|nobody|somebody|whoever',
    'stretch(?:es)?|mends?|told off|with nothing said|so many|(?:has|have|had) the better word',
    'for good|for people|to the byte|held (?:to|against)|(?:is|are|was|were) told',
    // Not "is over 5 MiB".
    '(?:is|are|was|were) over(?=[.,:;)]|$)',
    '(?:comes?|came) to (?:its|an|their) end|(?:go|goes|went|going) on|(?:give|gives|gave|given) up',
    'as far as|had back|hears? of|looked at',
  ]
    .map((terms) => `\\b(?:${terms})(?!\\w)`)
    .join('|'),
  'gi',
);

/** Paths of the sources in these folders, from the project's root. */
function sourcesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|js|mjs|as)$/.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
}

/** Old terms in the names of a source: its path and its identifiers. */
function termsInNames(path: string, source: string): string[] {
  const parts = [...wordsIn(source).identifiers, ...path.split(/[/.-]/)].flatMap((name) =>
    CONSTANT_PREFIX.test(name) ? [name] : name.split(/_|(?<=[a-z\d])(?=[A-Z])/),
  );
  return parts.filter((part) => CONSTANT_PREFIX.test(part) || IDENTIFIER_TERM.test(part.toLowerCase()));
}

/** Old terms in a text, in lower case. */
function termsInText(text: string): string[] {
  const plain = text.replaceAll(/\\[nrt]/g, ' ').replaceAll(/\s+/g, ' ');
  return (plain.match(TEXT_TERM) ?? []).map((term) => term.toLowerCase());
}

/** Findings of one file, one line for each term. */
function findings(path: string, terms: readonly string[]): string[] {
  return [...new Set(terms)].map((term) => `${path}: ${term}`);
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the old terms', () => {
  it('are not in names', () => {
    const paths = sourcesIn('bin', 'functions', 'lib', 'test');
    expect(paths.flatMap((path) => findings(path, termsInNames(path, read(path))))).toEqual([]);
  });

  it('are not in the texts of the program', () => {
    const paths = sourcesIn('bin', 'functions', 'lib');
    const found = paths.flatMap((path) => findings(path, wordsIn(read(path)).texts.flatMap(termsInText)));
    expect(found).toEqual([]);
  });

  it.each(DOCS)('are not in %s', (path) => {
    expect(findings(path, termsInText(read(path)))).toEqual([]);
  });
});

describe('the search for terms', () => {
  it.each([
    ['const jobMachinery = 1;', 'Machinery'],
    ['interface Standing {}', 'Standing'],
    ['class A { #indexBehind() {} }', 'Behind'],
    ['export const MOST_RECORDS = 5;', 'MOST_RECORDS'],
    // Code inside a template.
    [`\`a \${\`\${leftBehind}\`} b\``, 'Behind'],
    ['const half = a / 2; const behind = b / 2;', 'behind'],
  ])('finds in the names of %s', (source, term) => {
    expect(termsInNames('lib/x.ts', source)).toEqual([term]);
  });

  it('finds terms in the name of a file', () => {
    expect(termsInNames('lib/bulk-run/stretches.ts', '')).toEqual(['stretches']);
  });

  it.each([
    ['// machinery\n/* behind */ const a = "nobody";'],
    ['const outstanding = 1; const MOSTLY = 2; const mending = 3;'],
    ["const a = /['\"`]behind/; const b = 'x'.split(/[/]machinery/);"],
  ])('finds nothing in the names of %s', (source) => {
    expect(termsInNames('lib/x.ts', source)).toEqual([]);
  });

  it.each([
    ["const a = 'Nobody reads it'; // behind", 'nobody'],
    [`const a = \`is told\\n\${behind} x\`;`, 'is told'],
    [`const a = \`x \${f('go on')} y\`;`, 'go on'],
    ["const a = 'The run is over.';", 'is over'],
    ["throw new Error('kept for\\n good');", 'for good'],
  ])('finds in the texts of %s', (source, term) => {
    expect(wordsIn(source).texts.flatMap(termsInText)).toEqual([term]);
  });

  it.each([["const a = 'told, besides, offbehind, is over 5 MiB';"], ['const nobody = /behind/;']])(
    'finds nothing in the texts of %s',
    (source) => {
      expect(wordsIn(source).texts.flatMap(termsInText)).toEqual([]);
    },
  );
});
