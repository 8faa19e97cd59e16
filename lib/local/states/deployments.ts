/**
 * Local deployments: template and code, each in a folder named by its content. So an execution keeps the definition and
 * the functions that it started with, even if the stack restarts with another program.
 *
 *     <folder>/<id>/template.json
 *     <folder>/<id>/code/<function>.mjs
 *     <folder>/unfinished/                 a deployment in progress
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentDigest } from '../content-digest.ts';
import type { StackTemplate } from './template.ts';

export interface Deployment {
  /** 16 hex digits of a digest of its content; also the version of its functions. */
  readonly id: string;
  readonly template: StackTemplate;
  /** Absolute path of the folder with its functions' code. */
  readonly codeDir: string;
}

export interface DeploymentsOptions {
  /** Absolute path; created if missing, and used by one process at a time. */
  readonly folder: string;
  readonly synthesise: () => Promise<StackTemplate>;
  /** Writes the code of the template's functions to an existing folder. */
  readonly build: (template: StackTemplate, codeDir: string) => Promise<void>;
  /** Ids of the deployments that executions need; a new deployment removes all others. */
  readonly inUse: () => Iterable<string>;
}

const UNFINISHED = 'unfinished';
const TEMPLATE = 'template.json';
const CODE = 'code';

export class Deployments {
  readonly #options: DeploymentsOptions;
  #newest: Promise<Deployment> | undefined;

  constructor(options: DeploymentsOptions) {
    this.#options = options;
  }

  /** The deployment of the current program, built at the first call. */
  newest(): Promise<Deployment> {
    this.#newest ??= this.#deploy().catch((error: unknown) => {
      // A disk that is full now may have space later.
      this.#newest = undefined;
      throw error;
    });
    return this.#newest;
  }

  /** @throws Error if the deployment does not exist */
  get(id: string): Deployment {
    const path = join(this.#options.folder, id);
    if (!existsSync(join(path, TEMPLATE))) {
      throw new Error(`deployment ${path} does not exist, but an execution needs its functions`);
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
    const id = contentDigest(unfinished);
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
