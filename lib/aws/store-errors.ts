/** Explains S3's errors about missing permissions. */

/** Makes a request, and explains its error. @param action as in `reading s3://bucket/key` */
export async function explainErrors<Output>(request: () => Promise<Output>, action: string): Promise<Output> {
  try {
    return await request();
  } catch (error) {
    throw storeError(error, action);
  }
}

/** A missing permission, as opposed to transient errors. */
export class StorePermissionError extends Error {
  override readonly name = 'StorePermissionError';
}

/** The error to throw for an error of the SDK. @param action as in `reading s3://bucket/key` */
export function storeError(error: unknown, action: string): unknown {
  if (statusOf(error) !== 403) return error;
  return new StorePermissionError(
    `access denied while ${action}: the role needs the permission for it, and s3:ListBucket on the bucket ` +
      '(otherwise S3 answers 403 for a missing key too)',
    { cause: error },
  );
}

export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
