/** Digests of the code of functions: of the deployed code, and of the code that this program would deploy. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FUNCTION_NAMES } from '../../../functions/bundle.ts';
import type { FunctionState } from '../../aws/stack-reader.ts';
import { TIMEOUTS } from '../../aws/timeouts.ts';
import { writeProgram } from '../../local/deployments.ts';
import { readCode } from '../../local/functions/code-archive.ts';
import { CommandError } from '../exit.ts';

/** A checkout deploys source maps, which the package leaves out. */
const SOURCE_MAP_LINE = /\n\/\/# sourceMappingURL=.*\s*$/;

type FunctionName = (typeof FUNCTION_NAMES)[number];

/**
 * Downloads the code of the functions of this program that have a URL.
 *
 * @returns digests by the name of the function in this program
 * @throws CommandError if the code cannot be downloaded
 */
export async function deployedDigests(
  functions: readonly Pick<FunctionState, 'Configuration' | 'Code'>[],
): Promise<Map<FunctionName, string>> {
  const downloads = functions.map(async ({ Configuration, Code }): Promise<[FunctionName, string][]> => {
    const codeUrl = Code?.Location;
    const name = FUNCTION_NAMES.find((each) => Configuration?.Handler === `${each}.handler`);
    if (name === undefined || codeUrl === undefined) return [];
    const code = readCode(await download(name, codeUrl), name).get(`${name}.mjs`);
    return [[name, code === undefined ? 'none' : digestOf(code)]];
  });
  return new Map((await Promise.all(downloads)).flat());
}

async function download(name: string, url: string): Promise<Buffer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUTS.responseMs) });
    if (response.ok) return Buffer.from(await response.arrayBuffer());
    throw new Error(String(response.status));
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
    throw new CommandError(`the code of ${name} cannot be downloaded: ${reason}`, { cause: error });
  }
}

/** @returns digests by name */
export async function ownDigests(names: readonly FunctionName[]): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'dlx-batch-doctor-'));
  try {
    await writeProgram(folder);
    const entries = names.map(async (name): Promise<[string, string]> => {
      return [name, digestOf(await readFile(join(folder, 'code', `${name}.mjs`)))];
    });
    return new Map(await Promise.all(entries));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function digestOf(code: Buffer): string {
  return createHash('sha256').update(code.toString().trimEnd().replace(SOURCE_MAP_LINE, '')).digest('hex');
}
