/**
 * `node test/release/notes.ts TAG` prints the notes of a release: the section of CHANGELOG.md. It fails if the tag,
 * package.json, package-lock.json and CHANGELOG.md do not agree. Works in the current folder.
 */
import { readFileSync } from 'node:fs';
import { sectionOf } from './changelog.ts';

const read = (path: string) => readFileSync(path, 'utf8');

/** @throws Error if the files of the release do not agree */
function releaseNotes(tag: string): string {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  if (tag !== `v${version}`) throw new Error(`the tag is ${tag}, and package.json has version ${version}`);
  const locked = JSON.parse(read('package-lock.json')) as {
    version: string;
    packages: { '': { version: string } };
  };
  if (locked.version !== version || locked.packages[''].version !== version) {
    throw new Error(`package-lock.json has version ${locked.version}, package.json ${version}`);
  }
  const notes = sectionOf(read('CHANGELOG.md'), version);
  if (!notes) throw new Error(`CHANGELOG.md has no section "## [${version}] - DATE" with entries`);
  return notes;
}

try {
  process.stdout.write(`${releaseNotes(process.argv[2] ?? '')}\n`);
} catch (error) {
  process.stderr.write(`release: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
