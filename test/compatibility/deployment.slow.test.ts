/**
 * A stack of version 0.1 is upgraded in place: its settings are accepted, or their names are in the error, and nothing
 * that holds data or that users have attached something to is replaced.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { newApp, stackIn } from '../infra/synthesised.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

interface StackTemplate {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
}

const FIXTURES = join(import.meta.dirname, '../fixtures/version-0.1');

function fixture<Document>(name: string): Document {
  return JSON.parse(readFileSync(join(FIXTURES, name), 'utf8'));
}

/**
 * For each type of resource that holds data, messages or attachments: the properties whose change replaces the resource
 * ("Update requires: Replacement" in CloudFormation's reference of resource types).
 */
const REPLACING: Readonly<Record<string, readonly string[]>> = {
  'AWS::S3::Bucket': ['BucketName', 'BucketNamePrefix', 'ObjectLockEnabled'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::StepFunctions::StateMachine': ['StateMachineName', 'StateMachineType'],
  // A policy that is replaced loses the users and roles that it was attached to.
  'AWS::IAM::ManagedPolicy': ['ManagedPolicyName', 'Path', 'Description'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  // A function that is replaced loses its versions, which executions of the state machines call.
  'AWS::Lambda::Function': ['FunctionName', 'PackageType'],
};

/** Of the template of version 0.1: the resources and properties that `REPLACING` names, and the outputs. */
const old = fixture<StackTemplate>('template.json');

function synthesised(context: Readonly<Record<string, unknown>>): StackTemplate {
  return Template.fromStack(stackIn(newApp(context))).toJSON() as StackTemplate;
}

describe('the template over that of version 0.1, with its cdk.json', () => {
  const { context } = fixture<{ context: Record<string, unknown> }>('cdk.json');
  const template = synthesised(context);
  const kept = Object.entries(old.Resources).filter(([, { Type }]) => Type in REPLACING);

  test('keeps buckets, queues, state machines, functions, policies of users and log groups', () => {
    expect(kept.length).toBeGreaterThan(15);
    for (const [id, { Type, Properties = {} }] of kept) {
      const now = template.Resources[id];
      expect(now?.Type, id).toBe(Type);
      for (const name of REPLACING[Type]!)
        expect(now?.Properties?.[name], `${id} ${name}`).toEqual(Properties[name]);
    }
  });

  test('retains the buckets if they are removed from a later template', () => {
    const buckets = kept.filter(([, { Type }]) => Type === 'AWS::S3::Bucket');
    expect(buckets).toHaveLength(2);
    for (const [id] of buckets) {
      const { DeletionPolicy, UpdateReplacePolicy } = template.Resources[id]!;
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
    }
  });

  test('has the outputs that the commands of version 0.1 read', () => {
    // No command reads the name of the dashboard, which is off by default.
    const read = Object.keys(old.Outputs).filter((name) => name !== 'DashboardName');
    expect(Object.keys(template.Outputs)).toEqual(expect.arrayContaining(read));
  });
});

test.each(Object.entries(fixture<Record<string, unknown>>('settings.json')))(
  'the setting %s of version 0.1 is accepted, or the error names it and says what to do instead',
  (name, value) => {
    // An existing bucket's key needs the bucket's name.
    const buckets = name.endsWith('KeyArn')
      ? { 'dlx:puzzleBucketName': 'puzzles-of-the-day', 'dlx:resultsBucketName': 'results-of-the-day' }
      : {};
    let found = 'accepted';
    try {
      synthesised({ ...buckets, [name]: value });
    } catch (error) {
      found = (error as Error).message;
    }
    const isHelpful = found.includes(name.slice('dlx:'.length)) && /\binstead\b/.test(found);
    expect(found === 'accepted' || isHelpful, found).toBe(true);
  },
);
