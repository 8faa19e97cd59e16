import { expect, test } from 'vitest';
import { brokenOutput, CommandError, failureText } from '../../lib/cli/exit.ts';

function systemError(code: string, path?: string): NodeJS.ErrnoException {
  const message = `${code}: message of Node`;
  return Object.assign(new Error(message), {
    code,
    syscall: 'open',
    ...(path === undefined ? {} : { path }),
  });
}

test.each([
  ['an error of the user keeps its message', new CommandError('no such file'), 'no such file'],
  ['a system error names the file', systemError('EACCES', 'out/a'), 'out/a: permission denied (open)'],
  ['a full disk is reported', systemError('ENOSPC', 'out/a'), 'out/a: no space left on the device (open)'],
  [
    'too many open files are reported',
    systemError('EMFILE', 'a.txt'),
    'a.txt: too many open files: raise the limit (ulimit -n) (open)',
  ],
  ['a rare system error keeps the message of Node', systemError('EXDEV', 'out/a'), 'EXDEV: message of Node'],
  [
    'a system error without a path has the same words',
    systemError('ENOSPC'),
    'no space left on the device (open)',
  ],
  [
    'a copy names the full disk, not the file that is copied',
    Object.assign(systemError('ENOSPC', 'from/a'), { dest: 'to/a' }),
    'to/a: no space left on the device (open)',
  ],
  [
    'a copy that cannot be read names its source',
    Object.assign(systemError('EACCES', 'from/a'), { dest: 'to/a' }),
    'from/a: permission denied (open)',
  ],
  ['a thrown text is reported as it is', 'thrown text', 'thrown text'],
])('%s', (_name, error, expected) => {
  expect(failureText(error)).toBe(expected);
});

test('a defect is reported with its stack', () => {
  expect(failureText(new TypeError('x is undefined'))).toMatch(/^TypeError: x is undefined\n {4}at /);
});

test.each([
  ['a closed pipe is no error', 'EPIPE', { status: 0 }],
  [
    'a full disk is reported and fails the command',
    'ENOSPC',
    { status: 2, message: 'standard output: no space left on the device (open)' },
  ],
])('when writing to standard output fails, %s', (_name, code, expected) => {
  expect(brokenOutput(systemError(code))).toEqual(expected);
});
