/** Checks of the functions: that they can run, and that the account has room for them. */

import type { FunctionState } from '../../../../aws/stack-inspection.ts';
import { mostDollarsOfDay, type StackCapacity } from '../../../../batch/estimate/most-dollars.ts';
import { counted } from '../../../../batch/quantities.ts';
import { dollarsText } from '../../../terminal/dollars-text.ts';
import { type Finding, fail, ok, warn } from '../../../terminal/finding.ts';

/** Executions outside both settings of concurrency: a step of a bulk run, and a plan or a merge of a large file. */
const OTHER_FUNCTIONS = 2;
/** The least value of `dlx:accountConcurrency`. */
const MIN_ACCOUNT_CONCURRENCY = 10;

export function checkFunctions(functions: readonly FunctionState[]): Finding[] {
  const problems = functions.flatMap((each) => problemOf(each) ?? []);
  if (functions.length === 0) return [fail('functions', 'the stack has no function', 'npx cdk deploy')];
  return problems.length > 0
    ? problems
    : [ok('functions', `active: ${counted(functions.length, 'function')}`)];
}

function problemOf({
  name,
  state,
  lastUpdate,
  reason,
  reservedConcurrency,
}: FunctionState): Finding | undefined {
  const because = reason === undefined ? '' : `, ${reason}`;
  if (reservedConcurrency === 0) {
    const todo = `aws lambda delete-function-concurrency --function-name ${name}`;
    return fail('functions', `${name} has a reserved concurrency of 0, so it never runs`, todo);
  }
  // Lambda starts an inactive function on its next invocation.
  if (!['Active', 'Inactive'].includes(state)) {
    const text = `${name} is ${state}${because}`;
    return state === 'Pending'
      ? warn('functions', text, 'wait a minute, then run doctor again')
      : fail('functions', text, 'npx cdk deploy');
  }
  if (lastUpdate === 'Failed') {
    return fail(
      'functions',
      `the last change of ${name} failed${because}`,
      'fix the cause, then npx cdk deploy',
    );
  }
  return undefined;
}

/**
 * Compares the quota of the account with the settings.
 *
 * @param unreserved concurrent executions that no function of the account reserves
 * @param settings files, and shards of one large file, that the stack solves at the same time; `reserved` of all large files
 *   if a function reserves them
 */
export function checkConcurrency(
  { total, unreserved }: { readonly total: number; readonly unreserved: number },
  {
    files,
    shards,
    reserved,
  }: { readonly files: number; readonly shards: number; readonly reserved: boolean },
): Finding {
  const quota =
    total === unreserved
      ? `the account allows ${total}`
      : `the account allows ${total}, ${unreserved} unreserved`;
  const text = `${files} files and ${shards} shards of ${reserved ? 'all large files' : 'a large file'} at the same time; ${quota}`;
  if (files + (reserved ? 0 : shards) + OTHER_FUNCTIONS <= unreserved) return ok('concurrency', text);
  const todo =
    unreserved < MIN_ACCOUNT_CONCURRENCY
      ? `ask AWS for more concurrent executions of Lambda (${MIN_ACCOUNT_CONCURRENCY} at least)`
      : `deploy with -c dlx:accountConcurrency=${unreserved}, or ask AWS for more concurrent executions of Lambda`;
  return files > unreserved ? fail('concurrency', text, todo) : warn('concurrency', text, todo);
}

/** No API has the account's quota, but Lambda refuses a function beyond it; `checkResources` names that. */
export function checkMemory(functions: readonly FunctionState[]): Finding {
  const sizes = Map.groupBy(functions, ({ memoryMb }) => memoryMb);
  const texts = [...sizes].map(([memoryMb, { length }]) => `${length} of ${memoryMb} MiB`);
  return ok('memory', `functions: ${texts.join(', ')}, which the account allows`);
}

/** What the functions can cost in a day. */
export function mostCost(capacity: StackCapacity & { readonly reserved: boolean }): Finding {
  const text = `the functions cost at most ${dollarsText(mostDollarsOfDay(capacity))} a day`;
  return capacity.reserved
    ? ok('cost', text)
    : ok(
        'cost',
        `${text} with one large file at a time; the quota of the account bounds several, as dlx:accountConcurrency is not set`,
      );
}

/** The maximum number of shards of a large file that are solved at the same time. @param definition of SolveLarge, in JSON */
export function shardConcurrency(definition: string): number {
  const found = [...definition.matchAll(/"MaxConcurrency":\s*(\d+)/g)].map(([, count]) => Number(count));
  return Math.max(0, ...found);
}

/** Compares the code of functions: digests by name. */
export function checkCode(
  deployed: ReadonlyMap<string, string>,
  own: ReadonlyMap<string, string>,
  programVersion: string,
): Finding {
  const other = [...deployed].filter(([name, digest]) => own.get(name) !== digest).map(([name]) => name);
  if (other.length === 0) return ok('code', `this program's: ${counted(deployed.size, 'function')}`);
  const text = `other code than this program (${programVersion}): ${other.join(', ')}`;
  return warn('code', text, 'npx cdk deploy, or use the version of the program that deployed the stack');
}
