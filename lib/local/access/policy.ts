/**
 * Policies of IAM, of buckets and of queues: the subset that the stack's template uses. A statement with anything else is
 * rejected, so that no condition is ignored. (AWS Identity and Access Management User Guide, "Policy evaluation logic".)
 */
import * as z from 'zod';

/** Policy variables, `${aws:username}`, have no values here. */
const text = z.string().regex(/^(?!.*\$\{)/s, 'expected no policy variable');
const texts = z.union([text, z.array(text)]).transform((value) => [value].flat());
/** The keys that requests have here: another one would make a condition false that may be true in AWS. */
const condition = z.partialRecord(z.enum(['aws:SecureTransport', 'aws:SourceArn', 'events:source']), texts);

const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  /** In policies of resources. */
  Principal: z.union([z.literal('*'), z.record(z.string(), texts)]).optional(),
  Action: texts,
  Resource: texts,
  Condition: z
    .strictObject({
      ArnEquals: condition.optional(),
      ArnLike: condition.optional(),
      Bool: condition.optional(),
      StringEquals: condition.optional(),
      StringLike: condition.optional(),
    })
    .optional(),
});
export type Statement = z.output<typeof statement>;

const document = z.strictObject({ Version: z.literal('2012-10-17'), Statement: z.array(statement) });

/** One call of a service's API. */
export interface AccessRequest {
  /** `s3:GetObject` */
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  /** ARN of the caller's role, or name of a service of AWS. */
  readonly principal: string;
  /** Condition keys of the request, such as `aws:SecureTransport`. */
  readonly context: Readonly<Record<string, string>>;
}

/**
 * Parses a policy document.
 *
 * @throws Error with the part that is not supported
 */
export function parsePolicy(value: unknown): readonly Statement[] {
  const { data, error } = document.safeParse(value);
  if (data !== undefined) return data.Statement;
  throw new Error(`the local stack cannot evaluate a policy: ${z.prettifyError(error)}`);
}

/** The statement that decides: the first Deny that matches, else the first Allow; undefined denies. */
export function decidingStatement(
  statements: readonly Statement[],
  request: AccessRequest,
): Statement | undefined {
  const matching = statements.filter((each) => matchesStatement(each, request));
  return matching.find(({ Effect }) => Effect === 'Deny') ?? matching[0];
}

function matchesStatement(
  { Principal, Action, Resource, Condition }: Statement,
  request: AccessRequest,
): boolean {
  return (
    matchesPrincipal(Principal, request.principal) &&
    // Names of actions ignore case, ARNs do not.
    Action.some((pattern) => matchesPattern(pattern.toLowerCase(), request.action.toLowerCase())) &&
    Resource.some((pattern) => matchesPattern(pattern, request.resource)) &&
    Object.entries(Condition ?? {}).every(([operator, tests]) =>
      Object.entries(tests ?? {}).every(([key, values]) =>
        matchesCondition(operator, request.context[key], values),
      ),
    )
  );
}

function matchesPrincipal(principal: Statement['Principal'], caller: string): boolean {
  if (principal === undefined || principal === '*') return true;
  const { AWS = [], Service = [] } = principal;
  return [...AWS, ...Service].some((pattern) => pattern === '*' || pattern === caller);
}

/** A request without the key does not match. */
function matchesCondition(operator: string, found: string | undefined, values: readonly string[]): boolean {
  if (found === undefined) return false;
  if (operator === 'Bool') return values.some((value) => value.toLowerCase() === found.toLowerCase());
  if (operator === 'StringEquals') return values.includes(found);
  return values.some((value) => matchesPattern(value, found));
}

const patterns = new Map<string, RegExp>();

/** `*` stands for any characters, `?` for one. */
function matchesPattern(pattern: string, text: string): boolean {
  let expression = patterns.get(pattern);
  if (expression === undefined) {
    const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
    expression = new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
    patterns.set(pattern, expression);
  }
  return expression.test(text);
}
