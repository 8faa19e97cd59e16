import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../../lib/node/create-folder.ts';
import { folderWith } from '../cli/program.ts';

test('a folder is created with its parents, or was there', () => {
  const folder = folderWith({ 'file.txt': '' }, onTestFinished);
  createFolder(join(folder, 'a/b/c'));
  createFolder(join(folder, 'a/b/c'));
  expect(readdirSync(join(folder, 'a/b'))).toEqual(['c']);
  symlinkSync('a', join(folder, 'link'));
  createFolder(join(folder, 'link/d'));
  expect(readdirSync(join(folder, 'a')).sort()).toEqual(['b', 'd']);
});

test.each([
  ['file.txt', 'EEXIST'],
  ['file.txt/a', 'ENOTDIR'],
  [`${'a'.repeat(300)}/b`, 'ENAMETOOLONG'],
])('%s cannot be created: %s', (path, code) => {
  const folder = folderWith({ 'file.txt': '' }, onTestFinished);
  expect(() => createFolder(join(folder, path))).toThrow(expect.objectContaining({ code }));
});
