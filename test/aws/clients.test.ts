/** Every AWS client is made with timeouts: without them the SDK waits forever. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const IMPORT = /import (?!type)\{([^}]*)\} from '@aws-sdk\/client-[^']+'/g;
const NEW = /new (\w+)\(([^;]*?)\);?\n/gs;

/** Each client that a source file makes from a class of an SDK package, with its settings. */
function clientsIn(file: string): [file: string, name: string, settings: string][] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const names = [...text.matchAll(IMPORT)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
  return [...text.matchAll(NEW)].flatMap(([, name = '', settings = '']) =>
    names.includes(name) && !name.endsWith('Command') ? [[file, name, settings]] : [],
  );
}

it('sets a request handler with timeouts for every client of the program', () => {
  const files = ['lib', 'functions'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const clients = files.filter((file) => file.endsWith('.ts')).flatMap(clientsIn);
  const kinds = new Set(clients.map(([, name]) => name));
  expect([...kinds].sort()).toEqual(
    expect.arrayContaining(['CloudWatchLogsClient', 'EventBridgeClient', 'S3']),
  );
  const without = clients.filter(([, , settings]) => !settings.includes('requestHandler'));
  expect(without.map(([file, name]) => `${file}: ${name}`)).toEqual([]);
});
