/** Commands over a bad network: every command ends with the right results, and no upload becomes two jobs. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { networkSettings } from '../../lib/cli/remote/connection.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';
import { clientOf } from '../support/client-of.ts';
import { DEEP, propertyRuns, runSeed } from '../support/depth.ts';
import { eventually } from '../support/eventually.ts';
import { badShare, type FateOf, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { EASY, SOLUTION } from '../support/puzzles.ts';
import { endOf, folderWith, folderWithCommand, runProgram, startProgram } from './program.ts';
import { type ServedStack, serveStack } from './served-stack.ts';

let stack: ServedStack;
beforeAll(async () => {
  const settings = { ...networkSettings };
  afterAll(() => void Object.assign(networkSettings, settings));
  networkSettings.timeouts = { connectMs: 300, responseMs: 400, idleMs: 1_000, copyMs: 2_500 };
  networkSettings.retries = { firstContactMs: 15_000, firstDelayMs: 5, maxDelayMs: 100 };
  stack = await serveStack(folderWith({}, afterAll));
});
afterAll(() => stack.stop());

async function proxyWith(seed: number, fateOf: FateOf): Promise<FaultyProxy> {
  const proxy = await startFaultyProxy(stack.endpoint, seed, fateOf);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** Versions of the keys under a prefix of the input bucket. */
async function versionsOf(prefix: string): Promise<string[]> {
  const s3 = clientOf(stack);
  const { Versions = [] } = await s3.listObjectVersions({ Bucket: LOCAL_STACK.inputBucket, Prefix: prefix });
  return Versions.map(({ Key }) => Key!).sort();
}

/** Puzzles of each file. */
const COUNTS = Object.fromEntries(Array.from({ length: 12 }, (_, k) => [`p${k}.txt`, k + 1]));
/** A dozen files; in the run of a night, two are uploaded in parts. */
const FILES = Object.fromEntries(
  Object.entries(COUNTS).map(([name, count]) => [
    name,
    `${EASY}\n`.repeat(count) + (DEEP && count > 10 ? '# a comment\n'.repeat(750_000) : ''),
  ]),
);
/** Without the variables with which npx marks its processes. */
const { npm_command: _, ...PASTE_ENVIRONMENT } = process.env;

/** The line about a request that fails for seconds, as a busy machine may have. */
const OUTAGE = /^dlx-batch: .*; trying again for .*\n/gm;

/** The states in the table of what is left. */
function statesOf(stderr: string): string[] {
  return Array.from(stderr.matchAll(/^[a-z]+(?= {2})/gm), ([state]) => state);
}

/** The command in the last line, which continues. */
function commandOf(stderr: string): string {
  return /(?<=: )(?:npx )?dlx-batch .*(?=\n$)/.exec(stderr)![0];
}

const SEEDS = Array.from({ length: propertyRuns(1) }, (_, k) => runSeed() + k);

describe('upload --wait --download over a bad network', () => {
  test.each(SEEDS)('with seed %i ends with all results, each from one version', async (seed) => {
    const proxy = await proxyWith(seed, badShare(0.2));
    const folder = folderWith(FILES, onTestFinished);
    const prefix = `bad/${seed}/`;
    const args = ['upload', '--endpoint', proxy.endpoint, '--prefix', prefix, '--wait', '--download', 'out'];
    const ended = await runProgram(folder, [...args, ...Object.keys(FILES)]);
    expect([ended.stderr.replaceAll(OUTAGE, ''), ended.status]).toEqual(['', 0]);
    for (const [name, count] of Object.entries(COUNTS)) {
      const path = join(folder, 'out/inbox', prefix, name, 'solutions.txt');
      expect(readFileSync(path, 'utf8')).toBe(`${SOLUTION}\n`.repeat(count));
    }
    expect(await versionsOf(`inbox/${prefix}`)).toEqual(
      Object.keys(FILES)
        .map((name) => `inbox/${prefix}${name}`)
        .sort(),
    );
  });
});

const SMALL = { 'a.txt': `${EASY}\n`, "it's b.txt": `${EASY}\n`.repeat(2), 'c.txt': `${EASY}\n`.repeat(3) };

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(20);
}

