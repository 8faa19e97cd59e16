/**
 * Deployments: the template of the stack and the code of its functions, each in a folder named by a digest of its content.
 *
 *     <folder>/<digest>/template.json
 *     <folder>/<digest>/code/<function>.mjs
 *     <folder>/unfinished-<random>/          one that is being written
 *
 * A deployment is complete when its folder is renamed: a process that is killed, and a second process, cost a build and
 * never give a wrong result.
 *
 * The data folder of a stack has the deployments of its executions, which keep the definition and the functions that they
 * started with, even if the stack restarts with another program. A checkout has the newest in node_modules too, in a folder
 * named by the digest of all sources, as its build takes seconds; beside it, the scripts of the page. The package contains
 * all of these.
 */
import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleOptions, digestOf, FUNCTION_NAMES, programSources } from '../../functions/bundle.ts';
import { prebuiltTemplate, writePrebuilt } from '../../functions/prebuilt.ts';
import type { StackTemplate } from './template.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/dlx-batch');
/** The last one has the installed versions of the dependencies, if npm has installed them. */
const SETTINGS = ['cdk.json', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json'];
/** Other folders in the cache are those of Node's compile cache. */
const BUILD_FOLDER = /^((\w+-)?[0-9a-f]{16}|unfinished-.*)$/;
/** Days after which builds of other sources are removed. */
const MAX_AGE_DAYS = 3;
const DAY_MS = 86_400_000;

export interface Deployment {
  /** 16 hex digits of a digest of its content; also the version of its functions. */
  readonly id: string;
  readonly template: StackTemplate;
  /** Absolute path of the folder with its functions' code. */
  readonly codeDir: string;
}

/** What tests give instead of the program's own. */
export interface GivenDeployment {
  readonly template?: StackTemplate;
  /** Folder with the functions' code, which is copied. */
  readonly codeDir?: string;
}

/** The deployments of a data folder. */
export class Deployments {
  readonly #folder: string;

  /** @param folder absolute path; created if missing, and used by one process at a time */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The deployment of the current program. */
  async newest({ template, codeDir }: GivenDeployment): Promise<Deployment> {
    const unfinished = createUnfinished(this.#folder);
    if (template === undefined || codeDir === undefined) await writeProgram(unfinished);
    if (template !== undefined) writeFileSync(join(unfinished, 'template.json'), JSON.stringify(template));
    if (codeDir !== undefined) {
      rmSync(join(unfinished, 'code'), { recursive: true, force: true });
      copyFolder(codeDir, join(unfinished, 'code'));
    }
    const id = digestOf(unfinished, filesBelow(unfinished));
    rmSync(join(this.#folder, id), { recursive: true, force: true });
    renameSync(unfinished, join(this.#folder, id));
    return this.get(id);
  }

  /** @throws Error if the deployment does not exist */
  get(id: string): Deployment {
    const path = join(this.#folder, id);
    if (!existsSync(join(path, 'template.json'))) {
      throw new Error(`deployment ${path} does not exist, but an execution needs its functions`);
    }
    const template: StackTemplate = JSON.parse(readFileSync(join(path, 'template.json'), 'utf8'));
    return { id, template, codeDir: join(path, 'code') };
  }

  /** Removes all others, also those that were never finished. */
  retain(ids: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#folder)) {
      if (!ids.has(name)) rmSync(join(this.#folder, name), { recursive: true });
    }
  }
}

/** Writes template and code of this program to an empty folder: the package's own, or those of a build. */
export async function writeProgram(folder: string): Promise<void> {
  const template = prebuiltTemplate();
  if (template !== undefined) {
    copyFolder(template, join(folder, 'template.json'));
    mkdirSync(join(folder, 'code'));
    for (const name of FUNCTION_NAMES) writePrebuilt(name, join(folder, 'code'));
    return;
  }
  const built = await buildOfSources('program', build);
  if (built === undefined) await build(folder);
  else copyFolder(built, folder);
}

/**
 * Builds something of the sources of this checkout, if it was not built of the same sources before.
 *
 * @param run writes the result to an empty folder
 * @returns the folder with the result; undefined if this checkout is read-only, so that nothing can be kept
 */
export async function buildOfSources(name: string, run: Build): Promise<string | undefined> {
  if (!canWrite(join(ROOT, 'node_modules'))) return undefined;
  sources ??= digestOf(ROOT, [...programSources(ROOT, ['lib', 'functions', 'bin']), ...settings()]);
  return buildOnce(CACHE, `${name}-${sources}`, run);
}

type Build = (folder: string) => Promise<void>;
let sources: string | undefined;

/**
 * @param cache folder with a folder for each result
 * @param name name of the result, with a digest of its sources
 * @returns the folder with the result, which is built if there is none
 */
export async function buildOnce(cache: string, name: string, run: Build): Promise<string> {
  const results = join(cache, name);
  if (!existsSync(results)) {
    const unfinished = createUnfinished(cache);
    await run(unfinished);
    try {
      renameSync(unfinished, results);
    } catch (error) {
      // Another process has built it meanwhile.
      rmSync(unfinished, { recursive: true });
      if (!existsSync(results)) throw error;
    }
    for (const other of readdirSync(cache).filter((each) => BUILD_FOLDER.test(each))) {
      const ageMs = Date.now() - statSync(join(cache, other)).mtimeMs;
      if (ageMs > MAX_AGE_DAYS * DAY_MS) rmSync(join(cache, other), { recursive: true, force: true });
    }
  }
  return results;
}

function settings(): string[] {
  return SETTINGS.filter((path) => existsSync(join(ROOT, path)));
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function createUnfinished(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return mkdtempSync(join(folder, 'unfinished-'));
}

function copyFolder(from: string, to: string): void {
  // With a filter, Node copies file by file, and reports a full disk as ENOSPC instead of EIO.
  cpSync(from, to, { recursive: true, filter: () => true });
}

function filesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => statSync(join(folder, name)).isFile()).sort();
}

async function build(folder: string): Promise<void> {
  await Promise.all([synthesise(folder), bundle(join(folder, 'code'))]);
}

/** Settings that have no counterpart here: keys and boundaries of AWS, and buckets that exist there. */
const CLOUD_SETTINGS = [
  'dlx:encryptionKey',
  'dlx:permissionsBoundaryArn',
  'dlx:puzzleBucketKeyArn',
  'dlx:puzzleBucketName',
  'dlx:resultsBucketKeyArn',
  'dlx:resultsBucketName',
];

/**
 * Writes the template that `bin/app.ts` makes of the settings of `cdk.json`, in a child process and without bundling.
 *
 * @throws Error with the app's error output if it fails
 */
async function synthesise(folder: string): Promise<void> {
  const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8'));
  for (const name of CLOUD_SETTINGS) delete context[name];
  const outDir = join(folder, 'cdk.out');
  const env = {
    ...process.env,
    CDK_OUTDIR: outDir,
    CDK_CONTEXT_JSON: JSON.stringify({
      ...context,
      'aws:cdk:bundling-stacks': [],
      // Checks of the template take longer than its synthesis, and matter only for a deployment.
      '@aws-cdk/core:validateAgainstDefaultRules': false,
    }),
  };
  try {
    await promisify(execFile)(process.execPath, [join(ROOT, 'bin/app.ts')], { env, windowsHide: true });
  } catch (error) {
    throw new Error(`bin/app.ts failed: ${(error as { readonly stderr?: string }).stderr?.trim() ?? error}`);
  }
  const name = readdirSync(outDir).find((file) => file.endsWith('.template.json'));
  if (name === undefined) throw new Error(`bin/app.ts wrote no template to ${outDir}`);
  renameSync(join(outDir, name), join(folder, 'template.json'));
  rmSync(outDir, { recursive: true });
}

/** Writes all functions to a folder: one build takes a fraction of the time of separate ones. */
async function bundle(outDir: string): Promise<void> {
  const options = FUNCTION_NAMES.map((name) => bundleOptions(name, ROOT, outDir));
  // The package does not contain esbuild.
  const { build: esbuild, stop } = await import('esbuild');
  try {
    await esbuild({
      ...options[0],
      entryPoints: Object.assign({}, ...options.map((each) => each.entryPoints)),
    });
  } finally {
    // Otherwise esbuild's process runs as long as this one, and a stack may run for days.
    await stop();
  }
}
