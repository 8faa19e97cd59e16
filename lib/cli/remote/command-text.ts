/** Commands that the user may copy into a shell. */
import type { ConnectionFlags } from './connection-flags.ts';

/** A command on these keys, for the same stack. @param name with its options, such as `status --watch` */
export function commandText(name: string, keys: readonly string[], flags: ConnectionFlags): string {
  const { stack, bucket, resultsBucket, endpoint } = flags;
  const named = {
    '--stack': stack,
    '--bucket': bucket,
    '--results-bucket': resultsBucket,
    '--endpoint': endpoint,
  };
  const options = Object.entries(named).flatMap(([flag, value]) =>
    value === undefined ? [] : [flag, shellWord(value)],
  );
  return ['dlx-batch', name, ...keys.map(shellWord), ...options].join(' ');
}

/** A text as one word for a shell. */
export function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
