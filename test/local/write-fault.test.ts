import { afterEach, expect, test, vi } from 'vitest';
import { writeFault } from '../../lib/local/write-fault.ts';

afterEach(() => vi.restoreAllMocks());

function written(error: unknown): string {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  writeFault('S3', error);
  return String(write.mock.calls[0]![0]);
}

test('a full disk is one line, however many calls led to it', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
  expect(written(full)).toBe('local S3: ENOSPC: no space left on device, write\n');
});

test('a defect has its stack, and no control characters', () => {
  expect(written(new TypeError('\u001b[2J'))).toMatch(/^local S3: TypeError: \\u001b\[2J\n {4}at /);
});
