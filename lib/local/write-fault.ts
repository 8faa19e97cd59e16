/** Reports errors outside a request, such as a full disk, on standard error. */
import { visibleText } from '../formats/bytes/visible-text.ts';

/** @param service of the local stack, such as S3 */
export function writeFault(service: string, error: unknown): void {
  const lines = String(error instanceof Error ? error.stack : error).split('\n');
  // Messages may quote keys.
  process.stderr.write(`local ${service}: ${lines.map(visibleText).join('\n')}\n`);
}
