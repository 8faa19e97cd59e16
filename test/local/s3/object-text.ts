import { GetObjectCommand, type GetObjectCommandInput, type S3Client } from '@aws-sdk/client-s3';

/** Reads an object as text. */
export async function objectText(client: S3Client, object: GetObjectCommandInput): Promise<string> {
  const { Body } = await client.send(new GetObjectCommand(object));
  return Body!.transformToString();
}
