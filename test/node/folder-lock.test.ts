import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../local/fixture-function.ts';

const MODULE = join(import.meta.dirname, '../../lib/node/folder-lock.ts');
/** No process has this id: it is above the highest that Linux and macOS give. */
const NOBODY = 999_999_999;

/** Tries to take a folder at a moment, says whether it got it, and keeps it until its input ends. */
const TAKER = `
  const [module, folder, at] = process.argv.slice(1);
  const { lockFolder } = await import(module);
  while (Date.now() < Number(at));
  let won = false;
  try { lockFolder(folder, 'lock'); won = true; } catch (error) { if (error.constructor.name !== 'FolderInUseError') throw error; }
  process.stdout.write(won ? 'won' : 'lost');
  process.stdin.resume();
`;

it('is given to one of many processes that find its last one gone', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 4; round++) {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'lock'), String(NOBODY));
    const at = String(Date.now() + 1_500);
    const takers = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', TAKER, MODULE, folder, at]),
    );
    const said = await Promise.all(takers.map(async ({ stdout }) => String(await once(stdout, 'data'))));
    for (const { stdin } of takers) stdin.end();
    expect(said.sort()).toEqual(['lost', 'lost', 'lost', 'lost', 'lost', 'won']);
    expect(readdirSync(folder)).toEqual(['lock']);
  }
});

it('is taken over although a process ended while it took it over', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'lock'), String(NOBODY));
  writeFileSync(join(folder, 'lock.taking'), String(NOBODY));
  return import(MODULE).then(({ lockFolder }) => {
    const release = lockFolder(folder, 'lock');
    expect(readdirSync(folder)).toEqual(['lock']);
    release();
    expect(readdirSync(folder)).toEqual([]);
  });
});
