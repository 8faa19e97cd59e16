/**
 * The `version` script of package.json, which `npm version` runs after it has raised the version of package.json: writes
 * the version to CHANGELOG.md and `lib/batch/version.ts`. Works in the current folder, the root of the project.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { releaseChangelog } from './changelog.ts';

const VERSION_LINE = /^export const VERSION = '.*';$/m;

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
try {
  const source = readFileSync('lib/batch/version.ts', 'utf8');
  if (!VERSION_LINE.test(source)) throw new Error('lib/batch/version.ts has no VERSION');
  const date = new Date().toISOString().slice(0, 10);
  const changelog = releaseChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, date);
  writeFileSync('CHANGELOG.md', changelog);
  writeFileSync('lib/batch/version.ts', source.replace(VERSION_LINE, `export const VERSION = '${version}';`));
} catch (error) {
  process.stderr.write(`version: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
