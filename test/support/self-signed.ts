/** A certificate for tests: Node can read certificates and makes none. */
import { generateKeyPairSync, sign } from 'node:crypto';

/** A new key and its certificate, which names neither subject nor issuer; Ed25519, as it is the shortest to write. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const algorithm = sequence(der(0x06, Buffer.from('2b6570', 'hex')));
  const anonymous = sequence();
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));
  const serial = der(0x02, Buffer.of(1));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const content = sequence(serial, algorithm, anonymous, validity, anonymous, spki);
  const signature = der(0x03, Buffer.of(0), sign(null, content, privateKey));
  const body = sequence(content, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
  };
}

function sequence(...content: readonly Buffer[]): Buffer {
  return der(0x30, ...content);
}

/** A tag, the length of the content (less than 64 KiB), and the content. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  const length = bytes.length < 128 ? [bytes.length] : [0x82, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.of(tag, ...length), bytes]);
}
