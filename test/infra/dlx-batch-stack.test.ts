import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { DlxBatchStack } from '../../lib/infra/dlx-batch-stack.ts';
import { appWith, cdkJsonContext, newApp, stackIn, templateWith } from './synthesised.ts';

const template = templateWith();

describe('the stack', () => {
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
