/**
 * The template as text, in `snapshots`: with the default settings, and what differs with all settings and with existing
 * buckets; and who may do what. `npm run templates` rewrites the files; `git diff` shows what an upgrade would change.
 */
import { expect, test } from 'vitest';
import { settingsTable } from '../../lib/infra/settings.ts';
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

test('the page of the settings', async () => {
  const page = [
    '# Settings of the stack',
    '',
    'In `cdk.json` under `context`, or `-c dlx:memoryMb=3008` on the command line, which takes precedence. In an app of your own they',
    'are properties of the construct, without `dlx:`. A wrong name or value stops the deployment before it begins.',
    '',
    settingsTable(),
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../docs/reference/settings.md');
});

test('no setting replaces what holds data, messages or versions', () => {
  const types = ['SQS::Queue', 'Logs::LogGroup', 'StepFunctions::StateMachine', 'Lambda::Function'];
  const [first, ...others] = [{}, ALL_SETTINGS, EXISTING_BUCKETS].map((context) =>
    types.flatMap((type) => Object.keys(templateWith(context).findResources(`AWS::${type}`))),
  );
  for (const ids of others) expect(ids).toEqual(expect.arrayContaining(first!));
});
