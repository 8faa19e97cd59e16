/**
 * What the roles of the stack's functions and state machines may do: the policies of the synthesised template. Each role
 * has keys of its own, with which its functions sign; the owner of the data folder may do everything.
 *
 * A call is allowed if a policy of the role or of the resource allows it, and none denies it.
 */
import { createHmac } from 'node:crypto';
import { type Credentials, LOCAL_ACCOUNT } from '../functions/lambda-environment.ts';
import type { RoleKeys } from '../s3/http/auth/signature.ts';
import { type ResourceNames, resolveValue, type StackTemplate } from '../states/template.ts';
import { decidingStatement, parsePolicy, type Statement } from './policy.ts';

/** Requests on this machine take the place of HTTPS. */
const CONTEXT = { 'aws:SecureTransport': 'true' };

export class StackAccess {
  /** Statements of the policies of each role, by its logical id. */
  readonly roles: ReadonlyMap<string, readonly Statement[]>;
  readonly #ofResources: readonly Statement[];
  /** Keys of all roles. */
  readonly keys: readonly RoleKeys[];

  /** @throws Error if a policy of the template cannot be evaluated */
  constructor(template: StackTemplate, names: ResourceNames, owner: Credentials) {
    const policies = policiesOf(template, names);
    this.roles = policies.roles;
    this.#ofResources = policies.resources;
    this.keys = [...this.roles.keys()].map((role) => deriveKeys(role, owner));
  }

  /**
   * Whether a caller may do something.
   *
   * @param role logical id; undefined for the owner
   * @param resource ARN
   * @param own condition keys of this request
   */
  isAllowed(
    role: string | undefined,
    action: string,
    resource: string,
    own: Readonly<Record<string, string>> = {},
  ): boolean {
    if (role === undefined) return true;
    const statements = [...(this.roles.get(role) ?? []), ...this.#ofResources];
    const principal = `arn:aws:iam::${LOCAL_ACCOUNT}:role/${role}`;
    const context = { ...CONTEXT, ...own };
    const deciding = decidingStatement(statements, { action, resource, principal, context });
    return deciding?.Effect === 'Allow';
  }

  /** @throws Error if no policy of the template names the role */
  keysOf(role: string): RoleKeys {
    const found = this.keys.find((keys) => keys.role === role);
    if (found === undefined) throw new Error(`the template has no policy of role ${role}`);
    return found;
  }
}

/** The logical id of a function's or state machine's role. */
export function roleOf({ Resources }: StackTemplate, logicalId: string): string {
  const { Role, RoleArn } = Resources[logicalId]!.Properties as Record<string, { 'Fn::GetAtt': [string] }>;
  return (Role ?? RoleArn)!['Fn::GetAtt'][0];
}

/** Derived, so that a role has the same keys after a restart. */
function deriveKeys(role: string, owner: Credentials): RoleKeys {
  const derive = (purpose: string) =>
    createHmac('sha256', owner.secretAccessKey).update(`${purpose} ${role}`).digest('hex');
  return {
    role,
    accessKeyId: `ASIA${derive('id').slice(0, 16).toUpperCase()}`,
    secretAccessKey: derive('secret').slice(0, 40),
  };
}

const RESOURCE_POLICIES = new Set([
  'AWS::S3::BucketPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::SNS::TopicPolicy',
]);

function policiesOf(template: StackTemplate, names: ResourceNames) {
  const roles = new Map<string, Statement[]>();
  const resources: Statement[] = [];
  const read = (document: unknown) => parsePolicy(resolveValue(document, names));
  for (const [id, { Type, Properties }] of Object.entries(template.Resources)) {
    if (Type === 'AWS::IAM::Role') checkRole(id, Properties);
    if (Type === 'AWS::IAM::Policy') {
      for (const { Ref } of Properties.Roles as { Ref: string }[]) {
        roles.set(Ref, [...(roles.get(Ref) ?? []), ...read(Properties.PolicyDocument)]);
      }
    } else if (RESOURCE_POLICIES.has(Type)) {
      resources.push(...read(Properties.PolicyDocument));
    } else if (Type === 'AWS::IAM::ManagedPolicy' && isForPeople(Properties)) {
      // People use the owner's keys here.
    } else if (/^AWS::IAM::(?!Role$)|Policy$/.test(Type)) {
      throw new Error(`the local stack cannot evaluate ${id}, which is an ${Type}`);
    }
  }
  return { roles, resources };
}

/** Whether a managed policy is attached to nothing in the stack: its roles are those of people. */
function isForPeople({ Roles, Users, Groups }: Readonly<Record<string, unknown>>): boolean {
  return [Roles, Users, Groups].every((list) => list === undefined || (list as unknown[]).length === 0);
}

function checkRole(id: string, properties: Readonly<Record<string, unknown>>): void {
  const unsupported = ['Policies', 'ManagedPolicyArns', 'PermissionsBoundary'].find(
    (name) => name in properties,
  );
  if (unsupported !== undefined)
    throw new Error(`the local stack cannot evaluate ${unsupported} of role ${id}`);
}
