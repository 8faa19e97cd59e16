/** What a newcomer does with the repository: the first commands of the README in a clone, and installations from git. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { Installation } from './installation.ts';
import { CLONE_MAJORS, GIT_MAJORS } from './pairs.ts';
import { commandBlocks } from './readme-blocks.ts';

/** npm installs several hundred megabytes of development dependencies. */
const INSTALLING_MS = 1_200_000;

const [inClone = '', ownFile = ''] = commandBlocks;
const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const [fromGit] = /npm i .*git\+URL(?=`)/.exec(README)!;

it('the README begins with the commands for a clone', () => {
  expect(inClone).toMatch(/^npm ci\nnpm start .*\nnpm test .*\n$/);
  expect(ownFile).toMatch(/^npx dlx-batch generate /);
});

describe.each(CLONE_MAJORS)('a clone on Node %i', (major) => {
  let user: Installation;

  beforeAll(() => {
    user = new Installation('clone', major);
    user.output(`git clone --quiet "${inject('repository')}" .\nnpm ci`);
  }, INSTALLING_MS);

  it('is not built by npm ci', () => {
    expect(existsSync(join(user.folder, 'node_modules'))).toBe(true);
    expect(existsSync(join(user.folder, 'dist'))).toBe(false);
  });

  it('solves the samples, and says what to type next', () => {
    const stdout = user.output('npm start');
    const report = /^Open its report in a browser: (.*)$/m.exec(stdout)![1]!;
    expect(user.read(report)).toContain('<html');
    expect(stdout).toContain('\n  npx dlx-batch solve puzzles.txt > solutions.txt\n');
  });

  it('runs tests', () => {
    expect(user.output('npm test -- test/sudoku/names.test.ts')).toMatch(/passed/);
  });

  it('solves a file of the user', () => {
    user.output(ownFile);
    expect(user.read('solutions.txt')).toMatch(/^(?:\d{81}\n){1000}$/);
    expect(existsSync(join(user.folder, 'out/puzzles.txt/report.html'))).toBe(true);
  });
});

describe.each(GIT_MAJORS)('an installation from git on Node %i', (major) => {
  let user: Installation;
  let installed: string;

  beforeAll(() => {
    user = new Installation('git', major);
    installed = user.output(`${fromGit.replace('git+URL', `"git+file://${inject('repository')}"`)} 2>&1`);
  }, INSTALLING_MS);

  it('adds one package without a warning', () => {
    const lines = installed.replace(/^npm warn Unknown \w+ config.*\n/gm, '');
    expect(lines).toMatch(/^\s*added 1 package(?:, and audited \d+ packages)? in /);
    expect(lines).not.toMatch(/warn|error|deprecated/i);
  });

  it('has the files of the packed file', () => {
    const found = readdirSync(join(user.folder, 'node_modules/dlx-batch'), {
      recursive: true,
      withFileTypes: true,
    });
    expect(found.filter((entry) => entry.isFile())).toHaveLength(inject('packed').files.length);
  });

  it('solves a file of the user', () => {
    user.output(ownFile);
    expect(user.read('solutions.txt')).toMatch(/^(?:\d{81}\n){1000}$/);
  });
});
