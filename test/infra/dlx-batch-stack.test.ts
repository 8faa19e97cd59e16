import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { DlxBatchStack } from '../../lib/infra/dlx-batch-stack.ts';
import { appWith, cdkJsonContext, newApp, resourceOf, stackIn, templateWith } from './synthesised.ts';

const template = templateWith();

describe('the stack', () => {
  it.each([
    { output: 'InputBucketName', type: 'AWS::S3::Bucket' },
    { output: 'ResultsBucketName', type: 'AWS::S3::Bucket' },
    { output: 'QueueUrl', type: 'AWS::SQS::Queue' },
    { output: 'DeadLetterQueueUrl', type: 'AWS::SQS::Queue' },
    { output: 'UndeliveredEventsQueueUrl', type: 'AWS::SQS::Queue' },
    { output: 'SolveLargeArn', type: 'AWS::StepFunctions::StateMachine' },
    { output: 'SolveFunctionName', type: 'AWS::Lambda::Function' },
    { output: 'SolveLogGroupName', type: 'AWS::Logs::LogGroup' },
  ])('names its resources in outputs: $output', ({ output, type }) => {
    expect(resourceOf(template, output).Type).toBe(type);
  });

  it('explains in an output what to do if the first uploads get no event', () => {
    const { Value } = template.toJSON().Outputs.FirstUploads;
    expect(Value).toMatch(
      /first 15 minutes after the first deployment.*no events for uploads.*dlx-batch resend KEY.*nightly/,
    );
  });

  it('has the same defaults as cdk.json', () => {
    const flags = Object.entries(cdkJsonContext).filter(([key]) => !key.startsWith('dlx:'));
    const app = newApp(Object.fromEntries(flags));
    expect(Template.fromStack(new DlxBatchStack(app, 'DlxBatch')).toJSON()).toEqual(template.toJSON());
  });

  it('can be deployed to any account and region, without lookups at synthesis', () => {
    const app = appWith();
    stackIn(app);
    const assembly = app.synth();
    expect(assembly.manifest.missing).toBeUndefined();
    expect(assembly.stacks.map((stack) => stack.environment.name)).toEqual([
      'aws://unknown-account/unknown-region',
    ]);
  });

  it('takes its name from the context, with the same outputs', () => {
    const app = appWith({ 'dlx:stackName': 'puzzles-test' });
    const stack = stackIn(app);
    expect(stack.stackName).toBe('puzzles-test');
    expect(Object.keys(Template.fromStack(stack).toJSON().Outputs)).toEqual(
      Object.keys(template.toJSON().Outputs),
    );
  });
});

describe('an update of a stack that is older than the construct', () => {
  // A resource with another logical id would be a new one: without the data, messages, logs, executions or versions of
  // the old one.
  it('replaces no resource that holds data', () => {
    const types = [
      'S3::Bucket',
      'SQS::Queue',
      'Logs::LogGroup',
      'StepFunctions::StateMachine',
      'Lambda::Function',
    ];
    const ids = types.flatMap((type) => Object.keys(template.findResources(`AWS::${type}`)));
    expect(ids.sort()).toEqual([
      'BucketsInputDC6E7815',
      'BucketsResultsB59121EA',
      'BulkRunLogsA8D33D5B',
      'BulkRunMachine17BE3971',
      'BulkRunStepFunction03367ADF',
      'BulkRunStepLogs45FD42E3',
      'ScheduleFailuresA9660C9B',
      'ScheduleSweepInboxFunctionA01BF334',
      'ScheduleSweepInboxLogsB81C5314',
      'ScheduleUndelivered4514B30D',
      'SolveBatchFunction07631115',
      'SolveBatchLogsC4FD4EE3',
      'SolveLargeFunctionsCountFunction3BEF70AA',
      'SolveLargeFunctionsCountLogs327782BB',
      'SolveLargeFunctionsMergeFunction39551295',
      'SolveLargeFunctionsMergeLogs4B1DFE74',
      'SolveLargeFunctionsPlanFunction3BA825CA',
      'SolveLargeFunctionsPlanLogsA3FACC26',
      'SolveLargeFunctionsSolveFunction7AFF96B4',
      'SolveLargeFunctionsSolveLogs01D10C1F',
      'SolveLargeLogsC90D6FC0',
      'SolveLargeMachineD1C87D56',
      'UploadsDeadLetters990BC9BA',
      'UploadsQueue9C3802C9',
      'UploadsUndeliveredEventsE3EBE240',
    ]);
  });

  it('keeps the names of log groups, as another name replaces one', () => {
    const names = Object.values(template.findResources('AWS::Logs::LogGroup')).flatMap(
      ({ Properties }) => Properties.LogGroupName?.['Fn::Join'][1][0] ?? [],
    );
    expect(names.sort()).toEqual([
      '/aws/vendedlogs/states/DlxBatch-BulkRun-',
      '/aws/vendedlogs/states/DlxBatch-SolveLarge-',
    ]);
  });
});

describe('the tags of the context', () => {
  const app = appWith({ 'dlx:tags': { team: 'puzzles', 'cost-centre': 4711 } });
  const stack = stackIn(app);
  const tagged = Template.fromStack(stack);

  it.each([
    'AWS::CloudWatch::Alarm',
    'AWS::Events::Rule',
    'AWS::IAM::Role',
    'AWS::Lambda::EventSourceMapping',
    'AWS::Lambda::Function',
    'AWS::Logs::LogGroup',
    'AWS::S3::Bucket',
    'AWS::SQS::Queue',
    'AWS::StepFunctions::StateMachine',
  ])('are on every resource of type %s', (type) => {
    const resources = Object.values(tagged.findResources(type));
    expect(resources).not.toEqual([]);
    for (const { Properties } of resources) {
      expect(Properties.Tags).toEqual([
        { Key: 'cost-centre', Value: '4711' },
        { Key: 'team', Value: 'puzzles' },
      ]);
    }
  });

  it('are on the stack itself', () => {
    expect(app.synth().getStackArtifact(stack.artifactId).tags).toEqual({
      team: 'puzzles',
      'cost-centre': '4711',
    });
  });
});

describe('cdk.json', () => {
  it('sets every feature flag that this version of the library recommends', () => {
    const library = createRequire(import.meta.url).resolve('aws-cdk-lib/package.json');
    const recommended = JSON.parse(
      readFileSync(library.replace('package.json', 'recommended-feature-flags.json'), 'utf8'),
    );
    expect(cdkJsonContext).toMatchObject(recommended);
  });
});