describe('a command that cannot finish', () => {
  test('says what is done, what is left, and the command that continues, which can be pasted', async () => {
    const proxy = await proxyWith(1, (line) => (line.includes('it%27s') ? 'refuse' : 'good'));
    const folder = folderWith(SMALL, onTestFinished);
    const args = ['upload', '--endpoint', proxy.endpoint, '--prefix', 'part/', '--wait'];
    const names = ['--retry-for', '1s', '--download', 'my results', ...Object.keys(SMALL)];
    const failed = endOf(startProgram(folder, [...args, ...names], false, PASTE_ENVIRONMENT));
    const { status, stderr } = await failed;
    expect(status).toBe(2);
    expect(statesOf(stderr)).toEqual(['done', 'left', 'done']);
    proxy.setFate(() => 'good');
    const command = commandOf(stderr);
    const env = { ...PASTE_ENVIRONMENT, PATH: `${folderWithCommand()}:${process.env.PATH}` };
    const pasted = await endOf(spawn('sh', ['-c', command], { cwd: folder, env }));
    expect([pasted.stderr, pasted.status]).toEqual(['', 0]);
    for (const [name, text] of Object.entries(SMALL)) {
      const path = join(folder, 'my results/inbox/part', name, 'solutions.txt');
      expect(readFileSync(path, 'utf8')).toBe(`${SOLUTION}\n`.repeat(text.length / 82));
    }
    expect(await versionsOf('inbox/part/')).toHaveLength(3);
  });

  test('says the same after Ctrl-C in upload, during its tries', async () => {
    const proxy = await proxyWith(1, (line) => (line.includes('a.txt') ? 'good' : 'refuse'));
    const folder = folderWith(SMALL, onTestFinished);
    const args = ['upload', '--endpoint', proxy.endpoint, '--prefix', 'ctrl-c/', 'a.txt', 'c.txt'];
    const program = startProgram(folder, args, false, PASTE_ENVIRONMENT);
    const output = endOf(program);
    await until(() => proxy.fates.filter((line) => /c\.txt/.test(line)).length > 3);
    program.kill('SIGINT');
    const { signal, stderr } = await output;
    expect(signal).toBe('SIGINT');
    expect(statesOf(stderr)).toEqual(['done', 'left']);
    expect(commandOf(stderr)).toBe(`dlx-batch ${args.join(' ')}`);
  });

  test('Ctrl-C in upload of standard input leaves no partial upload', async () => {
    const proxy = await proxyWith(1, () => 'good');
    const args = ['upload', '--endpoint', proxy.endpoint, '--prefix', 'cut/', '-'];
    const program = startProgram(folderWith({}, onTestFinished), args, false, PASTE_ENVIRONMENT);
    const ended = endOf(program);
    // Two full parts and a piece of the third; the end never comes.
    program.stdin.write(Buffer.alloc(20 * 1024 * 1024, '.'));
    await until(() => proxy.fates.some((line) => /PUT .*partNumber=2/.test(line)));
    program.kill('SIGINT');
    const { signal, stderr } = await ended;
    expect([signal, ...statesOf(stderr)]).toEqual(['SIGINT', 'left']);
    expect(commandOf(stderr)).toBe(`dlx-batch ${args.join(' ')}`);
    const s3 = clientOf(stack);
    const unfinished = { Bucket: LOCAL_STACK.inputBucket, Prefix: 'inbox/cut/' };
    await eventually(async () =>
      expect((await s3.listMultipartUploads(unfinished)).Uploads ?? []).toEqual([]),
    );
    expect(await versionsOf('inbox/cut/')).toEqual([]);
  });

  test('download continues where it stopped', async () => {
    const good = await proxyWith(1, () => 'good');
    const folder = folderWith(SMALL, onTestFinished);
    const prefix = ['--endpoint', good.endpoint, '--prefix', 'down/'];
    expect((await runProgram(folder, ['upload', ...prefix, '--wait', ...Object.keys(SMALL)])).status).toBe(0);
    const bad = await proxyWith(1, (line) => (/c\.txt.*solutions/.test(line) ? 'refuse' : 'good'));
    const args = ['download', '--endpoint', bad.endpoint, '--retry-for', '0s', '-o', 'out'];
    const failed = await runProgram(folder, [...args, 'inbox/down/']);
    expect(failed.status).toBe(2);
    expect(statesOf(failed.stderr).sort()).toEqual(['done', 'done', 'left']);
    const command = commandOf(failed.stderr);
    expect(command).toBe(`dlx-batch ${[...args, 'inbox/down/'].join(' ')}`);
    bad.setFate(() => 'good');
    const words = command.replace('dlx-batch ', '').split(' ');
    // On a busy machine, a single attempt may time out.
    const again = await runProgram(folder, [...words, '--retry-for', '1m', '--json']);
    const { results } = JSON.parse(again.stdout) as { results: { kept: number }[] };
    expect(results.map(({ kept }) => kept).sort()).toEqual([0, 4, 4]);
  });
});

describe('over a bad network', () => {
  test('every other command ends with the same output as over a good one', async () => {
    const proxy = await proxyWith(runSeed(), () => 'good');
    const folder = folderWith(SMALL, onTestFinished);
    const at = ['--endpoint', proxy.endpoint];
    await runProgram(folder, ['upload', ...at, '--prefix', 'all/', '--wait', ...Object.keys(SMALL)]);
    const commands = [
      ['download', ...at, 'inbox/all/', '-o', 'out', '--json'],
      ['download', ...at, 'inbox/all/c.txt', '-o', '-'],
      ['status', ...at, '--watch', 'inbox/all/a.txt', '--json'],
      ['link', ...at, 'inbox/all/c.txt', '--file', 'report', '--json'],
      ['retry', ...at, 'inbox/all/a.txt'],
      ['retry', ...at, '--dry-run', 'inbox/all/', '--json'],
      ['run', ...at, '--list'],
      ...(DEEP ? [['retry', ...at, '--wait', 'inbox/all/', '--json']] : []),
    ];
    const outputs = async () => {
      const all: unknown[] = [];
      for (const args of commands) {
        const { stdout, stderr, status } = await runProgram(folderWith({}, onTestFinished), args);
        // Times, ids, folders and signatures differ in each run.
        const text = stdout.replaceAll(/"(url|expiresAt|runId|folder|\w*Seconds|\w+At)":[^,}]*/g, '$1');
        const shown = args.includes('--list') ? '' : text.slice(0, 200);
        all.push([args[0], status, stderr.replaceAll(OUTAGE, ''), shown]);
      }
      return all;
    };
    const good = await outputs();
    proxy.setFate(badShare(0.2));
    expect(await outputs()).toEqual(good);
    expect(proxy.fates.filter((line) => !line.startsWith('good')).length).toBeGreaterThan(3);
  });

  test('an upload continues after an outage', async () => {
    const proxy = await proxyWith(1, () => 'good');
    const folder = folderWith(SMALL, onTestFinished);
    await proxy.down();
    const args = ['upload', '--endpoint', proxy.endpoint, '--prefix', 'outage/', '--wait'];
    const ended = runProgram(folder, [...args, ...Object.keys(SMALL)]);
    await sleep(500);
    await proxy.up();
    expect(await ended).toMatchObject({ status: 0, stderr: '' });
  });
});
