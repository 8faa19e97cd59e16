/**
 * Names that JavaScript objects inherit, wherever the program reads names: as options, metadata, members, columns, fields,
 * parameters. Each is an unknown name like any other: an error that names it, or a label that is kept.
 */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import LZString from 'lz-string';
import { afterEach, describe, expect, test } from 'vitest';
import { exactCover } from '../lib/api/exact-cover.ts';
import { generate, solve } from '../lib/api/index.ts';
import { parseSchedule } from '../lib/batch/bulk-run/schedule-expression.ts';
import { OPTION_NAMES, type OptionTexts, parseOptions } from '../lib/batch/options.ts';
import { takeUpload } from '../lib/cli/page/take-upload.ts';
import type { Buckets } from '../lib/cli/remote/connection.ts';
import { parseXml } from '../lib/local/s3/xml.ts';
import { loadDefinition } from '../lib/local/states/definition.ts';
import { readPath, writePath } from '../lib/local/states/paths.ts';
import { folderWith, runProgram } from './cli/program.ts';
import { CLASSIC, readText, rewrite } from './formats/reading.ts';
import { sendRaw } from './local/s3/raw-request.ts';
import { startTestServer } from './local/s3/test-server.ts';
import { BUCKET } from './local/s3/test-server-names.ts';
import { scripted } from './local/states/scripted-run.ts';
import { RESULTS_BUCKET } from './support/dependencies.ts';
import { MemoryBuckets } from './support/memory-store.ts';
import { deliver, upload } from './support/uploads.ts';

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  '__defineGetter__',
  '__lookupSetter__',
];
const each = test.for(NAMES);

/** An object with a member of its own, also for `__proto__`. */
const withMember = <Value>(name: string, value: Value, rest: object = {}) =>
  Object.fromEntries([...Object.entries(rest), [name, value]]) as Record<string, Value>;

const inherited = Object.getOwnPropertyNames(Object.prototype);
afterEach(() => expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited));

describe('as an option of a job', () => {
  each('%s is unknown', (name) => {
    const unknown = { errors: [{ code: 'bad_option', option: name, found: 'x' }] };
    expect(parseOptions(withMember(name, 'x'))).toMatchObject(unknown);
    expect(parseOptions({}, withMember(name, 'x'))).toMatchObject(unknown);
    expect(parseOptions(withMember(name, 'x', { engine: 'dlx' }))).toMatchObject(unknown);
  });

  each('%s is no value', (name) => {
    // Seven different letters may be the symbols of digits.
    for (const option of OPTION_NAMES.filter((each) => each !== 'alphabet' || name !== 'valueOf')) {
      const texts: OptionTexts = { [option]: name };
      expect(parseOptions(texts), option).toMatchObject({ errors: [{ option, found: name }] });
    }
  });

  each('in the metadata of an upload, %s rejects it', async (name) => {
    const buckets = new MemoryBuckets();
    const outcome = await deliver(buckets, upload(buckets, 'inbox/a.txt', CLASSIC, withMember(name, 'x')));
    expect(outcome).toMatchObject({ kind: 'rejected' });
    const [reject] = buckets.keys(RESULTS_BUCKET, 'rejects/');
    expect(buckets.text(RESULTS_BUCKET, reject!)).toContain(`option \\"${name}\\" is unknown`);
  });

  each('on the page, %s is unknown', async (name) => {
    const query = new URLSearchParams([
      ['name', 'a.txt'],
      [name, 'x'],
    ]);
    // Refused before the buckets are used.
    const answer = await takeUpload({} as Buckets, query, Readable.from([CLASSIC]), 81);
    expect(answer).toMatchObject({ kind: 'refused', options: [name] });
  });
});

describe('on the command line', () => {
  each('%s is no option, no command and no value', async (name) => {
    const folder = folderWith({ 'a.txt': `${CLASSIC}\n` });
    for (const args of [
      ['solve', `--${name}`, 'a.txt'],
      ['solve', `--${name}=x`, 'a.txt'],
      [name],
      ['completion', name],
      ['solve', '--engine', name, 'a.txt'],
      ['solve', '--variant', name, 'a.txt'],
      ['generate', '--variant', name],
      ['generate', '--symmetry', name],
    ]) {
      const { status, stderr } = await runProgram(folder, args);
      expect({ args, status, lines: stderr.split('\n').length }).toEqual({ args, status: 2, lines: 2 });
      expect(stderr).toContain(name);
    }
  });

  each('%s is an ordinary name of a file and a folder', async (name) => {
    const folder = folderWith({ [name]: `${CLASSIC}\n` });
    const { status } = await runProgram(folder, ['solve', '-o', 'out', name]);
    expect(status).toBe(0);
    expect(readFileSync(`${folder}/out/${name}/solutions.txt`, 'utf8')).toHaveLength(82);
  });
});

