/** Reports errors outside a request, such as a full disk, on standard error. */
import { visibleText } from '../formats/bytes/visible-text.ts';

/** @param service of the local stack, such as S3 */
export function writeFault(service: string, error: unknown): void {
  const lines = textOf(error).split('\n');
  // Messages may quote keys.
  process.stderr.write(`local ${service}: ${lines.map(visibleText).join('\n')}\n`);
}

/** The stack of a defect; errors of the system, such as a full disk, are no defects. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && syscall !== undefined ? error.message : (error.stack ?? error.message);
}
