import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { CommandError } from '../../../lib/cli/exit.ts';
import { findInputFiles } from '../../../lib/cli/files/input-files.ts';
import { folderWith } from '../program.ts';

test('a file has a name without the folder, a size, and bytes that can be read repeatedly', async () => {
  const folder = folderWith({ 'sub/a b.txt': 'puzzle' });
  const path = join(folder, 'sub/a b.txt');
  const [file] = await findInputFiles([path]);
  expect(file).toMatchObject({ path, name: 'a b.txt', bytes: 6 });
  expect((await buffer(file!.open())).toString()).toBe('puzzle');
  expect((await buffer(file!.open())).toString()).toBe('puzzle');
});

test.each([
  ['no file', []],
  ['-', ['-']],
])('%s means standard input, whose size is unknown', async (_name, paths) => {
  const files = await findInputFiles(paths);
  expect(files).toMatchObject([{ path: '-', name: 'stdin', bytes: undefined }]);
});

test.each([
  ['a missing file', ['none.txt'], 'none.txt: no such file'],
  ['a file below a file', ['a.txt/b'], 'a.txt/b: no such file'],
  ['a folder', ['sub'], 'sub is a folder: expected a file'],
  ['standard input twice', ['-', '-'], '- is given twice: standard input can be read only once'],
])('%s is rejected', async (_name, names, expected) => {
  const folder = folderWith({ 'a.txt': '', 'sub/a.txt': '' });
  const paths = names.map((name) => (name === '-' ? name : join(folder, name)));
  const error = await findInputFiles(paths).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CommandError);
  expect((error as Error).message.replaceAll(`${folder}/`, '')).toContain(expected);
});
