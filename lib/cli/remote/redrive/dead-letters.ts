/**
 * Sends dead letters to the queue of uploads again. A letter is deleted after it was sent: a command that is killed in
 * between leaves both, which are one job.
 */
import type { DeadMessage, DeadMessages } from '../../../aws/sqs-queue.ts';
import { parseMessage, UnknownMessageError, uploadInMessage } from '../../../batch/delivery/upload-event.ts';
import { executionFailureIn } from '../../../batch/upload/execution-failure.ts';
import {
  type RedriveContext,
  type RedriveItem,
  redriveItem,
  sendAgain,
  WOULD_BE_SENT,
} from './redrive-item.ts';

export async function* redriveDeadLetters(
  letters: DeadMessages,
  context: RedriveContext,
): AsyncGenerator<RedriveItem> {
  const { retries } = context.connection;
  // Hidden until the end, so that none is received twice.
  const kept: DeadMessage[] = [];
  try {
    for (;;) {
      const received = await retries.request(() => letters.receive());
      if (received.length === 0) return;
      for (const letter of received) {
        const keys = keysIn(letter.body);
        const isSent = keys?.some((key) => context.matches(key)) === true;
        if (!isSent || context.isDryRun) kept.push(letter);
        if (isSent) yield await redriveLetter(letter, keys.join(', '), letters, context, kept);
        else if (keys === undefined && context.matches('')) yield unknown(letter);
      }
    }
  } finally {
    for (const { receiptHandle } of kept) await retries.request(() => letters.release(receiptHandle));
  }
}

function redriveLetter(
  letter: DeadMessage,
  name: string,
  letters: DeadMessages,
  context: RedriveContext,
  kept: DeadMessage[],
): Promise<RedriveItem> {
  return redriveItem(context, { kind: 'dead letter', name }, async () => {
    if (context.isDryRun) return WOULD_BE_SENT;
    const sent = await sendAgain(context, letter.body);
    if (sent.outcome === 'failed') kept.push(letter);
    else await context.connection.retries.request(() => letters.delete(letter.receiptHandle));
    return sent;
  });
}

function unknown({ messageId, body }: DeadMessage): RedriveItem {
  return {
    kind: 'dead letter',
    name: messageId,
    outcome: 'skipped',
    message: `it names no upload, so no try can succeed: found ${body.slice(0, 80)}; delete it`,
  };
}

/** The keys of the uploads that a message names, or the name of their execution; undefined if it is no event. */
function keysIn(body: string): string[] | undefined {
  try {
    const message = parseMessage(body);
    const failure = executionFailureIn(message);
    if (failure !== undefined) return [failure.job?.key ?? failure.attempt];
    const upload = uploadInMessage(message);
    return upload === undefined ? [] : [upload.key];
  } catch (error) {
    if (error instanceof UnknownMessageError) return undefined;
    throw error;
  }
}
