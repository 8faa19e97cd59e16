/** Versions of functions: a deployment during a job does not affect it. */
import { Template } from 'aws-cdk-lib/assertions';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import type { DlxBatchStack } from '../../lib/infra/dlx-batch-stack.ts';
import { allows, statementsOf } from './role-permissions.ts';
import { appWith, resourceOf, stackIn } from './synthesised.ts';

type Json = ReturnType<Template['toJSON']>;

const MACHINES = [
  {
    output: 'SolveLargeArn',
    names: ['count-shard', 'merge-shards', 'plan-shards', 'solve-shard'],
  },
  { output: 'BulkRunArn', names: ['run-step'] },
] as const;

function functionAt(stack: DlxBatchStack, path: string): CfnFunction {
  const construct = path.split('/').reduce((node, id) => node.findChild(id).node, stack.batch.node);
  return construct.defaultChild as CfnFunction;
}

const SOLVE_SHARD = 'SolveLarge/Functions/Solve/Function';

/** A deployment. @param change changes the stack */
function deployed(context: Record<string, unknown> = {}, change: (stack: DlxBatchStack) => void = () => {}) {
  const stack = stackIn(appWith(context));
  change(stack);
  const template = Template.fromStack(stack);
  const resources: Json = template.toJSON().Resources;
  const nameOf = (functionId: string) => resources[functionId].Properties.Handler.replace('.handler', '');
  const versions: Record<string, { readonly id: string; readonly functionId: string }> = Object.fromEntries(
    Object.entries(template.findResources('AWS::Lambda::Version')).map(([id, { Properties }]) => {
      const functionId = Properties.FunctionName.Ref;
      return [nameOf(functionId), { id, functionId }];
    }),
  );
  return { template, resources, versions };
}

const first = deployed();

/** Parts of a definition: texts, and references between them. */
function definitionParts(template: Template, output: string): (string | Json)[] {
  return resourceOf(template, output).Properties.DefinitionString['Fn::Join'][1];
}

/** References to the functions that tasks call, with qualifier. */
function calledFunctions(template: Template, output: string): Json[][] {
  const parts = definitionParts(template, output);
  return parts.flatMap((part, index) =>
    typeof part === 'string' && part.endsWith('"FunctionName":"')
      ? [parts.slice(index + 1, index + 4) as Json[]]
      : [],
  );
}

describe.each(MACHINES)('the definition of $output', ({ output, names }) => {
  it('names the published version of every function that it calls', () => {
    const called = calledFunctions(first.template, output);
    const text = definitionParts(first.template, output).join('');
    const tasks = text.split('"Type":"Task"').length - 1;
    expect(called.length).toBe(tasks);
    for (const [arn, colon, qualifier] of called) {
      const [functionId] = arn['Fn::GetAtt'];
      const version = Object.values(first.versions).find((known) => known.functionId === functionId);
      expect([arn, colon, qualifier]).toEqual([
        { 'Fn::GetAtt': [functionId, 'Arn'] },
        ':',
        { 'Fn::GetAtt': [version?.id, 'Version'] },
      ]);
    }
  });

  it('calls all its functions', () => {
    const called = calledFunctions(first.template, output).map(([arn]) => arn['Fn::GetAtt'][0]);
    expect([...new Set(called)].sort()).toEqual(names.map((name) => first.versions[name]!.functionId).sort());
  });
});

it('only functions that a definition names have versions, which are all retained', () => {
  expect(Object.keys(first.versions).sort()).toEqual(MACHINES.flatMap(({ names }) => [...names]).sort());
  for (const { id } of Object.values(first.versions)) {
    expect(first.resources[id]).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
  }
});

describe('a second deployment', () => {
  const code = (stack: DlxBatchStack) =>
    functionAt(stack, SOLVE_SHARD).addPropertyOverride('Code.S3Key', 'another.zip');
  const variable = (stack: DlxBatchStack) =>
    functionAt(stack, SOLVE_SHARD).addPropertyOverride('Environment.Variables.SHARD_BYTES', '1000');

  it('that changes nothing publishes nothing', () => {
    expect(deployed().versions).toEqual(first.versions);
  });

  it.each([
    { what: 'the code', second: () => deployed({}, code) },
    { what: 'a variable', second: () => deployed({}, variable) },
    { what: 'the memory', second: () => deployed({ 'dlx:shardMemoryMb': 3538 }) },
  ])('that changes $what of a function publishes a new version of that function only', ({ second }) => {
    const { versions, resources, template } = second();
    const { 'solve-shard': before, ...others } = first.versions;
    const { 'solve-shard': after, ...sameOthers } = versions;
    expect(sameOthers).toEqual(others);
    expect(after!.id).not.toBe(before!.id);
    // The same function: deleting a function deletes its versions.
    expect(after!.functionId).toBe(before!.functionId);
    // CloudFormation removes the old resource, and its policy retains the version.
    expect(resources).not.toHaveProperty(before!.id);
    expect(first.resources[before!.id].DeletionPolicy).toBe('RetainExceptOnCreate');
    expect(JSON.stringify(definitionParts(template, 'SolveLargeArn'))).toContain(after!.id);
    expect(JSON.stringify(definitionParts(template, 'SolveLargeArn'))).not.toContain(before!.id);
  });

  it.each(MACHINES)(
    'lets $output call the old versions of its functions, and those of no other',
    ({ output, names }) => {
      const { template, resources } = deployed({}, code);
      const statements = statementsOf(
        template,
        resourceOf(template, output).Properties.RoleArn['Fn::GetAtt'][0],
      );
      const ids = Object.keys(template.findResources('AWS::Lambda::Function'));
      const callable = ids.filter((id) => allows(statements, 'lambda:InvokeFunction', `<${id}>:7`));
      const callableNames = callable.map((id) => resources[id].Properties.Handler.replace('.handler', ''));
      expect(callableNames.sort()).toEqual([...names].sort());
      // For executions that started before definitions named versions.
      for (const id of callable) expect(allows(statements, 'lambda:InvokeFunction', `<${id}>`)).toBe(true);
    },
  );
});

it('a step with another version than the plan is not retried', () => {
  for (const { output } of MACHINES) {
    const text = definitionParts(first.template, output)
      .filter((part) => typeof part === 'string')
      .join('');
    const retries = [...text.matchAll(/"Retry":(\[\{"ErrorEquals":\["Lambda.*?\}\])/g)].map((match) =>
      JSON.parse(match[1]!),
    );
    expect(retries.length).toBeGreaterThan(0);
    for (const retry of retries) {
      expect(retry.at(-2)).toEqual({ ErrorEquals: ['ProgramVersionError'], MaxAttempts: 0 });
    }
  }
});
