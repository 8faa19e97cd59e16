/** The sources and docs use the terms of the field: identifiers and user-facing texts do not contain the old terms. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { wordsIn } from './support/source-words.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DOCS = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** Old terms as parts of identifiers in camel case, and prefixes of constants. */
const IDENTIFIER_TERM =
  /^(?:machinery|stretch(?:es)?|mends?|standing|behind|joints?|parted|wish(?:es)?|permits?|permitted|hurry|foresee|hoped|blind|rowless|nobody|somebody|whoever)$/;
const CONSTANT_PREFIX = /^(?:LEAST|MOST)_/;

/** Old terms in texts. Each has no other sense that a text here may need, or an exception below. */
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

/** Terms in another sense, each in one file. */
const EXCEPTIONS: readonly (readonly [path: string, term: string, reason: string])[] = [];

/** Files that still contain old terms. */
const PENDING: readonly string[] = [
  'functions/dependencies.ts',
  'functions/solve-batch.ts',
  'lib/aws/upload-writer.ts',
  'lib/batch/bulk-run/look.ts',
  'lib/batch/bulk-run/plan-run.ts',
  'lib/batch/bulk-run/read-outcome.ts',
  'lib/batch/bulk-run/report-run.ts',
  'lib/batch/bulk-run/run-keys.ts',
  'lib/batch/bulk-run/run-status.ts',
  'lib/batch/bulk-run/run-step.ts',
  'lib/batch/bulk-run/send-plan.ts',
  'lib/batch/bulk-run/steps.ts',
  'lib/batch/bulk-run/stretches.ts',
  'lib/batch/bulk-run/sweep.ts',
  'lib/batch/covers/cover-report.ts',
  'lib/batch/covers/solve-cover.ts',
  'lib/batch/delivery/commit.ts',
  'lib/batch/delivery/solve-upload.ts',
  'lib/batch/fan-out/count-shard.ts',
  'lib/batch/fan-out/join-file.ts',
  'lib/batch/fan-out/joined-files.ts',
  'lib/batch/fan-out/merge-shards.ts',
  'lib/batch/fan-out/merged-report.ts',
  'lib/batch/fan-out/plain-source.ts',
  'lib/batch/fan-out/plan-shards.ts',
  'lib/batch/fan-out/scan.ts',
  'lib/batch/fan-out/solve-shard.ts',
  'lib/batch/fan-out/work-keys.ts',
  'lib/batch/job/file-error.ts',
  'lib/batch/report/drawn-grid.ts',
  'lib/batch/report/duration-chart.ts',
  'lib/batch/report/exception-sample.ts',
  'lib/batch/report/grid-figure.ts',
  'lib/batch/report/puzzle-sections.ts',
  'lib/batch/report/rate-chart.ts',
  'lib/batch/report/run-section.ts',
  'lib/batch/report/status-section.ts',
  'lib/batch/report/styles.ts',
  'lib/batch/report/throughput.ts',
  'lib/batch/report/time-section.ts',
  'lib/batch/results/result-writer.ts',
  'lib/batch/results/statistics.ts',
  'lib/batch/solving/block-pipeline.ts',
  'lib/batch/solving/block-pool.ts',
  'lib/cli/bench/bench-case.ts',
  'lib/cli/bench/report.ts',
  'lib/cli/commands/check.ts',
  'lib/cli/commands/download.ts',
  'lib/cli/commands/run.ts',
  'lib/cli/commands/status.ts',
  'lib/cli/page/browser/server.js',
  'lib/cli/page/browser/uploads.js',
  'lib/cli/page/browser/watch.js',
  'lib/cli/page/page-server.ts',
  'lib/cli/page/permit-upload.ts',
  'lib/cli/page/upload-wish.ts',
  'lib/cli/remote/download/download-progress.ts',
  'lib/cli/remote/jobs/job-text.ts',
  'lib/cli/remote/jobs/large-progress.ts',
  'lib/cli/remote/remote-error.ts',
  'lib/cli/remote/runs/bulk-run.ts',
  'lib/cli/remote/upload/upload-progress.ts',
  'lib/cli/terminal/help-text.ts',
  'lib/formats/cells/alphabets.ts',
  'lib/formats/cells/cell-decoder.ts',
  'lib/formats/cells/straight-cells.ts',
  'lib/formats/detect.ts',
  'lib/formats/exact-cover/knuth-line.ts',
  'lib/formats/exact-cover/zero-one.ts',
  'lib/formats/json/json-object-form.ts',
  'lib/formats/json/json-reader.ts',
  'lib/formats/json/json-writer.ts',
  'lib/formats/reader.ts',
  'lib/formats/records/layout-book.ts',
  'lib/formats/records/record-sink.ts',
  'lib/formats/table/csv.ts',
  'lib/formats/text/context-state.ts',
  'lib/formats/text/count.ts',
  'lib/formats/text/expected.ts',
  'lib/formats/text/fast-lines.ts',
  'lib/formats/text/idle-lines.ts',
  'lib/formats/text/marks-drawing.ts',
  'lib/formats/text/row-grids.ts',
  'lib/formats/text/rows.ts',
  'lib/formats/text/same-shape.ts',
  'lib/formats/text/spaced-blanks.ts',
  'lib/formats/text/spaced-straight.ts',
  'lib/formats/text/text-context.ts',
  'lib/formats/text/text-reader.ts',
  'lib/formats/text/token-grids.ts',
  'lib/formats/text/token-rows.ts',
  'lib/formats/text/tokens.ts',
  'lib/formats/text/unreadable.ts',
  'lib/formats/writing/entry-writer.ts',
  'lib/formats/writing/grid-drawing.ts',
  'lib/formats/writing/grid-text.ts',
  'lib/formats/writing/profiles.ts',
  'lib/local/s3/operations/list-objects.ts',
  'lib/local/s3/operations/list-versions.ts',
  'lib/local/s3/operations/listing.ts',
  'lib/sudoku/engines/dlx/nine-kernel.ts',
  'lib/sudoku/geometry/variants.ts',
  'lib/sudoku/nine-blocks.ts',
  'test/batch/bulk-run/marker-join.test.ts',
  'test/batch/bulk-run/stopped-run.test.ts',
  'test/batch/bulk-run/stretches.test.ts',
  'test/batch/delivery/solve-upload.test.ts',
  'test/batch/fan-out/hand-over.test.ts',
  'test/batch/fan-out/interruptions.test.ts',
  'test/batch/fan-out/scale.test.ts',
  'test/batch/report/throughput.test.ts',
  'test/bench/reading-inputs.ts',
  'test/bench/reading.ts',
  'test/cli/download-resume.test.ts',
  'test/cli/page/page-server.test.ts',
  'test/cli/page/page-under-test.ts',
  'test/cli/page/stack.test.ts',
  'test/formats/bytes/visible-text.test.ts',
  'test/formats/token-grids.test.ts',
  'test/formats/wide-cells.test.ts',
  'test/formats/writer-state.test.ts',
  'test/support/bulk-run.ts',
  'test/support/dependencies.ts',
  'test/support/large-job.ts',
  'test/support/uploads.ts',
];

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

/** Findings of one file that are neither excepted nor pending, one line for each term. */
function findings(path: string, terms: readonly string[]): string[] {
  if (PENDING.includes(path)) return [];
  const excepted = EXCEPTIONS.filter(([file]) => file === path).map(([, term]) => term);
  return [...new Set(terms)].filter((term) => !excepted.includes(term)).map((term) => `${path}: ${term}`);
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
    ['const jobDependencies = 1;', 'Machinery'],
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
