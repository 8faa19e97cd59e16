/** The requests that resume a body, from a server that breaks its connections. */
import { describe, expect, it } from 'vitest';
import { bytesOf } from '../support/collected.ts';
import { type Answer, objectAnswer, scriptedServer } from '../support/scripted-server.ts';
import { storeAt } from './client-at.ts';

const OBJECT = Uint8Array.from({ length: 200_000 }, (_, k) => (k * 7 + (k >> 8)) & 255);

const cut = (sent: number) => objectAnswer(OBJECT, sent, (response) => response.destroy());

/** Responds like S3 to a role without s3:GetObjectVersion. */
const withoutGetObjectVersion =
  (answer: Answer): Answer =>
  (response, request) =>
    request.url!.includes('versionId') ? response.writeHead(403).end() : answer(response, request);

describe('a body whose connection breaks', () => {
  it('of the newest version is resumed under its ETag, which needs only s3:GetObject', async () => {
    const server = await scriptedServer(
      ...[cut(70_000), cut(50_000), objectAnswer(OBJECT)].map(withoutGetObjectVersion),
    );
    const bytes = await bytesOf((await storeAt(server.endpoint).get('results', 'a b'))!.body);
    expect(bytes.equals(OBJECT)).toBe(true);
    expect(server.requests).toMatchObject([
      { line: 'GET /results/a%20b?x-id=GetObject' },
      {
        line: 'GET /results/a%20b?x-id=GetObject',
        headers: { 'if-match': '"an-etag"', range: 'bytes=70000-199999' },
      },
      {
        line: 'GET /results/a%20b?x-id=GetObject',
        headers: { 'if-match': '"an-etag"', range: 'bytes=120000-199999' },
      },
    ]);
  });

  it('of a version is resumed in that version', async () => {
    const server = await scriptedServer(cut(70_000), objectAnswer(OBJECT));
    const bytes = await bytesOf((await storeAt(server.endpoint).get('puzzles', 'a', 'old-version'))!.body);
    expect(bytes.equals(OBJECT)).toBe(true);
    expect(server.requests).toMatchObject([
      { line: 'GET /puzzles/a?versionId=old-version&x-id=GetObject' },
      {
        line: 'GET /puzzles/a?versionId=old-version&x-id=GetObject',
        headers: { range: 'bytes=70000-199999' },
      },
    ]);
  });

  it.each([
    { what: 'the newest version', versionId: undefined, query: '?x-id=GetObject' },
    { what: 'a version', versionId: 'old', query: '?versionId=old&x-id=GetObject' },
  ])('of a range of $what is resumed within the range', async ({ versionId, query }) => {
    const server = await scriptedServer(cut(30_000), objectAnswer(OBJECT));
    const body = (await storeAt(server.endpoint).range('results', 'a', versionId, 1_000, 90_000))!;
    expect((await bytesOf(body)).equals(OBJECT.subarray(1_000, 90_000))).toBe(true);
    expect(server.requests.map(({ line }) => line)).toEqual(Array(2).fill(`GET /results/a${query}`));
    expect(server.requests[1]!.headers.range).toBe('bytes=31000-89999');
  });

  it.each([5, OBJECT.length])(
    'throws if %d bytes do not match their checksum, and is not resumed',
    async (size) => {
      const bytes = OBJECT.subarray(0, size);
      const server = await scriptedServer((response, request) => {
        response.setHeader('x-amz-checksum-crc32', 'AAAAAA==');
        objectAnswer(bytes)(response, request);
      });
      const object = await storeAt(server.endpoint).get('results', 'a');
      await expect(bytesOf(object!.body)).rejects.toThrow('Checksum mismatch');
      expect(server.requests).toHaveLength(1);
    },
  );

  it('throws an error with the missing permission if access is denied on resume', async () => {
    const server = await scriptedServer(cut(70_000), (response) => response.writeHead(403).end());
    const object = await storeAt(server.endpoint).get('results', 'a');
    await expect(bytesOf(object!.body)).rejects.toThrow('access denied while reading s3://results/a');
  });
});
