/** Account quotas that a template does not show: memory and concurrent executions. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareConcurrency } from '../../lib/infra/account-concurrency.ts';
import { expectTable } from '../support/text-table.ts';
import { appWith, resourceOf, stackIn, templateWith } from './synthesised.ts';

/** Messages of the synthesis about the stack, such as `warning: ...`. */
function notesOf(context: Record<string, unknown>): string[] {
  const app = appWith(context);
  const { artifactId } = stackIn(app);
  const { messages } = app.synth().getStackArtifact(artifactId);
  return messages.map(({ level, entry }) => `${level}: ${String(entry.data).replace(/ \[ack: .*\]$/, '')}`);
}

/** Concurrent uploads, shards of each map, and the reserved concurrency of functions. */
function concurrencyWith(context: Record<string, unknown>): string[] {
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
  const shards = Array.from(definition.matchAll(/"MaxConcurrency":(\d+)/g), ([, found]) => found);
  const { MaximumConcurrency } = source!.Properties.ScalingConfig;
  return [`${MaximumConcurrency} files, ${shards.join(' and ')} shards`, ...reserved];
}

it('quotas have the effects that account-quotas.txt says', () =>
  expectTable(new URL('account-quotas.txt', import.meta.url), {
    'what synthesis says about settings': notesOf,
    'the concurrent executions with settings: AWS refuses a reservation that leaves less than 100, and uploads need theirs':
      concurrencyWith,
  }));

it('the concurrent executions leave two for a run and for other files with all settings, and are in the range of Lambda and SQS', () => {
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
