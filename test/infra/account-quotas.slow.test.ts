/** Account quotas that a template does not show: memory and concurrent executions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareConcurrency } from '../../lib/infra/account-concurrency.ts';
import { appWith, resourceOf, stackIn, templateWith } from './synthesised.ts';

/** Messages of the synthesis about the stack, such as `warning: ...`. */
function notesOf(context: Record<string, unknown>): string[] {
  const app = appWith(context);
  const { artifactId } = stackIn(app);
  const { messages } = app.synth().getStackArtifact(artifactId);
  return messages.map(({ level, entry }) => `${level}: ${String(entry.data)}`);
}

const MEMORY = 'in new accounts, functions over 3,008 MiB are refused until AWS raises the quota';

describe('synthesis says', () => {
  it.each([
    { context: {}, notes: [] },
    { context: { 'dlx:memoryMb': 3008, 'dlx:shardMemoryMb': 3008 }, notes: [] },
    { context: { 'dlx:memoryMb': 3009 }, notes: [`warning: memoryMb is 3009: ${MEMORY}`] },
    { context: { 'dlx:shardMemoryMb': 3009 }, notes: [`warning: shardMemoryMb is 3009: ${MEMORY}`] },
    {
      context: { 'dlx:accountConcurrency': 10 },
      notes: [
        'info: accountConcurrency is 10, so 4 files and 4 shards of a large file are solved concurrently ' +
          '(maxConcurrency is 10, shardConcurrency is 100)',
      ],
    },
  ])('$notes with $context', ({ context, notes }) => {
    const found = notesOf(context).map((note) => note.replace(/ \[ack: .*\]$/, ''));
    expect(found).toEqual(notes);
  });
});

/** Concurrent uploads, shards of each map, and the reserved concurrency of functions. */
function concurrencyWith(context: Record<string, unknown>) {
  const template = templateWith(context);
  const [source] = Object.values(template.findResources('AWS::Lambda::EventSourceMapping'));
  const definition = resourceOf(template, 'SolveLargeArn').Properties.DefinitionString['Fn::Join'][1].join(
    '',
  );
  const reserved = Object.values(template.findResources('AWS::Lambda::Function')).flatMap(({ Properties }) =>
    Properties.ReservedConcurrentExecutions === undefined
      ? []
      : [`${Properties.Handler} ${Properties.ReservedConcurrentExecutions}`],
  );
  return {
    files: source!.Properties.ScalingConfig.MaximumConcurrency,
    shards: Array.from(definition.matchAll(/"MaxConcurrency":(\d+)/g), ([, found]) => Number(found)),
    reserved: reserved.join(),
  };
}

describe('the concurrent executions', () => {
  const all = (count: number, solve: number) =>
    `plan-shards.handler 10,count-shard.handler ${count},solve-shard.handler ${solve},merge-shards.handler 10`;

  it.each([
    { account: 'unknown', context: {}, files: 10, shards: 100, reserved: '' },
    // AWS refuses a reservation that leaves less than 100 executions, and uploads need theirs.
    { account: 'new', context: { 'dlx:accountConcurrency': '10' }, files: 4, shards: 4, reserved: '' },
    { account: 'small', context: { 'dlx:accountConcurrency': 100 }, files: 10, shards: 88, reserved: '' },
    {
      account: 'nearly large enough',
      context: { 'dlx:accountConcurrency': 254 },
      files: 10,
      shards: 100,
      reserved: '',
    },
    {
      account: 'large enough',
      context: { 'dlx:accountConcurrency': 255 },
      files: 10,
      shards: 100,
      reserved: all(25, 100),
    },
    {
      account: 'a usual one',
      context: { 'dlx:accountConcurrency': 1000, 'dlx:shardConcurrency': 200 },
      files: 10,
      shards: 200,
      reserved: all(50, 200),
    },
    {
      account: 'unknown, with the maximum settings',
      context: { 'dlx:maxConcurrency': 1000, 'dlx:shardConcurrency': 10_000 },
      files: 499,
      shards: 499,
      reserved: '',
    },
  ])('fit in an account that is $account', ({ context, files, shards, reserved }) => {
    expect(concurrencyWith(context)).toMatchObject({ files, shards: [shards, shards], reserved });
  });

  it('leave two for a run and for other files with all settings, and are in the range of Lambda and SQS', () => {
    const range = (min: number, max: number) => fc.integer({ min, max });
    const settings = fc.record({
      accountConcurrency: range(10, 100_000),
      maxConcurrency: range(2, 1000),
      shardConcurrency: range(1, 10_000),
    });
    fc.assert(
      fc.property(settings, (given) => {
        const { files, shards } = shareConcurrency(given);
        expect(files + shards).toBeLessThanOrEqual(given.accountConcurrency - 2);
        expect(files).toBeLessThanOrEqual(given.maxConcurrency);
        expect(files).toBeGreaterThanOrEqual(2);
        expect(shards).toBeLessThanOrEqual(given.shardConcurrency);
        expect(shards).toBeGreaterThanOrEqual(1);
      }),
      { seed: 20260801 },
    );
  });
});
