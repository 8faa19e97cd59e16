/**
 * The packed file in an empty folder, with each Node version that it supports: what it has, and the first commands of the README.
 * Each night all commands of the README and of the pages for users that need no AWS account; `app.test.ts` runs their code, and
 * `sources.test.ts` the block of a clone.
 */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { ENGINE_NAMES } from '../../lib/sudoku/engine.ts';
import manifest from '../../package.json' with { type: 'json' };
import { DEEP } from '../support/depth.ts';
import { Installation } from './installation.ts';
import { PACKED_MAJORS } from './pairs.ts';
import { commandBlocks } from './readme-blocks.ts';

const ROOT = join(import.meta.dirname, '../..');
const PUZZLE = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const SOLUTION = '534678912672195348198342567859761423426853791713924856961537284287419635345286179';

/** Over 8 MiB: worker threads start before the file is read, and the stack samples its start to decide whether it is large. */
const MANY = 110_000;

/** The command without npx, which takes longer than the command. */
const DLX_BATCH = 'node_modules/.bin/dlx-batch';

const ENTRY_POINTS = ['dlx-batch', 'dlx-batch/exact-cover', 'dlx-batch/compat', 'dlx-batch/browser'];

/** Commands that need an AWS account, by the first words of their block. */
const WITH_ACCOUNT = [
  'npm ci\nnpx cdk bootstrap',
  'npx cdk deploy -c dlx:eventEmails',
  'npx dlx-batch doctor',
  'npx dlx-batch upload puzzles.txt --wait',
  'npx dlx-batch upload puzzles.txt\n',
  'npx dlx-batch download -o results',
  'npx dlx-batch link inbox/puzzles.txt',
  'aws s3 cp',
];
const IN_CLONE = 'npm ci\nnpm start';
const SERVE = /^npx dlx-batch (local --serve)/;

const runnable = commandBlocks.filter(
  (block) => ![...WITH_ACCOUNT, IN_CLONE].some((first) => block.startsWith(first)),
);

describe('the command blocks of the documents', () => {
  it('are found', () => {
    expect(runnable.length).toBeGreaterThan(2);
  });

  it.each(WITH_ACCOUNT)(
    'that need an account are in the documents, and no others are left out: %s',
    (first) => {
      expect(commandBlocks.filter((block) => block.startsWith(first))).toHaveLength(1);
    },
  );
});

