/**
 * The policy of a POST upload: what its signer allows a holder of the form to upload, and until when.
 *
 *     { "expiration": "2025-03-01T12:00:00.000Z",
 *       "conditions": [ { "bucket": "in" }, ["starts-with", "$key", "inbox/"], ["content-length-range", 0, 1000000] ] }
 *
 * Every field of the form must have a condition; otherwise the client could add fields that the signer did not allow.
 */
import * as z from 'zod';
import { S3Error } from '../errors.ts';

const size = z.coerce.number().int().nonnegative();
const condition = z.union([
  z.tuple([z.enum(['eq', 'starts-with']), z.string().startsWith('$'), z.string()]),
  z.tuple([z.literal('content-length-range'), size, size]),
  z.record(z.string(), z.string()),
]);
const policyDocument = z.object({
  expiration: z.iso.datetime({ offset: true }),
  conditions: z.array(condition),
});

/** Fields without a condition: they carry the policy itself. */
const EXEMPT_FIELDS = ['policy', 'x-amz-signature', 'file'];

/** Allowed size of a file in bytes, both inclusive. */
export interface SizeRange {
  readonly min: number;
  readonly max: number;
}

/**
 * Checks a form against its policy.
 *
 * @param encoded the form's policy, in base64
 * @param fields values by names in lower case, with the final key, and `bucket`
 * @returns the allowed size of the file, which has not been read yet
 * @throws S3Error InvalidPolicyDocument, AccessDenied with the condition that failed
 */
export function checkPolicy(
  encoded: string,
  fields: ReadonlyMap<string, string>,
  nowMs: number,
): SizeRange | undefined {
  const { expiration, conditions } = readPolicy(encoded);
  if (Date.parse(expiration) <= nowMs) throw denied('Policy expired.');
  const named = new Set<string>(EXEMPT_FIELDS);
  let range: SizeRange | undefined;
  for (const each of conditions) {
    if (Array.isArray(each) && each[0] === 'content-length-range') {
      range = { min: each[1], max: each[2] };
      continue;
    }
    for (const [operator, name, expected] of matches(
      each as Exclude<typeof each, [string, number, number]>,
    )) {
      named.add(name);
      const value = fields.get(name) ?? '';
      if (operator === 'eq' ? value === expected : value.startsWith(expected)) continue;
      throw denied(`Policy Condition failed: ${conditionText([operator, `$${name}`, expected])}`);
    }
  }
  const extra = [...fields.keys()].filter((name) => !named.has(name) && !name.startsWith('x-ignore-'));
  // `bucket` comes from the URL: a policy that does not name it is valid for no bucket.
  if (extra.length > 0) throw denied(`Extra input fields: ${extra.join(', ')}`);
  return range;
}

function readPolicy(encoded: string): z.infer<typeof policyDocument> {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
  } catch (cause) {
    throw new S3Error('InvalidPolicyDocument', `Invalid Policy: Invalid JSON: ${(cause as Error).message}`);
  }
  const parsed = policyDocument.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new S3Error('InvalidPolicyDocument', `Invalid Policy: ${z.prettifyError(parsed.error)}`);
}

type Match = readonly [operator: 'eq' | 'starts-with', name: string, expected: string];

function matches(
  each: Readonly<Record<string, string>> | readonly ['eq' | 'starts-with', string, string],
): Match[] {
  if (Array.isArray(each)) return [[each[0], each[1].slice(1).toLowerCase(), each[2]]];
  return Object.entries(each).map(([name, value]) => ['eq', name.toLowerCase(), value]);
}

/** As S3 writes it. */
function conditionText(parts: readonly string[]): string {
  return `[${parts.map((part) => JSON.stringify(part)).join(', ')}]`;
}

function denied(why: string): S3Error {
  return new S3Error('AccessDenied', `Invalid according to Policy: ${why}`);
}
