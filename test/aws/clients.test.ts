/** Every AWS client is made with timeouts: without them the SDK waits forever. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const IMPORT = /import (?!type)\{([^}]*)\} from '@aws-sdk\/client-([^']+)'/g;

/** A class of a client that a source file imports, and the settings of each that it makes. */
interface ImportedClient {
  readonly file: string;
  readonly name: string;
  readonly settings: readonly string[];
}

function clientsIn(file: string): ImportedClient[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const names = [...text.matchAll(IMPORT)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim()),
  );
  return names
    .filter((name) => /^[A-Z]\w*$/.test(name) && !/Command$|^Execution/.test(name))
    .map((name) => {
      const made = [...text.matchAll(new RegExp(`new ${name}\\(([^;]*?)\\)[;,]`, 'gs'))];
      // A class that is passed to a function, which makes the client.
      const passed = text.includes(`this.#client(${name})`) ? [clientSettings(text)] : [];
      return { file, name, settings: [...made.map(([, settings = '']) => settings), ...passed] };
    });
}

/** The settings of clients which `#client` makes. */
function clientSettings(text: string): string {
  return /new create\(([^;]*)\);/.exec(text)?.[1] ?? '';
}

it('sets a request handler with timeouts for every client of the program', () => {
  const files = ['lib', 'functions'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const clients = files.filter((file) => file.endsWith('.ts')).flatMap(clientsIn);
  const packages = new Set(clients.map(({ name }) => name.replace(/Client$/, '')));
  const inUse = 'CloudFormation CloudWatch EventBridge IAM Lambda S3 SFN SNS SQS STS';
  expect([...packages].sort().join(' ')).toBe(inUse);
  const without = clients.filter(
    ({ settings }) => settings.length === 0 || settings.some((each) => !each.includes('requestHandler')),
  );
  expect(without.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});
