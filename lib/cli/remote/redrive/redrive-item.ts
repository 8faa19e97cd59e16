/** What `redrive` works on. */
import type { MessageQueue } from '../../../batch/ports.ts';
import type { Connection } from '../connection.ts';
import { RemoteError, remoteError } from '../remote-error.ts';

/** One message, execution or upload, and what was done with it. */
export interface RedriveItem {
  readonly kind: 'dead letter' | 'execution' | 'upload';
  /** Key of the upload, or id of the message or of the run. */
  readonly name: string;
  readonly outcome: 'redriven' | 'would be redriven' | 'skipped' | 'failed';
  /** One sentence. */
  readonly message: string;
}

export interface RedriveContext {
  readonly connection: Connection;
  /** The queue of uploads. */
  readonly queue: MessageQueue;
  readonly isDryRun: boolean;
  /** Whether the user has named a key, or has named none at all; then it matches the empty text too. */
  matches(key: string): boolean;
}

/** Does the work for one item. A network that fails for one does not stop the others. */
export async function redriveItem(
  { connection }: RedriveContext,
  item: Pick<RedriveItem, 'kind' | 'name'>,
  work: () => Promise<Pick<RedriveItem, 'outcome' | 'message'>>,
): Promise<RedriveItem> {
  try {
    return { ...item, ...(await connection.retries.operation(work)) };
  } catch (error) {
    const failure = remoteError(error, 'not redriven');
    if (!(failure instanceof RemoteError && failure.isTemporary)) throw error;
    return { ...item, outcome: 'failed', message: failure.message };
  }
}

/** Sends a message. @returns what was done */
export async function sendAgain(
  { connection, queue }: RedriveContext,
  body: string,
): Promise<Pick<RedriveItem, 'outcome' | 'message'>> {
  const refused = await connection.retries.request(() => queue.send([body]));
  return refused.length === 0
    ? { outcome: 'redriven', message: 'sent to the queue' }
    : { outcome: 'failed', message: 'the queue did not accept the message: try again' };
}

export const WOULD_BE_SENT = { outcome: 'would be redriven', message: 'would be sent to the queue' } as const;
