/** Once before all tests: packs the package, makes its repository, and installs Node versions, each with a version of npm. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { npmEnvironment } from './npm.ts';
import { CLONE_MAJORS, GIT_MAJORS, NPM_OF_NODE, PACKED_MAJORS } from './pairs.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

/** What `npm pack --json` reports. */
export interface PackedFile {
  readonly path: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

declare module 'vitest' {
  interface ProvidedContext {
    packed: PackedFile;
    /** Folder with the programs of all Node versions, `<major>/node`. */
    nodes: string;
    /** Repository with one commit: the files of this checkout, also those that are not committed. */
    repository: string;
    /** Temporary folder for installations. */
    folder: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'dlx-batch-package-'));
  const nodes = join(folder, 'nodes');
  project.provide('folder', folder);
  project.provide('nodes', nodes);
  project.provide('repository', makeRepository(join(folder, 'repository')));
  const [packed] = await Promise.all([pack(folder), installNodes(nodes)]);
  project.provide('packed', packed);
  // Many files: meanwhile, vitest stops its workers.
  return () => rm(folder, { recursive: true, force: true });
}

async function pack(folder: string): Promise<PackedFile> {
  // Also runs `prepack`, the build.
  const [packed] = JSON.parse(await npm(ROOT, ['pack', '--json', '--silent', '--pack-destination', folder]));
  return { ...packed, path: join(folder, packed.filename) };
}

function makeRepository(folder: string): string {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd,
      encoding: 'utf8',
    });
  const files = git(ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  // A file that was deleted, but not committed, is listed too.
  for (const file of files.filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    cpSync(join(ROOT, file), join(folder, file));
  }
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'Files of the checkout');
  return folder;
}

/** One after the other: meanwhile, the package is built. @throws Error that names a version that npm cannot install here */
async function installNodes(folder: string): Promise<void> {
  const needed = new Set([...CLONE_MAJORS, ...PACKED_MAJORS, ...GIT_MAJORS]);
  for (const [major, npmMajor] of Object.entries(NPM_OF_NODE)) {
    if (!needed.has(Number(major))) continue;
    const own = join(folder, major);
    mkdirSync(own, { recursive: true });
    // The package's script fetches the program for this machine; newer versions of npm run only scripts with permission.
    const manifest = {
      private: true,
      allowScripts: { node: true },
      dependencies: { node: major, npm: npmMajor },
    };
    writeFileSync(join(own, 'package.json'), JSON.stringify(manifest));
    try {
      await npm(own, ['install', '--no-audit', '--no-fund', '--prefer-offline']);
      const { stdout } = await run(join(own, 'node_modules/.bin/node'), ['--version']);
      if (!stdout.startsWith(`v${major}.`)) throw new Error(`found ${stdout}`);
    } catch (cause) {
      throw new Error(
        `Node ${major} cannot be installed from npm on this machine, so the package is not tested`,
        { cause },
      );
    }
  }
}

/** @throws Error with what npm printed */
async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('npm', args, { cwd, env: npmEnvironment(), maxBuffer: 2 ** 26 });
  return stdout;
}
