/** The options of a job, from a command line and from the metadata of an upload. */

import { OPTION_METADATA_PREFIX } from '../../../lib/batch/names.ts';
import {
  canonicalOptions,
  OPTION_NAMES,
  optionsFromCanonical,
  parseOptions,
} from '../../../lib/batch/options.ts';
import { identifyUpload } from '../../../lib/batch/upload/identify-upload.ts';
import { systemHashing } from '../../../lib/node/system.ts';
import { check, checkSame, type Target } from '../target.ts';

/** Options as in metadata: a name, an equals sign and a value on each line. */
export const options: Target = {
  name: 'options',
  seeds: () => [
    'engine=backtrack\nsolutions=all\nrecords=true',
    'format=json\nalphabet=ABCDEFGHIJKLMNOP\nmax-nodes=1000',
    'variant=jigsaw\nbox=2x3\noutput=csv\nstrict=false',
    'alphabet=0-9A\n__proto__=x\nengine=none',
    'box=0x9\nsolutions=0\nmax-nodes=1e9',
  ],
  tokens: [
    ...OPTION_NAMES,
    '__proto__',
    'constructor',
    'toString',
    '=',
    '\n',
    'all',
    'true',
    '1-16',
    '0-9A-F',
    'A-Z',
    '3x3',
    '99999999999999',
  ],
  maxBytes: 300,
  maxWork: { base: 50_000, perByte: 1_000 },
  run(input) {
    const pairs = input
      .toString()
      .split('\n')
      .map((line) => {
        const at = line.indexOf('=');
        return at < 0 ? ([line, ''] as const) : ([line.slice(0, at), line.slice(at + 1)] as const);
      });
    const texts = Object.fromEntries(pairs);
    const parsed = parseOptions(texts);
    if ('options' in parsed) {
      check(
        Object.keys(texts).every((name) => OPTION_NAMES.includes(name)),
        'an unknown option is an error',
        () => texts,
      );
      const canonical = canonicalOptions(parsed.options);
      checkSame(
        optionsFromCanonical(canonical),
        parsed.options,
        'canonical options are read as the same options',
      );
      check(
        canonicalOptions(optionsFromCanonical(canonical)) === canonical,
        'the canonical text is canonical',
      );
    } else {
      check(parsed.errors.length > 0, 'invalid options have an error');
      for (const { option, message } of parsed.errors) {
        check(Object.hasOwn(texts, option), 'an error names an option', () => [option, texts]);
        check(message.includes(`"${option}"`), 'the message names the option');
      }
    }
    // The same options as metadata of an upload.
    const metadata = Object.fromEntries(
      pairs.map(([name, value]) => [`${OPTION_METADATA_PREFIX}${name}`, value]),
    );
    checkMetadata(metadata, 'options' in parsed);
  },
};

function checkMetadata(metadata: Readonly<Record<string, string>>, isValid: boolean): void {
  const upload = { bucket: 'in', key: 'inbox/a', versionId: 'v' };
  const info = { size: 1, etag: 'e', versionId: 'v', metadata };
  const identified = identifyUpload(upload, info, { hashing: systemHashing, defaults: {} });
  check((identified.error === undefined) === isValid, 'metadata is read as options are', () => [
    metadata,
    identified.error,
  ]);
}
