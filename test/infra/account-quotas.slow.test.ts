/** Account quotas that a template does not show: memory and concurrent executions. */
import { Stack } from 'aws-cdk-lib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareConcurrency } from '../../lib/infra/account-concurrency.ts';
import { DlxBatch } from '../../lib/infra/dlx-batch.ts';
import { appWith, resourceOf, stackIn, templateWith } from './synthesised.ts';

/** Messages of the synthesis about the stack, such as `warning: ...`. */
function notesOf(context: Record<string, unknown>): string[] {
  const app = appWith(context);
  const stack = stackIn(app);
  const { messages } = app.synth().getStackArtifact(stack.artifactId);
  return messages.map(({ level, entry }) => `${level}: ${String(entry.data)}`);
}

describe('synthesis', () => {
  it('reports nothing about the settings of cdk.json', () => {
    expect(notesOf({})).toEqual([]);
  });

  it.each(['dlx:memoryMb', 'dlx:shardMemoryMb'])('does not warn about %s of 3,008 MiB', (key) => {
    expect(notesOf({ [key]: 3008 })).toEqual([]);
  });

  it.each(['dlx:memoryMb', 'dlx:shardMemoryMb'])('warns about %s over 3,008 MiB', (key) => {
    expect(notesOf({ [key]: 3009 })).toEqual([
      expect.stringMatching(
        `^warning: ${key.replace('dlx:', '')} is 3009: in new accounts, functions over 3,008 MiB are refused`,
      ),
    ]);
  });

  it('reports the concurrency to which it lowers the settings, and the reason', () => {
    expect(notesOf({ 'dlx:accountConcurrency': 10 })).toEqual([
      expect.stringMatching(
        '^info: accountConcurrency is 10, so 4 files and 4 shards of a large file are solved concurrently',
      ),
    ]);
  });
});

/** The reserved concurrency of each function that has one. */
function reservedWith(context: Record<string, unknown>): Record<string, number> {
  const functions = Object.values(templateWith(context).findResources('AWS::Lambda::Function'));
  return Object.fromEntries(
    functions.flatMap(({ Properties: { Handler, ReservedConcurrentExecutions: reserved } }) =>
      reserved === undefined ? [] : [[Handler.replace('.handler', ''), reserved]],
    ),
  );
}

describe('the functions for large files', () => {
  it('reserve concurrency in an account whose concurrency is set, so that all files together have a bound', () => {
    expect(reservedWith({ 'dlx:accountConcurrency': 1000, 'dlx:shardConcurrency': 200 })).toEqual({
      'plan-shards': 10,
      'count-shard': 50,
      'solve-shard': 200,
      'merge-shards': 10,
    });
  });

  it.each([
    { account: 'unknown', context: {} },
    { account: 'new', context: { 'dlx:accountConcurrency': 10 } },
    { account: 'small', context: { 'dlx:accountConcurrency': 254 } },
  ])('reserve none in an account that is $account, which AWS would refuse', ({ context }) => {
    expect(reservedWith(context)).toEqual({});
  });

  it('leave at least the 100 executions that AWS keeps, and those of uploads', () => {
    expect(Object.keys(reservedWith({ 'dlx:accountConcurrency': 255 }))).toHaveLength(4);
  });
});

it.each(['maxDayDollars', 'maxDayMb', 'maxFolderDollars', 'maxFolderMb'])(
  'the setting %s of version 0.1 is refused, with what to do instead',
  (name) => {
    const expected = new RegExp(
      `${name} is gone: use maxConcurrency and shardConcurrency instead, .* AWS Budgets`,
    );
    expect(() => templateWith({ [`dlx:${name}`]: 'none' })).toThrow(expected);
    expect(() => new DlxBatch(new Stack(), 'Batch', { [name]: 5 })).toThrow(expected);
  },
);

/** Concurrent uploads, and concurrent shards of each map. */
function concurrencyWith(context: Record<string, unknown>) {
  const template = templateWith(context);
  const [source] = Object.values(template.findResources('AWS::Lambda::EventSourceMapping'));
  const machine = resourceOf(template, 'SolveLargeArn').Properties;
  const definition = machine.DefinitionString['Fn::Join'][1].join('');
  const shards = [...definition.matchAll(/"MaxConcurrency":(\d+)/g)].map(([, found]) => Number(found));
  return { files: source!.Properties.ScalingConfig.MaximumConcurrency, shards };
}

describe('the concurrent executions', () => {
  it.each([
    { account: 'a usual one', context: {}, files: 10, shards: 100 },
    { account: 'a new one', context: { 'dlx:accountConcurrency': '10' }, files: 4, shards: 4 },
    { account: 'a small one', context: { 'dlx:accountConcurrency': 100 }, files: 10, shards: 88 },
    {
      account: 'a large one',
      context: {
        'dlx:accountConcurrency': 5000,
        'dlx:maxConcurrency': 200,
        'dlx:shardConcurrency': 2000,
      },
      files: 200,
      shards: 2000,
    },
    {
      account: 'a usual one with the maximum settings',
      context: { 'dlx:maxConcurrency': 1000, 'dlx:shardConcurrency': 10_000 },
      files: 499,
      shards: 499,
    },
  ])('fit in $account: $files files, $shards shards', ({ context, files, shards }) => {
    expect(concurrencyWith(context)).toEqual({ files, shards: [shards, shards] });
  });

  it('leave two for a run and for other files with all settings, and are in the range of Lambda and SQS', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 100_000 }),
        fc.integer({ min: 2, max: 1000 }),
        fc.integer({ min: 1, max: 10_000 }),
        (accountConcurrency, maxConcurrency, shardConcurrency) => {
          const { files, shards } = shareConcurrency({
            accountConcurrency,
            maxConcurrency,
            shardConcurrency,
          });
          expect(files + shards).toBeLessThanOrEqual(accountConcurrency - 2);
          expect(files).toBeLessThanOrEqual(maxConcurrency);
          expect(files).toBeGreaterThanOrEqual(2);
          expect(shards).toBeLessThanOrEqual(shardConcurrency);
          expect(shards).toBeGreaterThanOrEqual(1);
        },
      ),
      { seed: 20260801 },
    );
  });
});
