import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../local/fixture-function.ts';
import { eventually } from '../support/eventually.ts';

const MODULE = join(import.meta.dirname, '../../lib/node/folder-lock.ts');
/** No process has this id: it is above the maximum of Linux and macOS. */
const UNUSED_PROCESS_ID = 999_999_999;

/** Tries to lock a folder at a given time, writes whether it has the lock, and keeps it until its input ends. */
const LOCKING_PROCESS = `
  const [module, folder, at] = process.argv.slice(1);
  const { lockFolder } = await import(module);
  // All processes wait asleep, and spin only at the end, to try at the same time.
  await new Promise((resolve) => setTimeout(resolve, Number(at) - 50 - Date.now()));
  while (Date.now() < Number(at));
  let won = false;
  try { lockFolder(folder, 'lock'); won = true; } catch (error) { if (error.constructor.name !== 'FolderInUseError') throw error; }
  process.stdout.write(won ? 'won' : 'lost');
  process.stdin.resume();
`;

it('one of many processes takes over the lock of a process that has ended', async () => {
  for (let round = 0; round < 4; round++) {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'lock'), String(UNUSED_PROCESS_ID));
    const at = String(Date.now() + 1_500);
    const processes = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', LOCKING_PROCESS, MODULE, folder, at]),
    );
    const outcomes = await Promise.all(
      processes.map(async ({ stdout }) => String(await once(stdout, 'data'))),
    );
    for (const { stdin } of processes) stdin.end();
    expect(outcomes.sort()).toEqual(['lost', 'lost', 'lost', 'lost', 'lost', 'won']);
    expect(readdirSync(folder)).toEqual(['lock']);
  }
});

it('files of processes that ended while they locked a folder are removed, and no others', async () => {
  const folder = temporaryFolder();
  const names = ['lock.taking', `lock.${UNUSED_PROCESS_ID}.part`, `lock.taking.${UNUSED_PROCESS_ID}.part`];
  for (const name of names) writeFileSync(join(folder, name), String(UNUSED_PROCESS_ID));
  const others = ['lock.1.part', 'lock.txt', 'locks.999999999.part'];
  for (const name of others) writeFileSync(join(folder, name), '');
  const { lockFolder } = await import(MODULE);
  lockFolder(folder, 'lock')();
  expect(readdirSync(folder)).toEqual(others);
});

it('a lock is taken over even if a process ended while it took it over', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'lock'), String(UNUSED_PROCESS_ID));
  writeFileSync(join(folder, 'lock.taking'), String(UNUSED_PROCESS_ID));
  return import(MODULE).then(({ lockFolder }) => {
    const release = lockFolder(folder, 'lock');
    expect(readdirSync(folder)).toEqual(['lock']);
    release();
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** Locks a folder, and is killed at its file operation of a given number. */
const KILLED_PROCESS = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const [module, folder, number] = process.argv.slice(1);
  let operations = 0;
  for (const name of ['openSync', 'writeFileSync', 'closeSync', 'linkSync', 'rmSync']) {
    const real = fs[name];
    fs[name] = (...given) => {
      if (++operations === Number(number)) process.kill(process.pid, 'SIGKILL');
      return real(...given);
    };
  }
  syncBuiltinESMExports();
  const { lockFolder } = await import(module);
  lockFolder(folder, 'lock');
  process.stdout.write('locked');
`;

it('a process that is killed while it locks a folder does not lock it forever', async () => {
  const { lockFolder } = await import(MODULE);
  for (let number = 1, locked = false; !locked; number++) {
    const folder = temporaryFolder();
    const killed = ['--input-type=module', '-e', KILLED_PROCESS, MODULE, folder, String(number)];
    const { stdout } = spawnSync(process.execPath, killed, { encoding: 'utf8' });
    locked = stdout === 'locked';
    const release = lockFolder(folder, 'lock');
    release();
    expect(readdirSync(folder).filter((name) => !name.endsWith('.part'))).toEqual([]);
  }
});

// On other systems the parent of a process always collects its exit status soon.
it.runIf(process.platform === 'linux')(
  'a killed process that nothing has waited for holds no lock',
  async () => {
    const { lockFolder } = await import(MODULE);
    // The shell replaces itself with a program that waits for no child, as the first process of many containers.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600']);
    onTestFinished(() => void parent.kill('SIGKILL'));
    const pid = Number((await once(parent.stdout, 'data'))[0]);
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'lock'), String(pid));
    expect(() => lockFolder(folder, 'lock')).toThrow(`process ${pid}`);
    process.kill(pid, 'SIGKILL');
    await eventually(() => lockFolder(folder, 'lock')());
  },
);
