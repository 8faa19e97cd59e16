/** Digests of the code of functions: of the deployed code, and of the code that this program would deploy. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FunctionState } from '../../../aws/stack-inspection.ts';
import { TIMEOUTS } from '../../../aws/timeouts.ts';
import { bundleFunctions } from '../../../local/functions/bundle.ts';
import { readCode } from '../../../local/functions/code-archive.ts';
import { CommandError } from '../../exit.ts';

type BundledName = Parameters<typeof bundleFunctions>[0][number];

/** A checkout deploys source maps, which the package leaves out. */
const SOURCE_MAP_LINE = /\n\/\/# sourceMappingURL=.*\s*$/;

/** Name of a function in the project: the file of its handler, without extension. */
export function fileOf({ handler }: Pick<FunctionState, 'handler'>): string {
  return handler.replace(/\.\w+$/, '');
}

/** Downloads the code of functions. @returns digests by {@link fileOf}, of those that have a URL */
export async function deployedDigests(
  functions: readonly Pick<FunctionState, 'handler' | 'codeUrl'>[],
): Promise<Map<string, string>> {
  const found = functions.filter(({ codeUrl }) => codeUrl !== undefined);
  const entries = found.map(async (each): Promise<[string, string]> => {
    const name = fileOf(each);
    const response = await fetch(each.codeUrl!, { signal: AbortSignal.timeout(TIMEOUTS.responseMs) });
    if (!response.ok) throw new CommandError(`the code of ${name} cannot be downloaded: ${response.status}`);
    const code = readCode(Buffer.from(await response.arrayBuffer()), name).get(`${name}.mjs`);
    return [name, code === undefined ? `no ${name}.mjs` : digestOf(code)];
  });
  return new Map(await Promise.all(entries));
}

/** @returns digests by name */
export async function ownDigests(names: readonly string[]): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'dlx-batch-doctor-'));
  try {
    await bundleFunctions(names as readonly BundledName[], folder);
    const entries = names.map(async (name): Promise<[string, string]> => {
      return [name, digestOf(await readFile(join(folder, `${name}.mjs`)))];
    });
    return new Map(await Promise.all(entries));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function digestOf(code: Buffer): string {
  return createHash('sha256').update(code.toString().trimEnd().replace(SOURCE_MAP_LINE, '')).digest('hex');
}
