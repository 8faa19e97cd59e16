/** Checks that the roles may make the calls which the tests of permissions have recorded. */

import type { Decision } from '../../../../aws/stack-inspection.ts';
import { counted } from '../../../../batch/quantities.ts';
import { type Finding, fail, ok } from '../../../terminal/finding.ts';
import recorded from '../permissions.json' with { type: 'json' };

/** One request to the simulation: all actions of a role on the same resources. */
export interface Simulation {
  readonly roleArn: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

/** What the names in the recorded calls are in a stack. */
export interface RecordedNames {
  /** ARN of a resource by its name in the template; undefined if the stack does not have it. */
  readonly arnNamed: (name: string) => string | undefined;
  /** Replaces the default prefix of a key. */
  readonly keyOf: (bucket: 'Input' | 'Results', key: string) => string;
}

/** The recorded calls as requests, and those that name something that the stack does not have. */
export function simulations(
  { arnNamed, keyOf }: RecordedNames,
  calls: readonly string[] = recorded,
): { readonly requests: readonly Simulation[]; readonly unknown: readonly string[] } {
  const unknown: string[] = [];
  const resourcesOf = new Map<string, string[]>();
  for (const call of calls) {
    const [role = '', action = '', place = ''] = call.split(' ');
    const [, name = '', part = ''] = /^\{(\w+)\}(.*)$/.exec(place) ?? [];
    const [roleArn, arn] = [arnNamed(role), arnNamed(name)];
    if (roleArn === undefined || arn === undefined) {
      unknown.push(call);
      continue;
    }
    const resource =
      name === 'Input' || name === 'Results'
        ? arn + (part && `/${keyOf(name, part.slice(1))}`)
        : part === ':EXECUTION'
          ? `${arn.replace(':stateMachine:', ':execution:')}:doctor`
          : arn + part.replace(':VERSION', ':1');
    const of = `${roleArn} ${action}`;
    resourcesOf.set(of, [...(resourcesOf.get(of) ?? []), resource]);
  }
  const groups = Map.groupBy(resourcesOf, ([of, resources]) => [of.split(' ')[0], ...resources].join(' '));
  const requests = [...groups.values()].map((group) => {
    const [[of, resources]] = group as [[string, string[]]];
    return {
      roleArn: of.split(' ')[0]!,
      actions: group.map(([each]) => each.split(' ')[1]!),
      resources,
    };
  });
  return { requests, unknown };
}

export function checkPermissions(
  decisions: readonly (Decision & { readonly roleArn: string })[],
  unknown: readonly string[],
): Finding[] {
  const denied = decisions
    .filter(({ isAllowed }) => !isAllowed)
    .map(({ roleArn, action, resource, decision }) =>
      fail(
        'permissions',
        `${roleArn.split('/').at(-1)} may not call ${action} on ${resource} (${decision})`,
        decision.includes(' by ') ? 'ask the administrators of the account to allow it' : 'npx cdk deploy',
      ),
    );
  const missing = unknown.map((call) =>
    fail('permissions', `the stack does not have what "${call}" names`, 'npx cdk deploy from this version'),
  );
  if (denied.length + missing.length > 0) return [...denied, ...missing];
  const roles = new Set(decisions.map(({ roleArn }) => roleArn)).size;
  return [ok('permissions', `allowed: ${counted(decisions.length, 'call')} of ${counted(roles, 'role')}`)];
}
