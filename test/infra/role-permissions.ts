/**
 * Evaluates the policies of a role as IAM does: allow statements only, `*` in actions and resources. It throws on
 * statements with other conditions than the source of events, and with deny, which the stack does not use.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Template } from 'aws-cdk-lib/assertions';
import { EVENT_SOURCE } from '../../lib/batch/names.ts';
import { resourceOf } from './synthesised.ts';

type Json = ReturnType<Template['toJSON']>;

/**
 * One allow statement; resources as text: `<LogicalId>/inbox/*` for a key under a bucket's ARN, and
 * `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<LogicalId>:*` for executions.
 */
export interface Allowed {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

/** Every statement of every policy on a role. */
export function statementsOf(template: Template, roleId: string): Allowed[] {
  const role = template.toJSON().Resources[roleId];
  if (role.Properties.ManagedPolicyArns ?? role.Properties.Policies) {
    throw new Error(`role ${roleId} has managed or inline policies, which are not evaluated here`);
  }
  return Object.values(template.findResources('AWS::IAM::Policy'))
    .filter((policy) => policy.Properties.Roles.some((attached: Json) => attached.Ref === roleId))
    .flatMap((policy) => policy.Properties.PolicyDocument.Statement.map(allowed));
}

/** Every statement of the managed policy that an output names. */
export function managedStatements(template: Template, output: string): Allowed[] {
  return resourceOf(template, output).Properties.PolicyDocument.Statement.map(allowed);
}

/** Whether any statement allows an action on `<LogicalId>` or `<LogicalId>/key`. */
export function allows(statements: readonly Allowed[], action: string, resource: string): boolean {
  return statements.some(
    (statement) =>
      statement.actions.some((pattern) => matches(pattern, action)) &&
      statement.resources.some((pattern) => matches(pattern, resource)),
  );
}

const EVENT_CONDITION = { StringEquals: { 'events:source': EVENT_SOURCE } };

function allowed(statement: Json): Allowed {
  // Events may have the source of the program only.
  const { Condition = EVENT_CONDITION } = statement;
  if (statement.Effect !== 'Allow' || !isDeepStrictEqual(Condition, EVENT_CONDITION)) {
    throw new Error(`expected a plain allow statement, found ${JSON.stringify(statement)}`);
  }
  return { actions: [statement.Action].flat(), resources: [statement.Resource].flat().map(resourceText) };
}

function resourceText(resource: Json | string): string {
  if (typeof resource === 'string') return resource;
  if (['Arn', 'Version'].includes(resource['Fn::GetAtt']?.[1])) return `<${resource['Fn::GetAtt'][0]}>`;
  if (resource.Ref !== undefined) return `<${resource.Ref}>`;
  // The name in an ARN.
  if (resource['Fn::Select']?.[1]['Fn::Split'])
    return resourceText(resource['Fn::Select'][1]['Fn::Split'][1]);
  if (resource['Fn::Join']) return resource['Fn::Join'][1].map(resourceText).join(resource['Fn::Join'][0]);
  throw new Error(`unknown kind of resource: ${JSON.stringify(resource)}`);
}

function matches(pattern: string, text: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(text);
}
