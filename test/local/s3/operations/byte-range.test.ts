import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCopyRange, parseRange } from '../../../../lib/local/s3/operations/byte-range.ts';

const bound = fc.option(fc.nat(12), { nil: '' as const });

test('a range is what counting the bytes one by one gives', () => {
  fc.assert(
    fc.property(bound, bound, fc.nat(10), (first, last, total) => {
      const isNoRange = (first === '' && last === '') || (first !== '' && last !== '' && last < first);
      const isInside = (place: number) =>
        first === '' ? place >= total - Number(last) : place >= first && (last === '' || place <= last);
      const places = Array.from({ length: total }, (_, place) => place).filter(isInside);
      const parse = () => parseRange(`bytes=${first}-${last}`, total);
      if (isNoRange) expect(parse()).toBeUndefined();
      else if (places.length === 0) expect(parse).toThrow(expect.objectContaining({ code: 'InvalidRange' }));
      else expect(parse()).toEqual({ start: places[0], end: places[places.length - 1] + 1 });
    }),
  );
});

test.for([undefined, '', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=0-1,3-4', 'bytes 0-1', 'lines=0-1'])(
  'a header that is no single range, %s, is passed over',
  (header) => {
    expect(parseRange(header, 10)).toBeUndefined();
  },
);

test('a part copy takes a range that lies inside its source, to the last byte', () => {
  expect(parseCopyRange('bytes=0-9', 10)).toEqual({ start: 0, end: 10 });
  expect(parseCopyRange('bytes=9-9', 10)).toEqual({ start: 9, end: 10 });
});

test.for(['bytes=0-10', 'bytes=5-', 'bytes=-5', 'bytes=5-2', '0-9', 'bytes=0-1,3-4'])(
  'a part copy of %s of ten bytes is refused',
  (header) => {
    expect(() => parseCopyRange(header, 10)).toThrow(expect.objectContaining({ code: 'InvalidArgument' }));
  },
);
