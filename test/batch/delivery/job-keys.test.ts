import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobIdOf } from '../../../lib/batch/delivery/job-id.ts';
import { jobKeys, resultKeyPart } from '../../../lib/batch/delivery/result-keys.ts';
import { VERSION } from '../../../lib/batch/version.ts';
import { systemHashing } from '../../../lib/node/system.ts';

const IDENTITY = { bucket: 'puzzles', key: 'inbox/a.txt', versionId: 'v1', options: '{"engine":"dlx"}' };

describe("a job's id", () => {
  it('stays the same within a result schema: another would solve every upload again', () => {
    // printf '%s' '["puzzles","inbox/a.txt","v1","{\"engine\":\"dlx\"}","dlx-batch/result@3"]' | sha256sum | cut -c 1-16
    expect(jobIdOf(IDENTITY, systemHashing)).toBe('82915ec80e381fdd');
  });

  it('differs in each part of the identity', () => {
    const ids = [
      IDENTITY,
      { ...IDENTITY, bucket: 'puzzles2' },
      { ...IDENTITY, key: 'inbox/b.txt' },
      { ...IDENTITY, versionId: 'v2' },
      { ...IDENTITY, options: '' },
    ].map((identity) => jobIdOf(identity, systemHashing));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('differs if only the bounds of the parts differ', () => {
    const shifted = { ...IDENTITY, bucket: 'puzzlesinbox/', key: 'a.txt' };
    expect(jobIdOf(shifted, systemHashing)).not.toBe(
      jobIdOf({ ...IDENTITY, bucket: 'puzzles', key: 'inbox/a.txt' }, systemHashing),
    );
  });
});

describe('an input key in result keys', () => {
  const bytesOf = (text: string) => Buffer.byteLength(text);

  for (const [name, key] of [
    ['short', 'inbox/a+b %20.txt'],
    ['800 bytes long', `inbox/${'x'.repeat(794)}`],
    ['800 bytes long in characters of two', `inbox/${'é'.repeat(397)}`],
  ] as const) {
    it(`is unchanged: ${name}`, () => {
      expect(resultKeyPart(key, systemHashing)).toBe(key);
    });
  }

  it('of more bytes is truncated at a character, and has 16 digits of its SHA-256', () => {
    const key = `inbox/${'é'.repeat(500)}`;
    expect(resultKeyPart(key, systemHashing)).toBe(`inbox/${'é'.repeat(397)}~f88a61865a559df4`);
  });

  it('is unique for keys that differ only after the truncation', () => {
    const key = (end: string) => `inbox/${'x'.repeat(900)}${end}`;
    expect(resultKeyPart(key('a'), systemHashing)).not.toBe(resultKeyPart(key('b'), systemHashing));
  });

  it('gives keys within the limit of S3, for every input key', () => {
    const anyKey = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 1024 })
      .filter((key) => bytesOf(key) <= 1024);
    const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
    fc.assert(
      fc.property(anyKey, (key) => {
        const keys = jobKeys(key, 'v'.repeat(100), 'a'.repeat(16), systemHashing);
        const all = [
          keys.manifest,
          keys.latest,
          keys.reject,
          keys.done,
          keys.status,
          `${keys.attempt(uuid)}exceptions.jsonl`,
        ];
        for (const resultKey of all) expect(bytesOf(resultKey)).toBeLessThanOrEqual(1024);
      }),
    );
  });
});

describe("a job's keys", () => {
  it('are as documented', () => {
    const { attempt, ...keys } = jobKeys('inbox/a.txt', 'v1', '', systemHashing);
    expect({ ...keys, attempt: attempt('x') }).toEqual({
      folder: 'results/inbox/a.txt//',
      manifest: 'results/inbox/a.txt//manifest.json',
      latest: 'results/inbox/a.txt/latest.json',
      reject: 'rejects/inbox/a.txt//error.json',
      done: 'done/inbox/a.txt/v1',
      status: 'status/inbox/a.txt/.json',
      attempt: 'results/inbox/a.txt//x/',
    });
  });
});

describe('the version in manifests', () => {
  it('is that of package.json', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(VERSION).toBe(version);
  });
});
