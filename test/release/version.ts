/**
 * The `version` script of package.json, which `npm version` runs after it has raised the version of package.json: writes
 * the version to CHANGELOG.md. Works in the current folder, the root of the project.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { releaseChangelog } from './changelog.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
try {
  const date = new Date().toISOString().slice(0, 10);
  const changelog = releaseChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, date);
  writeFileSync('CHANGELOG.md', changelog);
} catch (error) {
  process.stderr.write(`version: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
