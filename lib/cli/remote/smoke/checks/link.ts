/** A presigned link. */
import { presignedLink } from '../../../../aws/presigned-link.ts';
import { CommandError } from '../../../exit.ts';
import type { Finding } from '../../../terminal/finding.ts';
import type { SmokeStack } from '../smoke-stack.ts';
import { linkFinding } from '../verdicts.ts';
import type { Solved } from './known.ts';
import { manifestOf, solutionsOf } from './outcomes.ts';

const LINK_SECONDS = 300;

export async function checkLink({ connection }: SmokeStack, { outcome, here }: Solved): Promise<Finding> {
  const { s3, resultsBucket, retries } = connection;
  const { name, key } = solutionsOf(manifestOf(outcome));
  const { url } = await presignedLink(s3, resultsBucket, key!, LINK_SECONDS);
  const { signal } = retries;
  const expected = here.kind === 'completed' ? here.files.get(name) : undefined;
  const signed = await fetched(url, signal);
  const unsigned = await fetched(url.replace(/\?.*/, ''), signal);
  return linkFinding({
    status: signed.status,
    sameBytes: expected !== undefined && Buffer.compare(signed.bytes, expected) === 0,
    unsignedStatus: unsigned.status,
  });
}

/** Fetches an address without the SDK. @throws CommandError if there is no answer */
async function fetched(url: string, signal: AbortSignal): Promise<{ status: number; bytes: Uint8Array }> {
  try {
    const answer = await fetch(url, { signal });
    return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
  } catch (error) {
    signal.throwIfAborted();
    const { message, cause } = error as Error;
    throw new CommandError(
      `no answer from ${new URL(url).host}: ${cause instanceof Error ? cause.message : message}`,
    );
  }
}
