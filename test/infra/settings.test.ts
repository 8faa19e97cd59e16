/** Settings of the CDK context, as they are read. `npm run templates` writes what is read now. */
import { RootConstruct } from 'constructs';
import { expect, it } from 'vitest';
import { readStackContext, SettingError, type StackContext } from '../../lib/infra/settings.ts';
import { expectTable } from '../support/text-table.ts';
import { cdkJsonContext } from './synthesised.ts';

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

it('settings are read as settings.txt says', () =>
  expectTable(new URL('settings.txt', import.meta.url), {
    'the settings of a context as they are read, or why they are refused': shown,
  }));

it('every setting has a default, and more than fifty tags are refused', () => {
  expect(read({})).toEqual({ stackName: 'DlxBatch', props: {} });
  const tags = Object.fromEntries(Array.from({ length: 51 }, (_, k) => [`tag${k}`, 'a']));
  expect(shown({ 'dlx:tags': tags })).toContain('expected a JSON object of up to 50 tags');
  expect(shown(cdkJsonContext)).toMatch(/^memoryMb = \d+;/);
});