describe.each(PACKED_MAJORS)('on Node %i', (major) => {
  let user: Installation;
  let installed: string;

  beforeAll(() => {
    user = new Installation('user', major);
    user.write('puzzles.txt', `${PUZZLE}\n`);
    user.write('many.txt', `${PUZZLE}\n`.repeat(MANY));
    installed = user.install();
  });

  it('runs on that Node', () => {
    expect(user.output('node --version')).toMatch(new RegExp(`^v${major}\\.`));
  });

  it('installation prints no warning and adds one package', () => {
    expect(installed).toMatch(/^\s*added 1 package(?:, and audited \d+ packages)? in /);
    expect(installed).not.toMatch(/warn|error|deprecated/i);
  });

  it('npx starts the command', () => {
    expect(user.output('npx dlx-batch solve puzzles.txt')).toBe(`${SOLUTION}\n`);
  });

  it('solves in several threads', () => {
    user.output(`${DLX_BATCH} solve --workers 3 -o out many.txt`);
    const stats = JSON.parse(user.read('out/many.txt/stats.json'));
    expect([stats.puzzles.solved, stats.engine.workers]).toEqual([MANY, 3]);
  });

  it('has all engines', () => {
    const measured = user.output(`${DLX_BATCH} bench --passes 1 puzzles.txt`);
    expect(ENGINE_NAMES.filter((engine) => !measured.includes(`\n${engine} `))).toEqual([]);
  });

  // The commands of the package are those of the checkout: they have their turn each night.
  it.runIf(DEEP)('generates, checks, explains and says its version', () => {
    user.output(`${DLX_BATCH} generate --count 3 --seed 1 > generated.txt`);
    expect(user.output(`${DLX_BATCH} solve generated.txt`)).toMatch(/^(?:\d{81}\n){3}$/);
    expect(user.output(`${DLX_BATCH} check generated.txt`)).toBe('');
    expect(user.output(`${DLX_BATCH} check --explain generated.txt`)).toContain('line');
    expect(user.output(`${DLX_BATCH} completion bash`)).toContain('complete');
    expect(user.output(`${DLX_BATCH} --version`)).toBe(`${manifest.version}\n`);
  });

  it('runs files through the whole stack, a large one through the state machine', () => {
    const { status, stderr } = user.run(
      `${DLX_BATCH} local --verbose --set large-seconds=0.01 --set shard-bytes=3000000 -o stack puzzles.txt many.txt`,
    );
    expect(status, stderr).toBe(0);
    expect(user.read('stack/puzzles.txt/solutions.txt')).toBe(`${SOLUTION}\n`);
    expect(user.read('stack/many.txt/solutions.txt') === `${SOLUTION}\n`.repeat(MANY)).toBe(true);
    expect(stderr).toContain('handed-over');
  });

  it.runIf(DEEP)('serves a stack with its page, which the commands use', async () => {
    const stack = user.start('dlx-batch/bin/dlx-batch.mjs', ['local', '--serve', '--json']);
    const ended = new Promise((resolve) => stack.once('close', resolve));
    try {
      const { value } = await createInterface({ input: stack.stdout! })[Symbol.asyncIterator]().next();
      const { endpoint, page } = JSON.parse(value!);
      expect(await (await fetch(page)).text()).toContain('<html');
      expect((await fetch(`${page}_page/page.js`)).status).toBe(200);
      const on = (command: string, rest: string) =>
        user.output(`${DLX_BATCH} ${command} --endpoint ${endpoint} ${rest}`);
      on('upload', '--wait --download results puzzles.txt');
      expect(user.read('results/inbox/puzzles.txt/solutions.txt')).toBe(`${SOLUTION}\n`);
      expect(on('status', 'inbox/puzzles.txt')).toContain('done');
      expect(on('link', 'inbox/puzzles.txt --file report')).toMatch(/^http/);
      on('upload', '--schedule puzzles.txt');
      on('run', '--wait');
      expect(on('run', '--list')).toContain('1');
      on('download', '-o all');
      expect(user.read('all/scheduled/puzzles.txt/solutions.txt')).toBe(`${SOLUTION}\n`);
    } finally {
      stack.kill('SIGTERM');
      await ended;
    }
  });

  it.each(runnable.filter((block) => !SERVE.test(block)).slice(0, DEEP ? undefined : 1))('%s', (block) => {
    // Files of the checkout that a command reads are there for a reader.
    for (const [path] of block.matchAll(/(?<=\s)test\/[\w/.-]+/g)) {
      cpSync(join(ROOT, path), join(user.folder, path), { recursive: true });
    }
    // npx takes longer than the commands.
    user.output(DEEP ? block : block.replaceAll('npx dlx-batch', DLX_BATCH));
    const written = [...block.matchAll(/(?<= > )\S+|(?<= -o )\S+/g)].map(([path]) => path);
    expect(written.filter((path) => !existsSync(join(user.folder, path)))).toEqual([]);
  });

  it.each(runnable.filter((block) => SERVE.test(block)).slice(0, DEEP ? undefined : 1))(
    '%s',
    async (block) => {
      const stack = user.start('dlx-batch/bin/dlx-batch.mjs', SERVE.exec(block)![1]!.split(' '));
      const ended = new Promise((resolve) => stack.once('close', resolve));
      try {
        for await (const line of createInterface({ input: stack.stdout! })) {
          const page = /^Web page: (\S+)/.exec(line)?.[1];
          if (page === undefined) continue;
          expect((await fetch(page)).status).toBe(200);
          break;
        }
      } finally {
        stack.kill('SIGTERM');
        await ended;
      }
    },
  );

  it('each entry point can be imported and required, with the same exports', () => {
    const printed = 'console.log(JSON.stringify(entries.map((entry) => Object.keys(entry).sort())));\n';
    const names = JSON.stringify(ENTRY_POINTS);
    user.write(
      'names.mjs',
      `const entries = await Promise.all(${names}.map((name) => import(name)));\n${printed}`,
    );
    user.write('names.cjs', `const entries = ${names}.map((name) => require(name));\n${printed}`);
    const imported = user.run('node names.mjs');
    const required = user.run('node names.cjs');
    expect([imported.stderr, required.stderr]).toEqual(['', '']);
    const exported: string[][] = JSON.parse(imported.stdout);
    expect(exported.filter((entry) => entry.length > 0)).toHaveLength(ENTRY_POINTS.length);
    expect(JSON.parse(required.stdout)).toEqual(exported);
  });

  it('an error of one entry point is an instance of the class that another exports', () => {
    user.write(
      'errors.mjs',
      `import { DlxBatchError as a } from 'dlx-batch';
import { DlxBatchError as b } from 'dlx-batch/exact-cover';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
console.log(a === b, require('dlx-batch').DlxBatchError === require('dlx-batch/exact-cover').DlxBatchError);`,
    );
    expect(user.output('node errors.mjs')).toBe('true true\n');
  });

  it('without the packages of the construct, its error names one', () => {
    user.write('construct.mjs', "import 'dlx-batch/cdk';\n");
    const { status, stderr } = user.run('node construct.mjs');
    expect(status).toBe(1);
    expect(stderr).toMatch(/Cannot find package '(?:aws-cdk-lib|constructs)'/);
  });
});
