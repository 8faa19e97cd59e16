import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { outputLogicalId, resourceOf, templateWith } from './synthesised.ts';

const template = templateWith({ 'dlx:noncurrentVersionDays': 45 });
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
    what: 'knows no access lists',
    property: 'OwnershipControls',
    expected: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
  },
  {
    what: 'is encrypted without a key of its own to pay for and to grant',
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
    });
  });

  it('throws away the parts of uploads that nobody completed, a few days on', () => {
    expect(lifecycle(output)).toContainEqual({
      Id: 'abort-incomplete-uploads',
      Status: 'Enabled',
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 3 },
    });
  });
});

describe('the lifecycle of objects', () => {
  it('ends pieces of large jobs after 21 days, later than a failed run can be redriven', () => {
    const work = lifecycle('ResultsBucketName').filter((rule) => rule.Prefix === 'work/');
    expect(work.map((rule) => rule.ExpirationInDays)).toEqual([21]);
  });

  it('never ends the current version of anything else in the results bucket', () => {
    const rules = lifecycle('ResultsBucketName').filter((rule) => rule.Prefix !== 'work/');
    expect(rules.filter((rule) => rule.ExpirationInDays !== undefined)).toEqual([]);
  });

  it('keeps noncurrent versions of results for as many days as the stack is told', () => {
    const rules = lifecycle('ResultsBucketName').filter((rule) => rule.Prefix === undefined);
    const days = rules.flatMap((rule) => rule.NoncurrentVersionExpiration?.NoncurrentDays ?? []);
    expect(days).toEqual([45]);
  });

  it('never ends a version of an upload: a late message still finds the one that it names', () => {
    const ends = lifecycle('InputBucketName').flatMap((rule) => [
      rule.ExpirationInDays,
      rule.NoncurrentVersionExpiration,
    ]);
    expect(ends.filter((end) => end !== undefined)).toEqual([]);
  });
});

describe('the events of the buckets', () => {
  it('go from the input bucket to EventBridge', () => {
    expect(resourceOf(template, 'InputBucketName').Properties.NotificationConfiguration).toEqual({
      EventBridgeConfiguration: { EventBridgeEnabled: true },
    });
  });

  it('do not exist for the results bucket, so that no result can trigger anything', () => {
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
