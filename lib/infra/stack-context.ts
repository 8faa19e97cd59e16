/**
 * Reads the stack's settings from the CDK context: `cdk.json`, or `-c dlx:memoryMb=3008`, which takes precedence.
 *
 * Every setting begins with `dlx:`. An unknown name or an invalid value is an error, so that no typo is deployed as a
 * default.
 */
import type { Node } from 'constructs';
import type { DlxBatchStackProps } from './dlx-batch-stack.ts';
import { isSettingName, readSetting, removedSetting, SETTINGS, SettingError } from './settings.ts';

const PREFIX = 'dlx:';

const DEFAULT_STACK_NAME = 'DlxBatch';

/** An unknown or invalid setting; the message names the fix. */
export class ContextError extends SettingError {
  override readonly name = 'ContextError';
}

/** Arguments for `new DlxBatchStack(app, stackName, props)`. */
export interface StackContext {
  readonly stackName: string;
  readonly props: DlxBatchStackProps;
}

/**
 * Reads and checks every `dlx:` setting.
 *
 * @param node the app's node
 * @throws ContextError naming the setting, the value found, the values expected and where to change it
 */
export function readStackContext(node: Node): StackContext {
  const settings: Record<string, unknown> = {};
  for (const [key, found] of Object.entries(node.getAllContext() as Record<string, unknown>)) {
    if (key.startsWith(PREFIX)) settings[key.slice(PREFIX.length)] = read(key, found);
  }
  const { stackName = DEFAULT_STACK_NAME, ...props } = settings as {
    stackName?: string;
  } & DlxBatchStackProps;
  return { stackName, props };
}

function read(key: string, found: unknown): unknown {
  const name = key.slice(PREFIX.length);
  if (!isSettingName(name)) {
    const removed = removedSetting(name);
    if (removed !== undefined) throw new ContextError(`context ${key} ${removed}`);
    const known = Object.keys(SETTINGS).map((setting) => PREFIX + setting);
    throw new ContextError(
      `context ${key} is unknown: expected one of ${known.join(', ')}; correct the name in cdk.json or after -c`,
    );
  }
  try {
    return readSetting(name, found, `context ${key}`);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    throw new ContextError(`${error.message}; change it in cdk.json, or pass -c ${key}=...`);
  }
}
