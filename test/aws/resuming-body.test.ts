import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resumingBody } from '../../lib/aws/resuming-body.ts';
import { bytesOf } from '../support/collected.ts';

const BYTES = Uint8Array.from({ length: 1_000 }, (_, k) => k % 251);

/** The bytes from `from` on, in arrays of `step` bytes; throws after at most `good` bytes. */
async function* body(from: number, step: number, good = Number.POSITIVE_INFINITY): AsyncIterable<Uint8Array> {
  for (let at = from, given = 0; at < BYTES.length; at += step) {
    const piece = BYTES.slice(at, at + step);
    if (given + piece.length > good) throw new Error(`reset at ${at}`);
    given += piece.length;
    yield piece;
  }
}

const all = async (stream: AsyncIterable<Uint8Array>) => Uint8Array.from(await bytesOf(stream));

describe('a body over a connection that breaks', () => {
  it('is complete, wherever and however often the connection breaks after some bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.integer({ min: 1, max: 1_000 }), { maxLength: 8 }),
        async (step, breaks) => {
          const requested: number[] = [];
          const goods = breaks.map((good) => Math.max(good, step));
          const next = (from: number) => body(from, step, goods.shift());
          const read = await all(
            resumingBody(next(0), BYTES.length, async (from) => {
              requested.push(from);
              return next(from);
            }),
          );
          expect(read).toEqual(BYTES);
          expect(requested).toEqual([...requested].sort((a, b) => a - b));
        },
      ),
    );
  });

  it('is complete if the connection ends early without an error', async () => {
    async function* short(): AsyncIterable<Uint8Array> {
      yield BYTES.slice(0, 400);
    }
    expect(await all(resumingBody(short(), BYTES.length, async (from) => body(from, 100)))).toEqual(BYTES);
  });

  it('throws the last error if it breaks repeatedly at the same byte', async () => {
    let opened = 0;
    const stream = resumingBody(body(0, 100, 300), BYTES.length, async (from) => {
      opened++;
      return body(from, 100, 0);
    });
    await expect(all(stream)).rejects.toThrow('reset at 300');
    expect(opened).toBe(3);
  });

  it('throws if the object is too short', async () => {
    const stream = resumingBody(body(0, 100), BYTES.length + 1, async (from) => body(from, 100));
    await expect(all(stream)).rejects.toThrow('the body ended after 1000 of 1001 bytes');
  });

  it('is complete if the connection breaks after the last byte', async () => {
    async function* closed(): AsyncIterable<Uint8Array> {
      yield BYTES;
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    }
    const stream = resumingBody(closed(), BYTES.length, () => Promise.reject(new Error('opened again')));
    expect(await all(stream)).toEqual(BYTES);
  });

  it('is closed if its reader stops early', async () => {
    let closed = false;
    async function* open(): AsyncIterable<Uint8Array> {
      try {
        yield* body(0, 100);
      } finally {
        closed = true;
      }
    }
    for await (const _ of resumingBody(open(), BYTES.length, async (from) => body(from, 100))) break;
    expect(closed).toBe(true);
  });

  it('is not reopened after an error of its reader', async () => {
    let opened = 0;
    const stream = resumingBody(body(0, 100), BYTES.length, async (from) => {
      opened++;
      return body(from, 100);
    });
    const reading = async () => {
      for await (const _ of stream) throw new Error('reader');
    };
    await expect(reading()).rejects.toThrow('reader');
    expect(opened).toBe(0);
  });
});
