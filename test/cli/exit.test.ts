import { expect, test } from 'vitest';
import { brokenOutput, CommandError, failureText } from '../../lib/cli/exit.ts';

function refused(code: string, path?: string): NodeJS.ErrnoException {
  const message = `${code}: as Node says it`;
  return Object.assign(new Error(message), {
    code,
    syscall: 'open',
    ...(path === undefined ? {} : { path }),
  });
}

test.each([
  ['what the user did wrong is told as it is', new CommandError('no such file'), 'no such file'],
  ['a refused file is named', refused('EACCES', 'out/a'), 'out/a: permission denied (open)'],
  ['a full disk is told', refused('ENOSPC', 'out/a'), 'out/a: no space is left on the device (open)'],
  ['a rare refusal is told in words of Node', refused('EMFILE', 'out/a'), 'EMFILE: as Node says it'],
  ['trouble without a path is told in words of Node', refused('EACCES'), 'EACCES: as Node says it'],
  ['what is no error is told as text', 'thrown text', 'thrown text'],
])('%s', (_name, error, expected) => {
  expect(failureText(error)).toBe(expected);
});

test('a defect of ours is told with its stack', () => {
  expect(failureText(new TypeError('x is undefined'))).toMatch(/^TypeError: x is undefined\n {4}at /);
});

test.each([
  ['a reader that has seen enough is no error', 'EPIPE', { status: 0 }],
  [
    'a full disk is told, and fails the command',
    'ENOSPC',
    { status: 2, message: 'standard output: no space is left on the device (open)' },
  ],
])('when standard output breaks, %s', (_name, code, expected) => {
  expect(brokenOutput(refused(code))).toEqual(expected);
});
