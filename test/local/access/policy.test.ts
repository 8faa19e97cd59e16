import { test } from 'vitest';
import { type AccessRequest, decidingStatement, parsePolicy } from '../../../lib/local/access/policy.ts';
import { expectTable } from '../../support/text-table.ts';

/** Statements that allow to read any object, with these changes. */
function effectOf(changes: readonly object[], change: Partial<AccessRequest> = {}): string {
  const allow = { Effect: 'Allow', Action: 's3:GetObject', Resource: '*' };
  const Statement = changes.map((each) => ({ ...allow, ...each }));
  const request = {
    action: 's3:GetObject',
    resource: 'arn:aws:s3:::b/inbox/a.txt',
    principal: 'arn:aws:iam::000000000000:role/r',
    context: { 'aws:SecureTransport': 'true' },
    ...change,
  };
  try {
    const policy = parsePolicy({ Version: '2012-10-17', Statement });
    return decidingStatement(policy, request)?.Effect ?? 'none';
  } catch (error) {
    return (error as Error).message.split(':')[0]!;
  }
}

test('policies are evaluated as policy.txt says', () =>
  expectTable(new URL('policy.txt', import.meta.url), {
    'the effect of statements on a role that reads an object': (statements) => effectOf(statements),
    'the effect of a condition on the source of a request': ([operator, pattern, value]) =>
      effectOf([{ Condition: { [operator]: { 'aws:SourceArn': pattern } } }], {
        context: { 'aws:SourceArn': value },
      }),
    'the effect of a statement on a service, which is no role': (statement) =>
      effectOf([statement], { principal: 'events.amazonaws.com' }),
    'what cannot be evaluated': (statement) => effectOf([statement]),
  }));
