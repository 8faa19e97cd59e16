/**
 * The first commands of the README, and each night all commands of it and of the pages for users that need no AWS account, with each
 * Node version; `app.test.ts` runs its code, and `sources.test.ts` the block of a clone.
 */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEEP } from '../support/depth.ts';
import { Installation } from './installation.ts';
import { PACKED_MAJORS } from './pairs.ts';
import { commandBlocks } from './readme-blocks.ts';

const ROOT = join(import.meta.dirname, '../..');
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

  beforeAll(() => {
    user = new Installation('readme', major);
    user.install();
  });

  it.each(runnable.filter((block) => !SERVE.test(block)).slice(0, DEEP ? undefined : 1))('%s', (block) => {
    // Files of the checkout that a command reads are there for a reader.
    for (const [path] of block.matchAll(/(?<=\s)test\/[\w/.-]+/g)) {
      cpSync(join(ROOT, path), join(user.folder, path), { recursive: true });
    }
    user.output(block);
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
});
