/** Every command exits with what its help says: the transcripts have each status that a help text names, and no other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../lib/cli/commands.ts';

const FOLDER = join(import.meta.dirname, 'transcripts');

/** The statuses of a command in the transcripts: that of the last command of a line is shown if it is not 0. */
function shownStatuses(): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const name of readdirSync(FOLDER)) {
    const [, ...blocks] = readFileSync(join(FOLDER, name), 'utf8').split(/^ {2}\$ /m);
    for (const block of blocks) {
      const [line = ''] = block.split('\n');
      const last = line.split(' | ').at(-1)!;
      const [, command] = /^dlx-batch ([a-z]+)\b/.exec(last) ?? [];
      if (command === undefined || /--help|--version/.test(last)) continue;
      const status = Number(/^ {2}\[(\d+)\]$/m.exec(block)?.[1] ?? 0);
      found.set(command, (found.get(command) ?? new Set()).add(status));
    }
  }
  return found;
}

test.each(COMMANDS.map(({ name, help }) => [name, help]))('%s', (name, help) => {
  const [, text = ''] = /Exit status: ([\s\S]*)$/.exec(help) ?? [];
  const said = [...text.matchAll(/(?:^|[,;\s])([0-9])(?= )/g)].map(([, status]) => Number(status));
  const shown = [...(shownStatuses().get(name) ?? [])];
  expect(shown.sort()).toEqual([...new Set(said)].sort());
});
