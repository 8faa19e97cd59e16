/** The users of a world: they upload files with requests of their own and with the command, delete some, and download. */
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { s3ClientFor } from '../../lib/aws/s3-client.ts';
import { uploadObject } from '../../lib/aws/upload-object.ts';
import { OPTION_METADATA_PREFIX } from '../../lib/batch/names.ts';
import { resultFolders } from '../../lib/cli/files/result-folders.ts';
import { runProgram } from '../../lib/cli/program.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';
import { contentId, type Uploaded } from './checks.ts';
import type { Faults } from './faults.ts';
import { type Input, isRace } from './inputs.ts';
import type { Network } from './network.ts';
import { ENDPOINT, KEYS } from './stack.ts';
import { currentProcess, SimulatedProcess, type World } from './world.ts';

const COMMAND_ENVIRONMENT = {
  AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
};

/** The outcome of a command: its exit status, or that it was killed. */
type CommandEnd = number | 'killed';

/** A result set that a command has downloaded. */
export interface Download {
  readonly folder: string;
  /** The content of the upload, as `contentId` names it. */
  readonly key: string;
}

export class Users {
  /** Uploads that a user has deleted, or tried to. */
  readonly deleted: Uploaded[] = [];
  readonly downloads: Download[] = [];
  readonly #world: World;
  readonly #faults: Faults;
  readonly #network: Network;
  readonly #folder: string;
  #active = 0;
  #commands = 0;

  constructor(world: World, faults: Faults, network: Network, folder: string) {
    this.#network = network;
    this.#world = world;
    this.#faults = faults;
    this.#folder = folder;
  }

  /** Number of users who have not finished. */
  get active(): number {
    return this.#active;
  }

  /** Uploads a file some time, until S3 has accepted it; a few users delete it again. */
  upload(input: Input, key: string, afterMs: number): void {
    const world = this.#world;
    this.#as(`user of ${key}`, async (user) => {
      await world.wait(afterMs);
      const s3 = s3ClientFor({ endpoint: ENDPOINT, region: LOCAL_STACK.region, ...KEYS });
      const bucket = LOCAL_STACK.inputBucket;
      for (;;) {
        try {
          const versionId = await uploadObject(s3, bucket, key, input.bytes, input.options);
          world.trace(user.name, 'uploaded', versionId!);
          if (!this.#faults.happens('deleted upload', isRace(key) ? 1 : 0.3)) return;
          // At any time, or between the first reads of two functions.
          if (!isRace(key)) await world.wait(world.between(100, 60_000));
          else await this.#requestsFor(versionId!, 2 + world.random.below(3));
          // The request may take effect although it fails.
          this.deleted.push({
            key,
            versionId: versionId!,
            contentId: contentIdOf(input, key),
            deleted: true,
          });
          await s3.deleteObject({ Bucket: bucket, Key: key, VersionId: versionId });
          return;
        } catch (error) {
          world.trace(user.name, 'failed', String(error).slice(0, 200));
          await world.wait(world.between(60_000, 1_800_000));
        }
      }
    });
  }

  /** Uploads files with the command, waits for their results, and downloads them; repeats the command until it succeeds. */
  useCommand(inputs: readonly Input[], prefix: string, afterMs: number): void {
    const world = this.#world;
    const files = join(this.#folder, 'files');
    const results = join(this.#folder, 'results');
    mkdirSync(files, { recursive: true });
    mkdirSync(results, { recursive: true });
    for (const { name, bytes } of inputs) writeFileSync(join(files, name), bytes);
    this.#as('user of the command', async () => {
      await world.wait(afterMs);
      const paths = inputs.map(({ name }) => join(files, name));
      const flags = ['--endpoint', ENDPOINT, '--prefix', prefix];
      let patience = world.random.below(3);
      for (;;) {
        const wait = patience-- > 0;
        const waiting = (output: string) => (wait ? ['--wait', '--download', output] : []);
        const end = await this.#command(
          (output) => ['upload', ...flags, ...waiting(output), ...paths],
          results,
        );
        // 1: everything is uploaded, and some puzzles are not solved.
        if (end === 0 || end === 1) break;
        await world.wait(world.between(1_000, 300_000));
      }
      const keys = inputs.map(({ name }) => `inbox/${prefix}${name}`);
      for (let delayMs = 300_000; ; delayMs *= 2) {
        const connection = ['--endpoint', ENDPOINT];
        const end = await this.#command(
          (output) => ['download', ...connection, '-o', output, ...keys],
          results,
        );
        // 1: a file was rejected.
        if (end === 0 || end === 1) break;
        await world.wait(delayMs);
      }
      const wanted = keys.map((key) => ({ name: key, id: key }));
      for (const [key, folder] of await resultFolders(results, wanted, true)) {
        this.downloads.push({ folder, key });
      }
    });
  }

  /** Retries everything with the command some time, until it has started a run. */
  retry(afterMs: number): void {
    const world = this.#world;
    this.#as('operator', async () => {
      await world.wait(afterMs);
      while (
        (await this.#command(() => ['retry', '--endpoint', ENDPOINT], join(this.#folder, 'retry'))) !== 0
      )
        await world.wait(world.between(60_000, 600_000));
    });
  }

  /** Waits for requests that name a version, at most some minutes. */
  async #requestsFor(versionId: string, count: number): Promise<void> {
    const world = this.#world;
    const { onRequest } = this.#network;
    let left = count;
    const enough = Promise.withResolvers<void>();
    const user = currentProcess();
    const listener = (url: string) => {
      if (url.includes(versionId) && --left === 0) world.after(0, user, enough.resolve);
    };
    onRequest.add(listener);
    world.after(600_000, user, enough.resolve);
    await enough.promise;
    onRequest.delete(listener);
  }

  #as(name: string, run: (user: SimulatedProcess) => Promise<void>): void {
    const world = this.#world;
    const user = new SimulatedProcess(name, 'user');
    this.#active++;
    world.runAs(user, () =>
      run(user).then(
        () => this.#active--,
        (error: unknown) => world.defects.push(`${name}: ${(error as Error).stack}`),
      ),
    );
  }

  /** Runs the program as a process. @param args its arguments, given a path of the folder for results */
  #command(args: (output: string) => string[], results: string): Promise<CommandEnd> {
    const world = this.#world;
    const number = ++this.#commands;
    const output = `${results}-${number}`;
    symlinkSync(results, output);
    const command = new SimulatedProcess(`command#${number}`, 'command', {
      environment: COMMAND_ENVIRONMENT,
    });
    const given = args(output);
    world.trace(command.name, given[0]!);
    // No user waits for hours.
    world.after(world.between(20_000, 200_000), undefined, () => command.end());
    return new Promise((resolve) => {
      const killed = () => resolve('killed');
      command.onEnd.push(killed);
      world.runAs(command, async () => {
        process.exitCode = undefined;
        await runProgram(given);
        if (!command.alive) return;
        const status = Number(process.exitCode ?? 0);
        process.exitCode = undefined;
        world.trace(
          command.name,
          'exit',
          status,
          command.output.join('').replaceAll(this.#folder, '~').slice(-400).replaceAll('\n', ' | '),
        );
        resolve(status);
        command.end();
      });
    });
  }
}

/** What determines the result of an input that is uploaded with its options. */
function contentIdOf({ bytes, options }: Input, key: string): string {
  const etag = createHash('md5').update(bytes).digest('hex');
  const metadata = Object.entries(options).map(([name, text]) => [`${OPTION_METADATA_PREFIX}${name}`, text]);
  return contentId({ etag, metadata: Object.fromEntries(metadata) }, key);
}
