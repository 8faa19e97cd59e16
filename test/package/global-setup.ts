/** Once before all tests: packs the package, and installs the Node versions that it supports. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { npmEnvironment } from './npm.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The Node versions that the npm package `node` installs. */
const MAJORS = [22, 24, 26];

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
    /** Temporary folder for installations. */
    folder: string;
  }
}

export default function setUp(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dlx-batch-package-'));
  project.provide('folder', folder);
  project.provide('packed', pack(folder));
  project.provide('nodes', installNodes(join(folder, 'nodes')));
  // Many files: meanwhile, vitest stops its workers.
  return () => rm(folder, { recursive: true, force: true });
}

function pack(folder: string): PackedFile {
  // Also runs `prepack`, the build.
  const [packed] = JSON.parse(npm(ROOT, ['pack', '--json', '--silent', '--pack-destination', folder]));
  return { ...packed, path: join(folder, packed.filename) };
}

/** @throws Error that names the version that npm cannot install on this machine */
function installNodes(folder: string): string {
  for (const major of MAJORS) {
    const own = join(folder, String(major));
    mkdirSync(own, { recursive: true });
    // The package's script fetches the program for this machine; newer versions of npm run only scripts with permission.
    const manifest = { private: true, allowScripts: { node: true }, dependencies: { node: String(major) } };
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
