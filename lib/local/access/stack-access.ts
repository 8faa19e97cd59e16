/**
 * What the roles of the stack's functions and state machines may do: the policies of the synthesised template. Each role
 * has keys of its own, with which its functions sign; the owner of the data folder may do everything.
 *
 * A call is allowed if a policy of the role or of the resource allows it, and none denies it.
 */
import { createHmac } from 'node:crypto';
import type { Credentials, RoleKeys } from '../s3/signature.ts';
import { LOCAL_ACCOUNT } from '../stack-names.ts';
import { type ResourceNames, resolveValue, type StackTemplate } from '../template.ts';
import { decidingStatement, parsePolicy, type Statement } from './policy.ts';

/** Requests on this machine take the place of HTTPS. */
const CONTEXT = { 'aws:SecureTransport': 'true' };
const RESOURCE_POLICIES = ['AWS::S3::BucketPolicy', 'AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy'];
/** Properties of a role that are not evaluated. */
const UNSUPPORTED = ['Policies', 'ManagedPolicyArns', 'PermissionsBoundary'];

export class StackAccess {
  /** Statements of the policies of each role, by its logical id. */
  readonly roles = new Map<string, Statement[]>();
  readonly #ofResources: Statement[] = [];
  /** Keys of all roles. */
  readonly keys: readonly RoleKeys[];

  /** @throws Error if a policy of the template cannot be evaluated */
  constructor({ Resources }: StackTemplate, names: ResourceNames, owner: Credentials) {
    const read = (document: unknown) => parsePolicy(resolveValue(document, names));
    for (const [id, { Type, Properties }] of Object.entries(Resources)) {
      const { Roles = [], Users = [], Groups = [], PolicyDocument } = Properties;
      if (Type === 'AWS::IAM::Policy') {
        for (const { Ref } of Roles) {
          this.roles.set(Ref, [...(this.roles.get(Ref) ?? []), ...read(PolicyDocument)]);
        }
      } else if (RESOURCE_POLICIES.includes(Type)) {
        this.#ofResources.push(...read(PolicyDocument));
      } else if (Type === 'AWS::IAM::Role') {
        const unsupported = UNSUPPORTED.find((name) => name in Properties);
        if (unsupported !== undefined) throw cannotEvaluate(`${unsupported} of role ${id}`);
      } else if (Type === 'AWS::IAM::ManagedPolicy' && [...Roles, ...Users, ...Groups].length === 0) {
        // Attached to nothing in the stack: it is for people, who use the owner's keys here.
      } else if (/^AWS::IAM::|Policy$/.test(Type)) {
        throw cannotEvaluate(`${id}, which is an ${Type}`);
      }
    }
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

function cannotEvaluate(what: string): Error {
  return new Error(`the local stack cannot evaluate ${what}`);
}
