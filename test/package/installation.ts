/** An empty folder of a user with one Node version, into which the packed file is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { npmEnvironment } from './npm.ts';

/** How a command ended. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Installation {
  readonly folder: string;
  readonly #environment: NodeJS.ProcessEnv;

  /** @param name of the folder; test files run at the same time, so each has its own */
  constructor(name: string, major: number) {
    this.folder = join(inject('folder'), `${name}-${major}`);
    this.#environment = npmEnvironment(join(inject('nodes'), String(major), 'node_modules/.bin'));
    mkdirSync(this.folder);
  }

  /** Runs shell commands; the first that fails ends them. */
  run(commands: string): Ended {
    return spawnSync('sh', ['-ec', commands], {
      cwd: this.folder,
      env: this.#environment,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
  }

  /** Runs shell commands. @returns their output @throws Error with all output if one fails */
  output(commands: string): string {
    const { status, stdout, stderr } = this.run(commands);
    if (status !== 0) throw new Error(`status ${status} of ${commands}\n${stdout}\n${stderr}`);
    return stdout;
  }

  /** Starts a program of the installation that runs until it is stopped. */
  start(program: string, args: readonly string[]): ChildProcess {
    return spawn('node', [join('node_modules', program), ...args], {
      cwd: this.folder,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  /**
   * Installs the packed file.
   *
   * @param withCdk whether the packages that the construct needs are installed too, in the versions of the checkout
   * @returns everything that npm printed, without remarks about this machine's settings
   */
  install(withCdk = false): string {
    const { 'aws-cdk-lib': cdk, constructs } = manifest.devDependencies;
    const packages = withCdk ? `aws-cdk-lib@${cdk} constructs@${constructs}` : '';
    const { status, stdout, stderr } = this.run(
      `npm install --prefer-offline "${inject('packed').path}" ${packages}`,
    );
    if (status !== 0) throw new Error(`npm install failed: ${stdout}${stderr}`);
    return `${stdout}${stderr}`.replace(/^npm warn Unknown \w+ config.*\n/gm, '');
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), content);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }
}
