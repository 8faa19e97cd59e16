/**
 * The disk of a world: real files in a temporary folder, written and read in this thread, with simulated delays and
 * faults. Paths outside the folder are not affected.
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import type { Faults } from './faults.ts';
import { activeWorld, currentProcess, KilledError, type SimulatedProcess, type World } from './world.ts';

const real = { ...fs };

/** The disk of the active world. */
interface Disk {
  readonly folder: string;
  readonly world: World;
  readonly faults: Faults;
}

let current: Disk | undefined;

/** Uses a disk from now on; undefined: none. Files of the one before are closed. */
export function useDisk(disk: Disk | undefined): void {
  for (const descriptor of [...descriptors.keys()]) fs.closeSync(descriptor);
  current = disk;
}

/** The disk, if a path is on it. */
function diskOf(path: unknown): Disk | undefined {
  if (current === undefined || activeWorld() === undefined) return undefined;
  return typeof path === 'string' && path.startsWith(current.folder) ? current : undefined;
}

/** Owners of open files, and their disks. */
const descriptors = new Map<number, { readonly disk: Disk; readonly path: string }>();

/** Kills a process at a call, or stops one that is dead already. @throws KilledError */
function checkAlive({ faults }: Disk, beforeKill: () => void = () => {}): SimulatedProcess | undefined {
  const owner = currentProcess();
  if (owner === undefined) return undefined;
  if (owner.alive && faults.kills(owner)) {
    beforeKill();
    owner.end();
  }
  if (!owner.alive) throw new KilledError(`${owner.name} was killed`);
  return owner;
}

function fullError(path: string, syscall: string): Error {
  const error = new Error(`ENOSPC: no space left on device, ${syscall}`);
  return Object.assign(error, { code: 'ENOSPC', errno: -28, syscall, path });
}

/** Checks a change. @throws KilledError, or ENOSPC if it needs space and the disk is full */
function checkChange(disk: Disk, path: string, syscall: string, needsSpace: boolean): void {
  const owner = checkAlive(disk);
  if (owner === undefined || !needsSpace || !disk.faults.diskIsFull) return;
  disk.faults.count('full disk');
  throw fullError(path, syscall);
}

/** Changes of files, and whether they need space. */
const CHANGES: Readonly<Record<string, boolean>> = {
  mkdir: true,
  rename: false,
  link: true,
  rm: false,
  unlink: false,
  chmod: false,
  cp: true,
  writeFile: true,
  appendFile: true,
};
const READS = ['readdir', 'stat', 'access', 'readFile', 'realpath', 'lstat'] as const;

type Sync = (...given: unknown[]) => unknown;

/** Replaces the file functions, once for this process. */
export function installDisk(): void {
  const sync = fs as unknown as Record<string, Sync>;
  const asynchronous = promises as unknown as Record<string, Sync>;
  const realSync = real as unknown as Record<string, Sync>;
  for (const [name, needsSpace] of Object.entries(CHANGES)) {
    const change = realSync[`${name}Sync`]!;
    const check = (disk: Disk, path: unknown) => checkChange(disk, String(path), name, needsSpace);
    sync[`${name}Sync`] = (path, ...given) => {
      const disk = typeof path === 'number' ? descriptors.get(path)?.disk : diskOf(path);
      if (disk !== undefined) check(disk, path);
      return change(path, ...given);
    };
    const realAsynchronous = asynchronous[name]!;
    asynchronous[name] = async (path, ...given) => {
      const disk = diskOf(path);
      if (disk === undefined) return realAsynchronous(path, ...given);
      await delay(disk);
      return orNever(() => {
        check(disk, path);
        return change(path, ...given);
      });
    };
  }
  for (const name of READS) {
    const read = realSync[`${name}Sync`]!;
    const realAsynchronous = asynchronous[name]!;
    asynchronous[name] = async (path, ...given) => {
      const disk = diskOf(path);
      if (disk !== undefined) {
        await delay(disk);
        return orNever(() => {
          checkAlive(disk);
          return read(path, ...given);
        });
      }
      // At once: a read in a thread of its own would end at any time.
      return activeWorld() === undefined ? realAsynchronous(path, ...given) : read(path, ...given);
    };
  }
  const realOpen = promises.open;
  asynchronous.open = async (path, ...given) => {
    const disk = diskOf(path);
    if (disk === undefined) return realOpen(path as string, ...(given as []));
    await delay(disk);
    return orNever(() => new SimulatedFile(disk, String(path), given[0] as string | undefined));
  };
  installDescriptors();
  const realReadStream = fs.createReadStream;
  fs.createReadStream = ((
    path: string,
    options: { start?: number; end?: number; highWaterMark?: number } = {},
  ) => {
    const disk = diskOf(path);
    if (disk === undefined) return realReadStream(path, options);
    return Readable.from(bytesOf(disk, path, options), { objectMode: false });
  }) as typeof fs.createReadStream;
  syncBuiltinESMExports();
}

