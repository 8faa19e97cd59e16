import { test } from 'vitest';
import { downloadName, inboxKey } from '../../../lib/cli/page/object-name.ts';
import { expectTable } from '../../support/text-table.ts';

test('names are as object-names.txt says', () =>
  expectTable(new URL('object-names.txt', import.meta.url), {
    'the key of a file, or what its user is told': (name) => {
      const found = inboxKey(name);
      return typeof found === 'string' ? found : found.problem;
    },
    'the key of a file with a long name is refused from 1,025 bytes on': ([letter, count]) => {
      const found = inboxKey(letter.repeat(count));
      return typeof found === 'string' ? `${found.length} characters` : 'refused';
    },
    'the name of statistics that are saved': (key) => downloadName(key, 'stats.json'),
  }));
