import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCopyRange, parseRange } from '../../../../lib/local/s3/operations/byte-range.ts';

const bound = fc.option(fc.nat(12), { nil: '' as const });

test('a range matches a byte-by-byte check', () => {
  fc.assert(
    fc.property(bound, bound, fc.nat(10), (first, last, total) => {
      const isInvalid = (first === '' && last === '') || (first !== '' && last !== '' && last < first);
      const isInside = (offset: number) =>
        first === '' ? offset >= total - Number(last) : offset >= first && (last === '' || offset <= last);
      const offsets = Array.from({ length: total }, (_, offset) => offset).filter(isInside);
      const parse = () => parseRange(`bytes=${first}-${last}`, total);
      if (isInvalid) expect(parse()).toBeUndefined();
      else if (offsets.length === 0) expect(parse).toThrow(expect.objectContaining({ code: 'InvalidRange' }));
      else expect(parse()).toEqual({ start: offsets[0], end: offsets[offsets.length - 1] + 1 });
    }),
  );
});

test.for([undefined, '', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=0-1,3-4', 'bytes 0-1', 'lines=0-1'])(
  'a header that is not a single range, %s, is ignored',
  (header) => {
    expect(parseRange(header, 10)).toBeUndefined();
  },
);

test('a part copy accepts a range within its source, up to the last byte', () => {
  expect(parseCopyRange('bytes=0-9', 10)).toEqual({ start: 0, end: 10 });
  expect(parseCopyRange('bytes=9-9', 10)).toEqual({ start: 9, end: 10 });
});

test.for(['bytes=0-10', 'bytes=5-', 'bytes=-5', 'bytes=5-2', '0-9', 'bytes=0-1,3-4'])(
  'a part copy of %s of ten bytes is rejected',
  (header) => {
    expect(() => parseCopyRange(header, 10)).toThrow(expect.objectContaining({ code: 'InvalidArgument' }));
  },
);