/** Descriptors of synchronous code: journals and locks. */
function installDescriptors(): void {
  fs.openSync = ((path: string, flags?: string, mode?: number) => {
    const disk = diskOf(path);
    if (disk !== undefined) checkChange(disk, path, 'open', flags?.startsWith('w') === true);
    const descriptor = real.openSync(path, flags ?? 'r', mode);
    if (disk !== undefined) descriptors.set(descriptor, { disk, path });
    return descriptor;
  }) as typeof fs.openSync;
  fs.closeSync = (descriptor) => {
    descriptors.delete(descriptor);
    real.closeSync(descriptor);
  };
  fs.ftruncateSync = (descriptor, length) => {
    const found = descriptors.get(descriptor);
    if (found !== undefined) checkAlive(found.disk);
    real.ftruncateSync(descriptor, length);
  };
  fs.writeSync = ((descriptor: number, bytes: Uint8Array, from: number, length: number, position: number) => {
    const found = descriptors.get(descriptor);
    if (found === undefined) return real.writeSync(descriptor, bytes, from, length, position);
    const { disk, path } = found;
    // A killed process may have written a part.
    checkAlive(disk, () =>
      real.writeSync(descriptor, bytes, from, disk.world.random.below(length + 1), position),
    );
    if (!disk.faults.diskIsFull) return real.writeSync(descriptor, bytes, from, length, position);
    disk.faults.count('full disk');
    const room = disk.world.random.below(length + 1);
    if (room === 0) throw fullError(path, 'write');
    return real.writeSync(descriptor, bytes, from, room, position);
  }) as typeof fs.writeSync;
}

/** A process that is killed while it waits for the disk waits forever. */
async function orNever<Result>(call: () => Result): Promise<Result> {
  try {
    return call();
  } catch (error) {
    if (error instanceof KilledError) return new Promise<never>(() => {});
    throw error;
  }
}

function delay({ world, faults }: Disk): Promise<void> {
  return world.wait(faults.diskMs());
}

/** A file that `open` has opened, with the methods that the project uses. */
class SimulatedFile {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #descriptor: number;
  #position: number;

  constructor(disk: Disk, path: string, flags: string | undefined, position = 0) {
    this.#position = position;
    checkChange(disk, path, 'open', flags?.startsWith('w') === true);
    this.#disk = disk;
    this.#path = path;
    this.#descriptor = real.openSync(path, flags ?? 'r');
    // The operating system closes the files of a process that has ended.
    currentProcess()?.onEnd.push(() => this.#closeNow());
  }

  #open = true;

  #closeNow(): void {
    if (this.#open) real.closeSync(this.#descriptor);
    this.#open = false;
  }

  async write(bytes: Uint8Array, from = 0): Promise<{ bytesWritten: number; buffer: Uint8Array }> {
    await delay(this.#disk);
    return orNever(() => {
      const { faults, world } = this.#disk;
      let length = bytes.length - from;
      const write = () => real.writeSync(this.#descriptor, bytes, from, length, this.#position);
      checkAlive(this.#disk, () => {
        length = world.random.below(length + 1);
        write();
      });
      if (faults.diskIsFull) {
        faults.count('full disk');
        length = world.random.below(length + 1);
        if (length === 0) throw fullError(this.#path, 'write');
      }
      const bytesWritten = write();
      this.#position += bytesWritten;
      return { bytesWritten, buffer: bytes };
    });
  }

  async read(
    memory: Uint8Array,
    from = 0,
    length = memory.length,
  ): Promise<{ bytesRead: number; buffer: Uint8Array }> {
    await delay(this.#disk);
    return orNever(() => {
      checkAlive(this.#disk);
      const bytesRead = real.readSync(this.#descriptor, memory, from, length, this.#position);
      this.#position += bytesRead;
      return { bytesRead, buffer: memory };
    });
  }

  async stat(): Promise<fs.Stats> {
    await delay(this.#disk);
    return orNever(() => real.fstatSync(this.#descriptor));
  }

  async close(): Promise<void> {
    await delay(this.#disk);
    this.#closeNow();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

async function* bytesOf(
  disk: Disk,
  path: string,
  {
    start = 0,
    end = Number.POSITIVE_INFINITY,
    highWaterMark = 65_536,
  }: { start?: number; end?: number; highWaterMark?: number },
): AsyncGenerator<Uint8Array> {
  await delay(disk);
  const file = await orNever(() => new SimulatedFile(disk, path, 'r', start));
  try {
    for (let left = end - start + 1; left > 0; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(highWaterMark, left)));
      if (bytesRead === 0) return;
      left -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
