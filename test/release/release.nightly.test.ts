/** `npm version`, and the check of a tag before it is published. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../local/fixture-function.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NOTES = join(ROOT, 'test/release/notes.ts');
const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One thing.\n';

/** The Node version of the tests, no settings of the user, and a name for commits. */
const ENVIRONMENT = {
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: '/nonexistent',
  npm_config_update_notifier: 'false',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
};

let folder: string;
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: folder, env: ENVIRONMENT, encoding: 'utf8', stdio: 'pipe' });
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const edit = (path: string, from: string, to: string) => {
  expect(read(path)).toContain(from);
  writeFileSync(
    join(folder, path),
    read(path).replace(from, () => to),
  );
};

/** Creates a small repository with the scripts of this one, in which commands run from now on. */
function createRepository(path: string): string {
  folder = path;
  const { name, type, scripts } = manifest;
  const { version } = scripts;
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name, version: '0.1.0', type, scripts: { version } }),
  );
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({
      name,
      version: '0.1.0',
      lockfileVersion: 3,
      packages: { '': { name, version: '0.1.0' } },
    }),
  );
  writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG);
  cpSync(join(ROOT, 'test/release'), join(folder, 'test/release'), { recursive: true });
  run('git', 'init', '--quiet');
  run('git', 'add', '--all');
  run('git', 'commit', '--quiet', '--message', 'start');
  return folder;
}

const notes = (tag: string) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [NOTES, tag], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

describe('npm version', () => {
  beforeEach(() => void createRepository(temporaryFolder()));

  it('commits and tags the version of package.json, lockfile and changelog', () => {
    run('npm', 'version', 'minor');
    const date = new Date().toISOString().slice(0, 10);
    expect(read('CHANGELOG.md')).toBe(
      `# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - ${date}\n\n### Added\n\n- One thing.\n`,
    );
    expect(run('git', 'status', '--porcelain')).toBe('');
    expect(run('git', 'describe', '--exact-match').trim()).toBe('v0.2.0');
    expect(run('git', 'show', '--name-only', '--format=', 'HEAD').trim().split('\n')).toEqual([
      'CHANGELOG.md',
      'package-lock.json',
      'package.json',
    ]);
    expect(notes('v0.2.0')).toEqual({ status: 0, stdout: '### Added\n\n- One thing.\n', stderr: '' });
  });

  it('releases the version that package.json has, the first time', () => {
    run('npm', 'version', '0.1.0', '--allow-same-version');
    expect(run('git', 'describe', '--exact-match').trim()).toBe('v0.1.0');
    expect(notes('v0.1.0').stdout).toBe('### Added\n\n- One thing.\n');
  });

  it('makes no commit without entries in the changelog', () => {
    edit('CHANGELOG.md', '- One thing.\n', '');
    run('git', 'commit', '--quiet', '--all', '--message', 'nothing to release');
    expect(() => run('npm', 'version', 'minor')).toThrow(
      'version: CHANGELOG.md has no entries in "## [Unreleased]"',
    );
    expect(run('git', 'log', '--format=%s').trim().split('\n')[0]).toBe('nothing to release');
    expect(run('git', 'tag')).toBe('');
  });
});

describe('a release is refused if', () => {
  let released: string;
  // Once: npm takes half a second.
  beforeAll(() => {
    released = createRepository(temporaryFolder(afterAll));
    run('npm', 'version', 'minor');
  });
  beforeEach(() => {
    folder = temporaryFolder();
    cpSync(released, folder, { recursive: true });
  });

  it.each<[string, string, () => void, string]>([
    ['the tag is another', 'v0.1.0', () => {}, 'the tag is v0.1.0, and package.json has version 0.2.0'],
    ['there is no tag', '', () => {}, 'the tag is , and package.json has version 0.2.0'],
    [
      'the changelog has another version',
      'v0.2.0',
      () => edit('CHANGELOG.md', '[0.2.0]', '[0.3.0]'),
      'CHANGELOG.md has no section "## [0.2.0] - DATE" with entries',
    ],
    [
      'the section is empty',
      'v0.2.0',
      () => edit('CHANGELOG.md', '### Added\n\n- One thing.\n', ''),
      'CHANGELOG.md has no section "## [0.2.0] - DATE" with entries',
    ],
    [
      'the lockfile has another version',
      'v0.2.0',
      () => edit('package-lock.json', '"version":"0.2.0"', '"version":"0.1.0"'),
      'package-lock.json has version 0.1.0, package.json 0.2.0',
    ],
  ])('%s', (_name, tag, change, message) => {
    change();
    expect(notes(tag)).toEqual({ status: 1, stdout: '', stderr: `release: ${message}\n` });
  });
});
