import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellWord } from '../../../lib/cli/remote/command-text.ts';
import { propertyRuns } from '../../support/depth.ts';

test('a shell reads quoted words as they were', () => {
  const special = fc.constantFrom(...'\'\\"$`! \n\t\x1b\u202e\x7fé*~=#-a');
  const word = fc.array(special, { maxLength: 8 }).map((characters) => characters.join(''));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), (words) => {
      const command = `printf '%s\\0' ${words.map(shellWord).join(' ')}`;
      expect(command).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      // In the locale C, bash writes such characters as they were quoted.
      const env = { ...process.env, LC_ALL: 'C.UTF-8' };
      const { stdout } = spawnSync('bash', ['-c', command], { encoding: 'utf8', env });
      expect(stdout).toBe(words.length === 0 ? '\0' : words.map((each) => `${each}\0`).join(''));
    }),
    { numRuns: propertyRuns(5), examples: [[["it's\u202e\\\n", "it's"]]] },
  );
});
