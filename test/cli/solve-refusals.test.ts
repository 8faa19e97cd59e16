import { afterAll, describe, expect, test } from 'vitest';
import { EASY, HARD } from '../support/puzzles.ts';
import { tarOf } from '../support/tar.ts';
import { zipOf } from '../support/zip.ts';
import { folderWith, runProgram } from './program.ts';

const folder = folderWith(
  {
    'good.txt': `${EASY}\n`,
    'hard.txt': `${HARD}\n`,
    'other/good.txt': `${EASY}\n`,
    'letter.txt': 'Dear Ms Knuth,\nthank you for the puzzles.\n',
    'archive.zip': zipOf({ name: 'a.txt', content: EASY }, { name: 'b.txt', content: EASY }),
    'archive.tar': tarOf('a.txt', EASY),
    'cut.gz': new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x33]),
  },
  afterAll,
);

describe('one line on standard error, nothing on standard output, and exit status 2', () => {
  test.each([
    [
      'a wrong option',
      ['solve', '--recods', 'good.txt'],
      "unknown option '--recods' (Did you mean --records?)",
    ],
    ['a wrong command', ['slove'], "unknown command 'slove'"],
    [
      'an unknown engine',
      ['solve', '--engine', 'quick', 'good.txt'],
      'option "--engine" is "quick": expected one of',
    ],
    ['a bad time budget', ['solve', '--max-ms', 'soon'], 'option "--max-ms" is "soon": expected a number of'],
    [
      'a bad ceiling',
      ['solve', '--max-output-mb', 'much', 'good.txt'],
      'option "--max-output-mb" is "much": expected a whole number from 1 up',
    ],
    [
      'a file above a ceiling',
      ['solve', '--max-job-nodes', '1', 'hard.txt'],
      'hard.txt: the puzzles take more than 1 search nodes in all, the limit for a file of 82 bytes',
    ],
    ['--count without an enumeration', ['solve', '--count', 'good.txt'], '--count needs --solutions above 2'],
    ['a missing file', ['solve', 'good.txt', 'none.txt'], 'none.txt: no such file'],
    ['a folder', ['solve', 'other'], 'other is a folder'],
    ['a file without puzzles', ['solve', 'letter.txt'], 'letter.txt:1: no puzzles found'],
    [
      'an archive of several files',
      ['solve', 'archive.zip'],
      'archive.zip: the file is a ZIP archive of several files (a.txt, b.txt, ...); expected plain text',
    ],
    [
      'a tar archive',
      ['check', 'archive.tar'],
      'archive.tar: the file is a tar archive; expected plain text',
    ],
    ['a truncated gzip file', ['solve', 'cut.gz'], 'cut.gz: the gzip data is damaged or cut off'],
    [
      'an output folder below a file',
      ['solve', '-o', 'good.txt/out', 'good.txt'],
      'good.txt/out/good.txt: part of this path is a file',
    ],
    [
      'an invalid port',
      ['local', '--port', '99999'],
      'option "--port" is "99999": expected a whole number from 0',
    ],
    [
      'a fractional shard size',
      ['local', '--shard-bytes', '0.5', 'good.txt'],
      'option "--shard-bytes" is "0.5": expected a whole number from 100 up',
    ],
    [
      'a shard size below that of a puzzle',
      ['local', '--shard-bytes', '99', 'good.txt'],
      'option "--shard-bytes" is "99": expected a whole number from 100 up',
    ],
    [
      'a time of large files that is none',
      ['local', '--large-seconds', '0', 'good.txt'],
      'option "--large-seconds" is "0": expected a number above 0',
    ],
  ])('report %s', async (_name, args, message) => {
    const { status, stdout, stderr } = await runProgram(folder, args);
    expect(stderr).toContain(`dlx-batch: ${message}`);
    expect([stderr.trimEnd().split('\n').length, stdout, status]).toEqual([1, '', 2]);
  });
});
