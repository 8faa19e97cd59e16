/** What S3's errors mean to us: which are faults of permission, and what to do about them. */

export async function explainErrors<Output>(request: () => Promise<Output>, what: string): Promise<Output> {
  try {
    return await request();
  } catch (error) {
    throw storeError(error, what);
  }
}

/** A permission fault, told apart from all that passes by itself. */
export class StorePermissionError extends Error {
  override readonly name = 'StorePermissionError';
}

export function storeError(error: unknown, what: string): unknown {
  if (statusOf(error) !== 403) return error;
  return new StorePermissionError(
    `access denied while ${what}: the role needs the permission for it, and s3:ListBucket on the bucket, ` +
      'without which S3 answers 403 for a missing key too',
    { cause: error },
  );
}

export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
