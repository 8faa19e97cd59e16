/** Stored files of JSON lines: the lists of shards, the plans and records of bulk runs. */
import { collectBytes } from '../../../lib/batch/job/input.ts';
import { readJsonLines } from '../../../lib/batch/storage/json-lines.ts';
import { readJson } from '../../../lib/batch/storage/read-json.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { MemoryBuckets, memoryStore } from '../../support/memory-store.ts';
import { pieces } from '../../support/run-job.ts';
import { checkSame, digest, documented, type Target } from '../target.ts';

export const jsonLines: Target = {
  name: 'json-lines',
  seeds: () => [
    '{"shard":0,"from":0,"to":64,"firstIndex":1,"records":2,"commentLines":0,"last":false}\n{"shard":1,"from":64,"to":99}\n',
    '{"bucket":"in","key":"inbox/ü 🧩","versionId":"v"}\n',
    '1\n"a\\nb"\nnull\n[]\n{}\n',
    '',
    '\n\n',
    '{"a":1}',
  ],
  tokens: ['\n', '\r\n', '{"key":"', '"}', 'null', '\\u0000', '\ufeff'],
  maxBytes: 600,
  maxWork: { base: 100_000, perByte: 2_000 },
  async run(input) {
    const random = new RandomSource(digest(input));
    const whole = await read(input, 0, 1 << 20);
    checkSame(await read(input, 0, 1 + random.below(9)), whole, 'lines do not depend on chunks');
    for (const [at, { endByte }] of whole.lines.entries()) {
      const { lines } = await read(input, endByte, 1 + random.below(40));
      checkSame(lines, whole.lines.slice(at + 1), 'reading continues after any line');
    }
  },
};

const isSyntaxError = (error: unknown) => error instanceof SyntaxError;

/** The lines before the first one that is not JSON. */
async function read(bytes: Uint8Array, from: number, chunkBytes: number) {
  const buckets = new MemoryBuckets();
  buckets.write('b', 'k', new Uint8Array(bytes));
  const store = memoryStore(buckets);
  const range = store.range.bind(store);
  store.range = async (...where) => {
    const found = await range(...where);
    if (found === undefined) return undefined;
    const all = await collectBytes(found);
    const cuts = Array.from({ length: Math.floor(all.length / chunkBytes) }, (_, k) => (k + 1) * chunkBytes);
    return pieces(all, cuts);
  };
  const lines: { readonly document: unknown; readonly endByte: number }[] = [];
  const { error } = await documented(async () => {
    for await (const line of readJsonLines({ store, resultsBucket: 'b' }, 'k', from)) lines.push(line);
  }, isSyntaxError);
  await documented(() => readJson({ store, resultsBucket: 'b' }, 'k'), isSyntaxError);
  return { lines, failed: error !== undefined };
}
