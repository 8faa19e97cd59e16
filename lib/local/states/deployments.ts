/**
 * What was deployed on this machine: template and code, each deployment in a folder that is named by its content. So an
 * execution keeps the definition and the functions that it began with, though the stack starts again with another program.
 *
 *     <folder>/<id>/template.json
 *     <folder>/<id>/code/<function>.mjs
 *     <folder>/unfinished/                 a deployment that is being made
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { StackTemplate } from './template.ts';

/** One deployment. */
export interface Deployment {
  /** 16 hex digits of its content; the version of each of its functions. */
  readonly id: string;
  readonly template: StackTemplate;
  /** Absolute path of the folder with the code of its functions. */
  readonly codeDir: string;
}

export interface DeploymentsOptions {
  /** Absolute path; made if missing. No other process may use it meanwhile. */
  readonly folder: string;
  readonly synthesise: () => Promise<StackTemplate>;
  /** Puts the code of the template's functions into an existing folder. */
  readonly build: (template: StackTemplate, codeDir: string) => Promise<void>;
  /** Deployments that executions need: they are retained when another one is made, and all others removed. */
  readonly inUse: () => Iterable<string>;
}

const UNFINISHED = 'unfinished';
const TEMPLATE = 'template.json';
const CODE = 'code';

/** The deployments in one folder. */
export class Deployments {
  readonly #options: DeploymentsOptions;
  #newest: Promise<Deployment> | undefined;

  constructor(options: DeploymentsOptions) {
    this.#options = options;
  }

  /** The deployment of the program that runs now; made when it is first asked for. */
  newest(): Promise<Deployment> {
    this.#newest ??= this.#deploy();
    return this.#newest;
  }

  /** @throws Error where that deployment is not there */
  get(id: string): Deployment {
    const path = join(this.#options.folder, id);
    if (!existsSync(join(path, TEMPLATE))) {
      throw new Error(`${path} is not there, and an execution needs the functions of that deployment`);
    }
    const template: StackTemplate = JSON.parse(readFileSync(join(path, TEMPLATE), 'utf8'));
    return { id, template, codeDir: join(path, CODE) };
  }

  async #deploy(): Promise<Deployment> {
    const { folder, synthesise, build } = this.#options;
    const unfinished = join(folder, UNFINISHED);
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(join(unfinished, CODE), { recursive: true });
    const template = await synthesise();
    await build(template, join(unfinished, CODE));
    writeFileSync(join(unfinished, TEMPLATE), JSON.stringify(template));
    const id = contentId(unfinished);
    if (existsSync(join(folder, id))) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, join(folder, id));
    this.#removeAllBut(new Set([id, ...this.#options.inUse()]));
    return this.get(id);
  }

  #removeAllBut(retained: ReadonlySet<string>): void {
    const { folder } = this.#options;
    for (const name of readdirSync(folder)) {
      if (!retained.has(name)) rmSync(join(folder, name), { recursive: true });
    }
  }
}

/** A digest of all files in a folder, with their names. */
function contentId(folder: string): string {
  const hash = createHash('sha256');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((entry) => statSync(join(folder, entry)).isFile()).sort()) {
    const bytes = readFileSync(join(folder, name));
    hash.update(`${name}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}
