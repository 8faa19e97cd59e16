/** The examples of the construct's documentation run. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import * as cdk from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import * as construct from '../../lib/infra/dlx-batch.ts';
import { newApp } from './synthesised.ts';

const { DlxBatch } = construct;

const source = readFileSync(new URL('../../lib/infra/dlx-batch.ts', import.meta.url), 'utf8');
const page = readFileSync(new URL('../../docs/how-to/own-cdk-app.md', import.meta.url), 'utf8');

/** Examples in comments: the lines after the tag, up to the next tag or the end of the comment. */
const examples = [...source.matchAll(/@example\n((?:\s*\* (?!@).*\n)+)/g)].map(([, lines]) =>
  lines!.replaceAll(/^\s*\* /gm, ''),
);

/** Runs code with these variables. @returns the value of `result` */
function run(code: string, variables: Record<string, unknown>, result = 'undefined'): unknown {
  const script = stripTypeScriptTypes(code);
  return new Function(...Object.keys(variables), `${script}\nreturn ${result};`)(...Object.values(variables));
}

/** The variables that examples use without declaring them. */
function surroundings() {
  const stack = new cdk.Stack(newApp({}), 'Shop');
  const role = (id: string) =>
    new iam.Role(stack, id, { assumedBy: new iam.ServicePrincipal('ecs-tasks.amazonaws.com') });
  return {
    stack,
    key: new Key(stack, 'Key'),
    topic: new Topic(stack, 'Topic'),
    uploader: role('Uploader'),
    reader: role('Reader'),
    Bucket,
    DlxBatch,
  };
}

describe('an example of the documentation', () => {
  it('is in the comment of every export and of every method of the construct', () => {
    const exported = source.match(/^export (?:class|interface|type|function|const) \w+|^ {2}grant\w+\(/gm);
    expect(exported).toHaveLength(5);
    expect(examples).toHaveLength(exported!.length);
  });

  it.each(examples.filter((code) => /^const \w+: /.test(code)))('gives valid properties: %s', (code) => {
    const variables = surroundings();
    const [, name] = /^const (\w+)/.exec(code)!;
    const props = run(code, variables, name) as construct.DlxBatchProps;
    new DlxBatch(variables.stack, 'Puzzles', props);
    const machines = Template.fromStack(variables.stack).findResources('AWS::StepFunctions::StateMachine');
    expect(Object.keys(machines)).toHaveLength(2);
  });

  it.each(examples.filter((code) => !/^const \w+: /.test(code)))('uses the construct: %s', (code) => {
    const { DlxBatch: _, ...variables } = surroundings();
    const puzzles = code.includes('new DlxBatch')
      ? { DlxBatch }
      : { puzzles: new DlxBatch(variables.stack, 'P') };
    run(code, { ...variables, ...puzzles });
    const policies = Object.keys(Template.fromStack(variables.stack).findResources('AWS::IAM::Policy'));
    expect(policies.filter((id) => /^(Uploader|Reader)DefaultPolicy/.test(id))).not.toEqual([]);
  });
});

describe('the page about your own app', () => {
  const [block] = [...page.matchAll(/```ts\n([\s\S]*?)```/g)]
    .map(([, code]) => code!)
    .filter((code) => code.includes("from 'dlx-batch/cdk'"));

  it('has ten lines of code that create the construct', () => {
    expect(block!.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(10);
    class AppWithoutBundles extends cdk.App {
      constructor() {
        // Validation takes seconds; template-checks.slow.test.ts validates the same construct with grants.
        super({ context: { 'aws:cdk:bundling-stacks': [] }, builtinCloudFormationValidation: false });
      }
    }
    const modules = {
      'aws-cdk-lib': { ...cdk, App: AppWithoutBundles },
      'aws-cdk-lib/aws-iam': iam,
      'dlx-batch/cdk': construct,
    };
    const code = block!.replaceAll(/^import (\{.*\}) from ('.*');$/gm, 'const $1 = modules[$2];');
    const stack = run(code, { modules }, 'stack') as cdk.Stack;
    const template = Template.fromStack(stack);
    template.resourceCountIs('AWS::S3::Bucket', 2);
    template.resourceCountIs('AWS::Lambda::Function', 7);
  });
});
