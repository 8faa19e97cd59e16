/** A local S3 server alone, as tests need it. */
import { openS3Server, type S3ServerOptions } from '../../lib/local/s3/server.ts';

/**
 * Starts a server that listens.
 *
 * @throws Error as `openS3Server` does, or if the port is in use
 */
export async function startS3Server({ port, ...options }: S3ServerOptions & { readonly port: number }) {
  const server = await openS3Server(options);
  try {
    return { ...server, endpoint: await server.listen(port) };
  } catch (error) {
    await server.close();
    throw error;
  }
}