describe('in a file', () => {
  const rows = CLASSIC.match(/.{9}/g)!;
  const cells = JSON.stringify(
    rows.map((row) => [...row].map((digit) => (digit === '.' ? {} : { value: Number(digit) }))),
  );
  const values = ['"x"', '{"puzzle":"x"}', '[[1]]'];
  const scl = `ce:[${rows.map((row) => `[${[...row].map((digit) => (digit === '.' ? '' : `{v:${digit}}`)).join()}]`).join()}]`;
  /** Files with a name in every place for one. */
  const files = (name: string): string[] => [
    ...values.flatMap((value) => [
      `{"${name}":${value},"puzzle":"${CLASSIC}"}`,
      `[{"puzzle":"${CLASSIC}","${name}":${value}}]`,
      `{"puzzles":["${CLASSIC}"],"${name}":${value}}`,
      `{"size":9,"grid":${cells},"${name}":${value}}`,
    ]),
    ...['variant', 'rules', 'type', 'regions', 'constraints', 'id'].flatMap((member) => [
      `{"puzzle":"${CLASSIC}","${member}":"${name}"}`,
      `${member},puzzle\n${name},${CLASSIC}\n`,
    ]),
    `{"puzzle":"${CLASSIC}","variant":"x","rules":{"${name}":true}}`,
    `${name},puzzle\n${name},${CLASSIC}\n`,
    `${CLASSIC} ${name}\n${CLASSIC} ${name}\n`,
    `${name}: x\n${CLASSIC}\n`,
    `[${name}]\n${rows.join('\n')}\n`,
    `scl${LZString.compressToBase64(`{${name}:'x',${scl}}`)}\n`,
    `scl${LZString.compressToBase64(`{settings:{${name}:t},${scl}}`)}\n`,
    `<opensudoku><name>${name}</name><game data="${CLASSIC.replaceAll('.', '0')}" ${name}="1"/></opensudoku>`,
    `<opensudoku><${name}>x</${name}><game data="${CLASSIC.replaceAll('.', '0')}"/></opensudoku>`,
  ];
  const decoder = new TextDecoder();
  /** What the readers find in a file, and its solutions. */
  const findings = (text: string) => {
    const { detection, records } = readText(text);
    const found = [detection, records, detection.kind === 'puzzles' ? rewrite(text, 'same') : ''];
    return JSON.stringify(found, (_, value) => (value instanceof Uint8Array ? decoder.decode(value) : value));
  };

  // Makers of puzzles call themselves constructors: that label is known.
  test.for(['__proto__', 'toString'])('%s is read like any other name', (name) => {
    const other = name.replaceAll(/[tl]/g, 'k');
    const others = files(other);
    for (const [k, text] of files(name).entries()) {
      expect(findings(text), text).toBe(findings(others[k]!).replaceAll(other, name));
    }
  });

  each('%s is a label that is kept', (name) => {
    const text = `{"puzzle":"${CLASSIC}","${name}":"x"}`;
    expect(readText(text).records).toMatchObject([{ grid: CLASSIC }]);
    expect(rewrite(text, 'same')).toContain(`"${name}":"x"`);
  });

  each('%s is an ordinary item of an exact-cover file', async (name) => {
    const folder = folderWith({ 'a.dlx': `${name} b | c\n${name} c:${name}\nb c:${name}\n` });
    const { status, stdout } = await runProgram(folder, ['solve', 'a.dlx']);
    expect({ status, lines: stdout.match(new RegExp(name, 'g'))?.length }).toEqual({ status: 0, lines: 3 });
  });
});

