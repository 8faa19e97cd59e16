/**
 * The template as text, in `snapshots`: with the default settings, and what differs with all settings and with existing
 * buckets; and who may do what. `npm run templates` rewrites the files; `git diff` shows what an upgrade would change.
 */
import { expect, test } from 'vitest';
import { permissionsText } from './permissions.ts';
import { ALL_SETTINGS, EXISTING_BUCKETS } from './settings.ts';
import { templateWith } from './synthesised.ts';
import { templateText } from './template-text.ts';

const defaults = templateWith().toJSON();

test.each([
  ['default-settings', () => templateText(defaults)],
  ['all-settings', () => templateText(templateWith(ALL_SETTINGS).toJSON(), defaults)],
  ['existing-buckets', () => templateText(templateWith(EXISTING_BUCKETS).toJSON(), defaults)],
  ['permissions', () => permissionsText()],
])('%s', async (name, text) => {
  await expect(text()).toMatchFileSnapshot(`snapshots/${name}.txt`);
});

test('no setting replaces what holds data, messages or versions', () => {
  const types = ['SQS::Queue', 'Logs::LogGroup', 'StepFunctions::StateMachine', 'Lambda::Function'];
  const [first, ...others] = [{}, ALL_SETTINGS, EXISTING_BUCKETS].map((context) =>
    types.flatMap((type) => Object.keys(templateWith(context).findResources(`AWS::${type}`))),
  );
  for (const ids of others) expect(ids).toEqual(expect.arrayContaining(first!));
});
