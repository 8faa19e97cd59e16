import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { outputLogicalId, resourceOf, templateWith } from './synthesised.ts';

const template = templateWith({ 'dlx:noncurrentVersionDays': 45, 'dlx:uploadVersionDays': 25 });
const buckets = ['InputBucketName', 'ResultsBucketName'];

const sealed = [
  { what: 'keeps versions', property: 'VersioningConfiguration', expected: { Status: 'Enabled' } },
  {
    what: 'is private',
    property: 'PublicAccessBlockConfiguration',
    expected: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
  },
  {
    what: 'has no access lists',
    property: 'OwnershipControls',
    expected: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
  },
  {
    what: 'is encrypted without a KMS key, which would need payment and permissions',
    property: 'BucketEncryption',
    expected: {
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    },
  },
  { what: 'has no fixed name', property: 'BucketName', expected: undefined },
];

describe.each(buckets)('the bucket of output %s', (output) => {
  const bucket = resourceOf(template, output);

  it.each(sealed)('$what', ({ property, expected }) => {
    expect(bucket.Properties[property]).toEqual(expected);
  });

  it('outlives the stack and its own replacement, but not a first deployment that fails', () => {
    expect([bucket.DeletionPolicy, bucket.UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
  });

  it('refuses every request without TLS', () => {
    const arn = { 'Fn::GetAtt': [outputLogicalId(template, output), 'Arn'] };
    expect(() =>
      template.hasResourceProperties('AWS::S3::BucketPolicy', {
        Bucket: { Ref: outputLogicalId(template, output) },
        PolicyDocument: {
          Statement: Match.arrayWith([
            {
              Effect: 'Deny',
              Principal: { AWS: '*' },
              Action: 's3:*',
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
              Resource: [arn, { 'Fn::Join': ['', [arn, '/*']] }],
            },
          ]),
        },
      }),
    ).not.toThrow();
  });

  it('aborts incomplete multipart uploads after three days', () => {
    expect(lifecycle(output)).toContainEqual({
      Id: 'abort-incomplete-uploads',
      Status: 'Enabled',
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 3 },
    });
  });
});

describe('the lifecycle of objects', () => {
  it('expires pieces of large jobs after 21 days, later than a failed execution can be redriven', () => {
    const work = lifecycle('ResultsBucketName').filter((rule) => rule.Prefix === 'work/');
    expect(work.map((rule) => rule.ExpirationInDays)).toEqual([21]);
  });

  it('expires what version 0.1 has counted of each day', () => {
    const usage = lifecycle('ResultsBucketName').filter((rule) => rule.Prefix === 'usage/');
    expect(usage).toMatchObject([
      { ExpirationInDays: 35, NoncurrentVersionExpiration: { NoncurrentDays: 1 } },
    ]);
  });

  it('never expires the current version of any other object in the results bucket', () => {
    const rules = lifecycle('ResultsBucketName').filter(
      ({ Prefix }) => !['work/', 'usage/'].includes(Prefix),
    );
    expect(rules.filter((rule) => rule.ExpirationInDays !== undefined)).toEqual([]);
  });

  it('keeps noncurrent versions of results for the configured number of days', () => {
    const rules = lifecycle('ResultsBucketName').filter((rule) => rule.Prefix === undefined);
    const days = rules.flatMap((rule) => rule.NoncurrentVersionExpiration?.NoncurrentDays ?? []);
    expect(days).toEqual([45]);
  });

  it('keeps the current version of an upload, and others for the configured number of days', () => {
    const expirations = lifecycle('InputBucketName').flatMap(
      ({ Prefix, ExpirationInDays, NoncurrentVersionExpiration, ExpiredObjectDeleteMarker }) =>
        NoncurrentVersionExpiration === undefined && ExpirationInDays === undefined
          ? []
          : [{ Prefix, ExpirationInDays, NoncurrentVersionExpiration, ExpiredObjectDeleteMarker }],
    );
    expect(expirations).toEqual([
      { NoncurrentVersionExpiration: { NoncurrentDays: 25 }, ExpiredObjectDeleteMarker: true },
    ]);
  });
});

describe('the events of the buckets', () => {
  it('are sent from the input bucket to EventBridge', () => {
    expect(resourceOf(template, 'InputBucketName').Properties.NotificationConfiguration).toEqual({
      EventBridgeConfiguration: { EventBridgeEnabled: true },
    });
  });

  it('are off for the results bucket, so that results trigger nothing', () => {
    expect(resourceOf(template, 'ResultsBucketName').Properties.NotificationConfiguration).toBeUndefined();
  });

  it('need no custom resource', () => {
    const types = Object.values(template.toJSON().Resources as Record<string, { Type: string }>);
    expect(types.filter(({ Type }) => /^(Custom::|AWS::CloudFormation::CustomResource)/.test(Type))).toEqual(
      [],
    );
  });
});

function lifecycle(output: string): ReturnType<typeof resourceOf>[] {
  return resourceOf(template, output).Properties.LifecycleConfiguration.Rules;
}
