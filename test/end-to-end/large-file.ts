/** A file that the end-to-end tests treat as large, and its results. */

import { fetchFile, findOutcome } from '../../lib/batch/delivery/result-set.ts';
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import type { ObjectStore } from '../../lib/batch/ports.ts';
import { systemHashing } from '../../lib/node/system.ts';
import { CUT_OFF, EASY, TWO_SOLUTIONS } from '../support/puzzles.ts';

export const LARGE_KEY = 'inbox/large.txt';
/** Several shards; 2% of the puzzles are exceptions. */
export const LARGE_TEXT = `${`${EASY}\n`.repeat(98)}${TWO_SOLUTIONS}\n${CUT_OFF}\n`.repeat(70);
export const SHARD_BYTES = 120_000;

/** Environment variables with which every file is large. */
export function largeJobEnvironment(shardBytes: number): Record<string, string> {
  return { [ENVIRONMENT.largeJobSeconds]: '0.01', [ENVIRONMENT.shardBytes]: String(shardBytes) };
}

/** Texts of the result files of a completed large file, by name. @throws Error if it is not completed */
export async function resultTexts(
  store: ObjectStore,
  resultsBucket: string,
  versionId: string,
): Promise<Record<string, string>> {
  const storage = { store, resultsBucket };
  const outcome = await findOutcome(storage, { key: LARGE_KEY, versionId }, systemHashing);
  if (outcome?.kind !== 'completed')
    throw new Error(`Expected a completed job, found ${JSON.stringify(outcome)}`);
  const texts: Record<string, string> = {};
  for (const file of outcome.manifest.files) {
    const pieces: Uint8Array[] = [];
    const write = async (bytes: Uint8Array) => void pieces.push(bytes.slice());
    const none = async () => {};
    await fetchFile(storage, file, { write, close: none, abort: none }, systemHashing);
    texts[file.name] = Buffer.concat(pieces).toString();
  }
  return texts;
}
