/** The stored inputs of the targets: a JSON string each line, one character for each byte. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Bytes of all inputs of a target, so that the tests run them in moments. */
const MAX_CORPUS_BYTES = 16_000;

/** `found` are inputs that showed a defect, which are always kept. */
export type CorpusKind = 'corpus' | 'found';

function pathOf(target: string, kind: CorpusKind): URL {
  return new URL(`corpus/${target}${kind === 'found' ? '.found' : ''}.jsonl`, import.meta.url);
}

export function readCorpus(target: string, kind: CorpusKind): Buffer[] {
  const path = pathOf(target, kind);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => Buffer.from(JSON.parse(line), 'latin1'));
}

export function writeCorpus(target: string, kind: CorpusKind, inputs: readonly Buffer[]): void {
  const lines = inputs.map((input) => `${asciiJson(input.toString('latin1'))}\n`);
  writeFileSync(pathOf(target, kind), lines.join(''));
}

/** The smallest inputs that fit in the stored corpus. */
export function smallest(inputs: readonly Buffer[]): Buffer[] {
  const kept: Buffer[] = [];
  let bytes = 0;
  for (const input of inputs.toSorted((a, b) => a.length - b.length)) {
    bytes += input.length;
    if (bytes > MAX_CORPUS_BYTES) break;
    kept.push(input);
  }
  return kept;
}

function asciiJson(text: string): string {
  return JSON.stringify(text).replaceAll(/[\x7f-\xff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
