import type { GetObjectCommandInput, S3 } from '@aws-sdk/client-s3';

/** Reads an object as text. */
export async function objectText(client: S3, object: GetObjectCommandInput): Promise<string> {
  const { Body } = await client.getObject(object);
  return Body!.transformToString();
}
