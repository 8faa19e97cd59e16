import type { FileWriter } from '../ports.ts';

/** Closes a file after `write`, or aborts it if `write` throws. @returns the result of `write` */
export async function writeWhole<Result>(
  file: Pick<FileWriter, 'close' | 'abort'>,
  write: () => Promise<Result>,
): Promise<Result> {
  let result: Result;
  try {
    result = await write();
  } catch (error) {
    await file.abort();
    throw error;
  }
  await file.close();
  return result;
}
