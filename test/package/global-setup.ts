/** Once before all tests: packs the package, makes its repository, and installs Node versions, each with a version of npm. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { npmEnvironment } from './npm.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The Node versions that the npm package `node` installs, and the version of npm for each: all that are in use. */
const NPM_OF_NODE = { 20: '10', 22: '10', 24: '11', 26: '12' };

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

export default function setUp(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dlx-batch-package-'));
  project.provide('folder', folder);
  project.provide('packed', pack(folder));
  project.provide('repository', makeRepository(join(folder, 'repository')));
  project.provide('nodes', installNodes(join(folder, 'nodes')));
  // Many files: meanwhile, vitest stops its workers.
  return () => rm(folder, { recursive: true, force: true });
}

function pack(folder: string): PackedFile {
  // Also runs `prepack`, the build.
  const [packed] = JSON.parse(npm(ROOT, ['pack', '--json', '--silent', '--pack-destination', folder]));
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

/** @throws Error that names the version that npm cannot install on this machine */
function installNodes(folder: string): string {
  for (const [major, npmMajor] of Object.entries(NPM_OF_NODE)) {
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
      npm(own, ['install', '--no-audit', '--no-fund', '--prefer-offline']);
      const { stdout } = spawnSync(join(own, 'node_modules/.bin/node'), ['--version'], { encoding: 'utf8' });
      if (!stdout?.startsWith(`v${major}.`)) throw new Error(`found ${stdout || 'no program'}`);
    } catch (cause) {
      throw new Error(
        `Node ${major} cannot be installed from npm on this machine, so the package is not tested`,
        {
          cause,
        },
      );
    }
  }
  return folder;
}

function npm(folder: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: folder,
    env: npmEnvironment(),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}: ${stderr}`);
  return stdout;
}
