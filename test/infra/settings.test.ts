/** Settings of the context that change resources: tracing, a key, a boundary, existing buckets, expiry. */
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { appWith, outputLogicalId, resourceOf, stackIn, templateWith } from './synthesised.ts';

type Json = ReturnType<Template['toJSON']>;

const BOUNDARY = 'arn:aws:iam::111122223333:policy/boundary';
const KEYS = ['own', 'uploads', 'results'].map((name) => `arn:aws:kms:eu-west-1:111122223333:key/${name}`);
const template = templateWith({
  'dlx:tracing': 'true',
  'dlx:encryptionKey': 'create',
  'dlx:permissionsBoundaryArn': BOUNDARY,
  'dlx:inputExpiryDays': 90,
  'dlx:resultExpiryDays': '365',
  'dlx:dashboard': 'false',
});
const existing = templateWith({
  'dlx:encryptionKey': KEYS[0],
  'dlx:puzzleBucketName': 'my-uploads',
  'dlx:puzzleBucketKeyArn': KEYS[1],
  'dlx:resultsBucketName': 'my-results',
  'dlx:resultsBucketKeyArn': KEYS[2],
  // Without the warnings about imported resources in the output.
  '@aws-cdk/core:annotationsInValidationReport': false,
});
const ofType = (type: string, from = template): Json[] =>
  Object.values(from.findResources(`AWS::${type}`)).map(({ Properties }) => Properties);

it.each(['SQS::Queue', 'Logs::LogGroup', 'StepFunctions::StateMachine', 'Lambda::Function'])(
  'no setting replaces an AWS::%s',
  (type) => {
    const ids = [template, existing].map((each) => Object.keys(each.findResources(`AWS::${type}`)));
    expect(ids[0]).not.toEqual([]);
    expect(ids[0]).toEqual(ids[1]);
  },
);

describe('tracing', () => {
  it('is on in every function and state machine, and allowed to their roles', () => {
    expect(new Set(ofType('Lambda::Function').map(({ TracingConfig }) => TracingConfig?.Mode))).toEqual(
      new Set(['Active']),
    );
    expect(ofType('StepFunctions::StateMachine').map((each) => each.TracingConfiguration)).toEqual([
      { Enabled: true },
      { Enabled: true },
    ]);
    const allowing = ofType('IAM::Policy').filter((policy) =>
      JSON.stringify(policy).includes('xray:PutTraceSegments'),
    );
    expect(allowing).toHaveLength(9);
  });

  it('is off by default', () => {
    expect(ofType('Lambda::Function', existing).map(({ TracingConfig }) => TracingConfig)).toEqual(
      ofType('Lambda::Function').map(() => undefined),
    );
    expect(JSON.stringify(existing.toJSON())).not.toContain('xray:');
  });
});

describe('a permissions boundary', () => {
  it('is on every role', () => {
    expect(ofType('IAM::Role')).toHaveLength(10);
    for (const role of ofType('IAM::Role')) expect(role.PermissionsBoundary).toBe(BOUNDARY);
  });
});

describe('a key that the stack creates', () => {
  it('is rotated, outlives the stack, and encrypts buckets, queues, logs and state machines', () => {
    const [[id, key]] = Object.entries(template.findResources('AWS::KMS::Key')) as [[string, Json]];
    expect(key).toMatchObject({ DeletionPolicy: 'Retain', Properties: { EnableKeyRotation: true } });
    for (const type of ['S3::Bucket', 'SQS::Queue', 'Logs::LogGroup', 'StepFunctions::StateMachine']) {
      for (const resource of ofType(type)) {
        expect(JSON.stringify(resource)).toContain(`{"Fn::GetAtt":["${id}","Arn"]}`);
      }
    }
  });
});

describe('the expiry of uploads and results', () => {
  const rulesOf = (output: string): Json[] =>
    resourceOf(template, output).Properties.LifecycleConfiguration.Rules;

  it('deletes uploads of both folders', () => {
    expect(
      rulesOf('InputBucketName').filter(({ ExpirationInDays }) => ExpirationInDays !== undefined),
    ).toEqual(
      ['inbox/', 'scheduled/'].map((Prefix) =>
        expect.objectContaining({
          Prefix,
          ExpirationInDays: 90,
        }),
      ),
    );
  });

  it('deletes outcomes, and markers of jobs only after their uploads', () => {
    const days = Object.fromEntries(
      rulesOf('ResultsBucketName').flatMap(({ Prefix, ExpirationInDays }) =>
        ExpirationInDays === undefined ? [] : [[Prefix, ExpirationInDays]],
      ),
    );
    expect(days).toEqual({
      'work/': 21,
      'usage/': 35,
      'results/': 365,
      'rejects/': 365,
      'status/': 365,
      'runs/': 365,
      'done/': 134,
    });
  });

  it('has rules with different ids', () => {
    for (const output of ['InputBucketName', 'ResultsBucketName']) {
      const ids = rulesOf(output).map(({ Id }) => Id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});

describe('a dashboard', () => {
  it('is created unless a setting omits it', () => {
    expect(ofType('CloudWatch::Dashboard')).toEqual([]);
    expect(template.toJSON().Outputs).not.toHaveProperty('DashboardName');
    expect(ofType('CloudWatch::Dashboard', existing)).toHaveLength(1);
    expect(existing.toJSON().Resources[outputLogicalId(existing, 'DashboardName')].Type).toBe(
      'AWS::CloudWatch::Dashboard',
    );
  });
});

describe('existing buckets', () => {
  it('replace those of the stack, also in outputs and events', () => {
    expect(ofType('S3::Bucket', existing)).toEqual([]);
    const { InputBucketName, ResultsBucketName } = existing.toJSON().Outputs;
    expect([InputBucketName.Value, ResultsBucketName.Value]).toEqual(['my-uploads', 'my-results']);
    const patterns = ofType('Events::Rule', existing).map(
      ({ EventPattern }) => EventPattern.detail.bucket?.name,
    );
    expect(patterns).toContainEqual(['my-uploads']);
  });

  it('have their own keys, which functions may use', () => {
    const policies = JSON.stringify(ofType('IAM::Policy', existing));
    for (const key of KEYS) expect(policies).toContain(`"Resource":"${key}"`);
  });

  it.each([
    ['dlx:puzzleBucketKeyArn', KEYS[1], /^puzzleBucketKeyArn is .*, and puzzleBucketName is not set/],
    ['dlx:inputExpiryDays', 30, /^inputExpiryDays is 30, and puzzleBucket is .*lifecycle rules in yours/],
  ])('refuse %s where it has no effect', (name, value, message) => {
    const bucket = name === 'dlx:inputExpiryDays' ? { 'dlx:puzzleBucketName': 'my-uploads' } : {};
    expect(() => Template.fromStack(stackIn(appWith({ [name]: value, ...bucket })))).toThrow(message);
  });
});
