import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RECORDED_S3 } from './s3.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const lines = (file: string) => read(file).trimEnd().split('\n').length;

test('test/README.md has the numbers of recorded answers', () => {
  const text = read('../../README.md');
  expect(text).toContain(`\`recorded/s3.jsonl\` | ${RECORDED_S3.answers} | ${RECORDED_S3.agreed} |`);
  for (const file of ['states.jsonl', 'signatures.jsonl', 'services.jsonl', 'links.jsonl']) {
    expect(text).toContain(`\`recorded/${file}\` | ${lines(file)} | ${lines(file)} |`);
  }
});
