/**
 * Settings of the CDK context, as they are read: `settings.txt` has a line for each, with the value that is read or the error.
 * `npm run templates` writes what is read now.
 *
 *     dlx:memoryMb "3008"
 *       memoryMb = 3008
 */
import { readFileSync } from 'node:fs';
import { RootConstruct } from 'constructs';
import { expect, it } from 'vitest';
import { readStackContext, SettingError, type StackContext } from '../../lib/infra/settings.ts';
import { cdkJsonContext } from './synthesised.ts';

const FILE = new URL('settings.txt', import.meta.url).pathname;

function read(context: Record<string, unknown>): StackContext {
  const { node } = new RootConstruct();
  for (const [key, value] of Object.entries(context)) node.setContext(key, value);
  return readStackContext(node);
}

/** What is read, or why nothing is. */
function shown(context: Record<string, unknown>): string {
  try {
    const { stackName, props } = read(context);
    return [
      `stack ${stackName}`,
      ...Object.entries(props).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    ]
      .filter((line) => line !== 'stack DlxBatch')
      .join('; ');
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
}

it('settings are read as the table says', async () => {
  const lines = readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => /^\S/.test(line))
    .flatMap((line) => {
      const [key = '', value = 'null'] = /^(\S+) ?(.*)$/.exec(line)!.slice(1);
      return [line, `  ${shown({ [key]: JSON.parse(value) })}`.trimEnd()];
    });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(FILE);
});

it('every setting has a default, and more than fifty tags are refused', () => {
  expect(read({})).toEqual({ stackName: 'DlxBatch', props: {} });
  const tags = Object.fromEntries(Array.from({ length: 51 }, (_, k) => [`tag${k}`, 'a']));
  expect(shown({ 'dlx:tags': tags })).toContain('expected a JSON object of up to 50 tags');
  expect(shown(cdkJsonContext)).toMatch(/^memoryMb = \d+;/);
});
