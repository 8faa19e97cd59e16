/** The commands of the page about analysing results run, and print what it shows, if their tool is installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../local/fixture-function.ts';
import { withNpx } from './tutorials.ts';

const PAGE = join(import.meta.dirname, '../../docs/how-to/analyse-results.md');

/** By section: a command that fails if its tool is not installed, and a file that its commands make. */
const TOOLS: Readonly<Record<string, readonly [probe: string, made?: string]>> = {
  jq: ['jq --version'],
  DuckDB: ['duckdb --version'],
  pandas: ['python3 -c "import pandas"'],
  LibreOffice: ['soffice --version', 'solutions.xlsx'],
};
/** A program with windows, and one of AWS. */
const NOT_RUN = ['Excel', 'Athena'];

const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm;

const [opening = '', ...sections] = readFileSync(PAGE, 'utf8').split('\n## ');
const titled = sections.map((text) => ({ title: text.slice(0, text.indexOf('\n')), text }));

it('names the tools of its sections', () => {
  expect(titled.map(({ title }) => title)).toEqual([...Object.keys(TOOLS), ...NOT_RUN]);
});

const cases = titled
  .filter(({ title }) => title in TOOLS)
  .map(({ title, text }) => {
    const [probe, made] = TOOLS[title]!;
    const isInstalled = spawnSync('sh', ['-c', probe], { stdio: 'ignore' }).status === 0;
    return { name: isInstalled ? title : `${title} (skipped: it is not installed)`, isInstalled, text, made };
  });

// These programs are larger than this project; npm has none of them.
describe.each(cases)('$name', ({ isInstalled, text, made }) => {
  it.runIf(isInstalled)('prints what the page shows', { timeout: 120_000 }, () => {
    const folder = temporaryFolder(onTestFinished);
    const env = withNpx(folder);
    const run = (script: string) =>
      execFileSync('bash', ['-euc', script], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
    run(/^```sh\n([\s\S]*?)^```$/m.exec(opening)![1]!);
    let printed = '';
    for (const [, language, content = ''] of text.matchAll(BLOCK)) {
      if (language === 'python') writeFileSync(join(folder, 'summary.py'), content);
      else if (language === 'sh') printed = run(content);
      else expect(printed).toBe(content);
    }
    expect(printed).not.toBe('');
    if (made !== undefined) expect(existsSync(join(folder, made)), made).toBe(true);
  });
});
