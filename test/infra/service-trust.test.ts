/** Services that act for the stack do so for this account only, so that no other account can use them as a deputy. */
import { describe, expect, it } from 'vitest';
import { templateWith } from './synthesised.ts';

const template = templateWith();

interface Statement {
  readonly Principal: { readonly Service?: string };
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Allow statements for a service in one property of all resources of a type. */
function trusted(type: string, property: string): { id: string; service: string; statement: Statement }[] {
  return Object.entries(template.findResources(type)).flatMap(([id, { Properties }]) =>
    Properties[property].Statement.flatMap((statement: Statement & { Effect: string }) =>
      statement.Effect === 'Allow' ? [{ id, service: statement.Principal.Service, statement }] : [],
    ),
  );
}

const roles = trusted('AWS::IAM::Role', 'AssumeRolePolicyDocument');

describe('a role', () => {
  it('is assumed by Lambda, the scheduler or Step Functions', () => {
    expect([...new Set(roles.map(({ service }) => service))].sort()).toEqual([
      'lambda.amazonaws.com',
      'scheduler.amazonaws.com',
      'states.amazonaws.com',
    ]);
  });

  // Lambda does not pass the account when it assumes the role of a function.
  it.each(roles.filter(({ service }) => service !== 'lambda.amazonaws.com'))(
    'is assumed by $service for this account only: $id',
    ({ statement }) => {
      expect(statement.Condition).toEqual({
        StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
      });
    },
  );
});

describe('the policy of a queue', () => {
  it.each(trusted('AWS::SQS::QueuePolicy', 'PolicyDocument'))(
    'lets $service send for one rule of this stack only: $id',
    ({ statement }) => {
      expect(statement.Condition).toEqual({
        ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [expect.any(String), 'Arn'] } },
      });
    },
  );
});

it('no function has its own policy that lets a service call it', () => {
  expect(template.findResources('AWS::Lambda::Permission')).toEqual({});
});