describe('in the library', () => {
  each('%s is an unknown option', (name) => {
    const options = withMember(name, 1);
    const error = expect.objectContaining({ code: 'bad_option', message: expect.stringContaining(name) });
    expect(() => solve(CLASSIC, options)).toThrow(error);
    expect(() => generate(options)).toThrow(error);
    expect(() => solve(CLASSIC, { engine: name as never })).toThrow(error);
    expect(() => solve(CLASSIC, { variant: name as never })).toThrow(error);
    expect(() => generate({ variant: name as never })).toThrow(error);
  });

  each('%s is an ordinary item and colour', (name) => {
    const cover = exactCover({
      primary: [name, 'b'],
      secondary: ['c'],
      options: [
        [name, { item: 'c', colour: name }],
        ['b', { item: 'c', colour: name }],
      ],
    });
    expect(cover.count()).toBe(1);
    expect(cover.findOne()).toHaveLength(2);
  });
});

describe('in a state machine', () => {
  const PASS = { Type: 'Pass', End: true };

  each('%s is no field and no state that was not defined', async (name) => {
    const state = JSON.stringify(PASS);
    const missing = scripted({ A: { Type: 'Pass', Next: name } });
    await expect(missing.run({})).rejects.toMatchObject({ errorName: 'States.Runtime' });
    expect(() =>
      loadDefinition(`{"StartAt":"A","States":${JSON.stringify({ A: withMember(name, 'x', PASS) })}}`),
    ).toThrow(name);
    expect(() => loadDefinition(`{"StartAt":"A","${name}":"x","States":{"A":${state}}}`)).toThrow(name);
  });

  each('%s is an ordinary state, or an error that names it', async (name) => {
    const states = withMember(name, PASS, { A: { Type: 'Pass', Next: name } });
    const output = await Promise.resolve()
      .then(() => scripted(states).run({ a: 1 }))
      .catch(String);
    if (typeof output === 'string') expect(output).toContain(name);
    else expect(output).toEqual({ a: 1 });
  });

  each('%s is an ordinary name in data', (name) => {
    const scope = { data: { a: {} }, context: {} };
    expect(readPath(`$.${name}`, scope)).toBeUndefined();
    const written = writePath(`$.${name}.b`, { a: 1 }, 2);
    expect(Object.entries(written as object)).toEqual([
      ['a', 1],
      [name, { b: 2 }],
    ]);
    expect(readPath(`$.${name}.b`, { data: written, context: {} })).toBe(2);
  });
});

describe('in the local stack', () => {
  each('%s is an ordinary key, and metadata that is kept', async (name) => {
    const server = await startTestServer();
    const { client } = server;
    const target = { Bucket: BUCKET, Key: name };
    await client.send(new PutObjectCommand({ ...target, Body: name, Metadata: { [`dlx-${name}`]: 'x' } }));
    await server.restart();
    const { Body } = await client.send(new GetObjectCommand(target));
    expect(await Body!.transformToString()).toBe(name);
    const { Metadata } = await client.send(new HeadObjectCommand(target));
    expect(Metadata).toEqual({ [`dlx-${name}`.toLowerCase()]: 'x' });
    const raw = await sendRaw(server, {
      method: 'PUT',
      path: `/${BUCKET}/b`,
      headers: { [`x-amz-meta-${name.toLowerCase()}`]: 'x' },
    });
    expect(raw.status).toBe(200);
    const { headers } = await sendRaw(server, { method: 'HEAD', path: `/${BUCKET}/b` });
    expect(headers[`x-amz-meta-${name.toLowerCase()}`]).toBe('x');
    expect(server.faults).toEqual([]);
  });

  each('%s is no parameter, no bucket and no operation', async (name) => {
    const server = await startTestServer();
    for (const [path, status] of [
      [`/${BUCKET}?${name}=1`, 501],
      [`/${BUCKET}/a?${name}`, 501],
      [`/${name}/a`, 404],
    ] as const) {
      expect(await sendRaw(server, { method: 'GET', path })).toMatchObject({ status });
    }
    expect(server.faults).toEqual([]);
  });

  each('&%s; is no XML entity, and <%s> an ordinary element', (name) => {
    expect(() => parseXml(`<a>&${name};</a>`)).toThrow('unknown reference');
    expect(parseXml(`<a><${name}>x</${name}></a>`).children).toMatchObject([{ name, text: 'x' }]);
  });
});

test.for(NAMES)('in a schedule, %s is no unit', (name) => {
  expect(() => parseSchedule(`rate(1 ${name})`)).toThrow('expected');
  expect(() => parseSchedule(`${name}(1 minute)`)).toThrow('expected');
});
