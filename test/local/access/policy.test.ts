import { describe, expect, test } from 'vitest';
import { type AccessRequest, decidingStatement, parsePolicy } from '../../../lib/local/access/policy.ts';

const policy = (...statements: object[]) => parsePolicy({ Version: '2012-10-17', Statement: statements });
const request = (change: Partial<AccessRequest> = {}): AccessRequest => ({
  action: 's3:GetObject',
  resource: 'arn:aws:s3:::b/inbox/a.txt',
  principal: 'arn:aws:iam::000000000000:role/r',
  context: { 'aws:SecureTransport': 'true' },
  ...change,
});
const allow = (further: object) => ({ Effect: 'Allow', Action: 's3:GetObject', Resource: '*', ...further });
const effectOf = (statements: object[], change?: Partial<AccessRequest>) =>
  decidingStatement(policy(...statements), request(change))?.Effect;

describe('a statement matches', () => {
  test.each([
    ['its action', { Action: 's3:GetObject' }, true],
    ['its action in another case', { Action: 'S3:getobject' }, true],
    ['one of its actions', { Action: ['s3:PutObject', 's3:GetObject'] }, true],
    ['an action with a wildcard', { Action: 's3:Get*' }, true],
    ['an action with a wildcard for one character', { Action: 's3:Ge?Object' }, true],
    ['another action', { Action: 's3:GetObjectVersion' }, false],
    ['another service', { Action: 'sqs:*' }, false],
    ['a resource with a prefix', { Resource: 'arn:aws:s3:::b/inbox/*' }, true],
    ['one of its resources', { Resource: ['arn:aws:s3:::c/*', 'arn:aws:s3:::b/inbox/a.txt'] }, true],
    ['a resource with another prefix', { Resource: 'arn:aws:s3:::b/results/*' }, false],
    ['a resource in another case', { Resource: 'arn:aws:s3:::b/INBOX/*' }, false],
    ['a bucket for its objects', { Resource: 'arn:aws:s3:::b' }, false],
    ['a resource where a dot is a dot', { Resource: 'arn:aws:s3:::b/inbox/a?txt' }, true],
    [
      'a resource where another character is in the place of a dot',
      { Resource: 'arn:aws:s3:::b/inbox.a.txt' },
      false,
    ],
    ['a condition that holds', { Condition: { Bool: { 'aws:SecureTransport': 'true' } } }, true],
    ['a condition that does not hold', { Condition: { Bool: { 'aws:SecureTransport': 'false' } } }, false],
    [
      'a condition on a key that the request does not have',
      { Condition: { StringEquals: { 'aws:SourceArn': 'a' } } },
      false,
    ],
    ['every caller', { Principal: '*' }, true],
    ['every caller of AWS', { Principal: { AWS: '*' } }, true],
    ['its caller', { Principal: { AWS: 'arn:aws:iam::000000000000:role/r' } }, true],
    ['another caller', { Principal: { Service: 'events.amazonaws.com' } }, false],
    ['another role', { Principal: { AWS: 'arn:aws:iam::000000000000:role/s' } }, false],
  ])('%s', (_what, change, matches) => {
    expect(effectOf([allow(change)])).toBe(matches ? 'Allow' : undefined);
  });

  test.each([
    ['StringLike', 'a*', 'abc', true],
    ['StringEquals', 'a*', 'abc', false],
    ['ArnLike', 'arn:aws:states:*:1:x', 'arn:aws:states:r:1:x', true],
    ['ArnEquals', 'arn:aws:states:r:1:y', 'arn:aws:states:r:1:x', false],
  ])('%s %s for %s: %s', (operator, pattern, value, matches) => {
    const statement = allow({ Condition: { [operator]: { 'aws:SourceArn': pattern } } });
    const context = { 'aws:SourceArn': value };
    expect(effectOf([statement], { context })).toBe(matches ? 'Allow' : undefined);
  });
});

test('a service is no role, and a statement for every caller includes it', () => {
  const service = { principal: 'events.amazonaws.com' };
  expect(effectOf([allow({ Principal: { Service: 'events.amazonaws.com' } })], service)).toBe('Allow');
  expect(effectOf([allow({ Principal: { Service: 'sns.amazonaws.com' } })], service)).toBeUndefined();
  expect(effectOf([{ ...allow({ Principal: { AWS: '*' } }), Effect: 'Deny' }], service)).toBe('Deny');
});

test('a Deny takes precedence, wherever it is', () => {
  const deny = { ...allow({}), Effect: 'Deny' };
  expect(effectOf([allow({}), deny])).toBe('Deny');
  expect(effectOf([deny, allow({})])).toBe('Deny');
});

test('a request that no statement matches is denied', () => {
  expect(effectOf([])).toBeUndefined();
});

test.each([
  ['NotAction', { Effect: 'Allow', NotAction: 's3:*', Resource: '*' }],
  ['NotResource', { Effect: 'Allow', Action: 's3:*', NotResource: 'a' }],
  ['an unknown operator', allow({ Condition: { NumericEquals: { 's3:max-keys': '1' } } })],
  ['NotPrincipal', allow({ NotPrincipal: '*' })],
  [
    'an operator that ends in IfExists',
    allow({ Condition: { BoolIfExists: { 'aws:SecureTransport': 'a' } } }),
  ],
  ['an unknown condition key', allow({ Condition: { StringEquals: { 'aws:SourceIp': '192.0.2.1' } } })],
  ['a policy variable', allow({ Resource: 'arn:aws:s3:::b/${' })],
  ['an unknown effect', { ...allow({}), Effect: 'Maybe' }],
])('a policy with %s is rejected', (_what, statement) => {
  expect(() => policy(statement)).toThrow('cannot evaluate a policy');
});
