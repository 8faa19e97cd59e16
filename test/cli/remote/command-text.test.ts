import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  commandText,
  continuationLine,
  shellWord,
  useCommandLine,
} from '../../../lib/cli/remote/command-text.ts';
import { propertyRuns } from '../../support/depth.ts';

test('a shell reads quoted words as they were', () => {
  const special = fc.constantFrom(
    "'",
    '\\',
    '"',
    '$',
    '`',
    '!',
    ' ',
    '\n',
    '\t',
    '\x1b',
    '\u202e',
    '\x7f',
    'é',
    '*',
    '~',
    '=',
    '#',
    '-',
    'a',
  );
  const word = fc.array(special, { maxLength: 8 }).map((characters) => characters.join(''));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), (words) => {
      const command = `printf '%s\\0' ${words.map(shellWord).join(' ')}`;
      expect(command).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      const { stdout } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
      expect(stdout).toBe(words.length === 0 ? '\0' : words.map((each) => `${each}\0`).join(''));
    }),
    { numRuns: propertyRuns(5) },
  );
});

test('a printed command has the stack, the account and the region of the running one', () => {
  vi.stubEnv('AWS_PROFILE', undefined);
  vi.stubEnv('AWS_REGION', undefined);
  onTestFinished(() => {
    useCommandLine([], {});
    vi.unstubAllEnvs();
  });
  useCommandLine(['status', 'it is'], {
    stack: 'My Stack',
    endpoint: 'http://127.0.0.1:9000',
    profile: 'work',
    region: 'eu-west-1',
  });
  expect(commandText('status --watch', ['inbox/a b.txt'])).toMatch(
    /dlx-batch status --watch 'inbox\/a b.txt' --stack 'My Stack' --endpoint http:\S+:9000 --profile work --region eu-west-1$/,
  );
  expect(continuationLine()).toMatch(/^to continue: (npx )?dlx-batch status 'it is'$/);
  // The SDK reads them there.
  expect([process.env.AWS_PROFILE, process.env.AWS_REGION]).toEqual(['work', 'eu-west-1']);
});
