/**
 * The `version` script of package.json, which `npm version` runs after it has raised the version of package.json: makes
 * "Unreleased" in CHANGELOG.md the section of that version. Works in the current folder, the root of the project.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { releaseChangelog } from './changelog.ts';

try {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync('CHANGELOG.md', releaseChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, date));
} catch (error) {
  process.stderr.write(`version: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
