/** A second deployment publishes new versions of the functions that it changes. (What calls them: `rules.test.ts`.) */
import { Template } from 'aws-cdk-lib/assertions';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { expect, it } from 'vitest';
import type { DlxBatchStack } from '../../lib/infra/dlx-batch-stack.ts';
import { appWith, resourceOf, stackIn } from './synthesised.ts';

/** A deployment, whose function that solves shards has overridden properties. */
function deployed(context: Record<string, unknown> = {}, overrides: Readonly<Record<string, string>> = {}) {
  const stack: DlxBatchStack = stackIn(appWith(context));
  const [solveShard] = stack.batch.functions.filter(({ node }) => node.path.includes('Functions/Solve/'));
  for (const [path, value] of Object.entries(overrides)) {
    (solveShard!.node.defaultChild as CfnFunction).addPropertyOverride(path, value);
  }
  const template = Template.fromStack(stack);
  const { Resources } = template.toJSON();
  const versions: Record<string, readonly [id: string, functionId: string]> = Object.fromEntries(
    Object.entries(template.findResources('AWS::Lambda::Version')).map(([id, { Properties }]) => {
      const { Ref } = Properties.FunctionName;
      return [Resources[Ref].Properties.Handler, [id, Ref]];
    }),
  );
  return { versions, definition: JSON.stringify(resourceOf(template, 'SolveLargeArn').Properties) };
}

const first = deployed();

it('that changes nothing publishes nothing', () => {
  expect(deployed().versions).toEqual(first.versions);
});

it.each([
  { what: 'the code', second: () => deployed({}, { 'Code.S3Key': 'another.zip' }) },
  { what: 'a variable', second: () => deployed({}, { 'Environment.Variables.SHARD_BYTES': '1000' }) },
  { what: 'the memory', second: () => deployed({ 'dlx:shardMemoryMb': 3538 }) },
])('that changes $what of a function publishes a new version of that function only', ({ second }) => {
  const { versions, definition } = second();
  const { 'solve-shard.handler': before, ...others } = first.versions;
  const { 'solve-shard.handler': after, ...sameOthers } = versions;
  expect(sameOthers).toEqual(others);
  // The same function: deleting a function deletes its versions.
  expect([after![0] === before![0], after![1]]).toEqual([false, before![1]]);
  expect([definition.includes(after![0]), definition.includes(before![0])]).toEqual([true, false]);
});
