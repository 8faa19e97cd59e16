/** The XML document in a request's body. */

import { S3Error } from '../errors.ts';
import { parseXml, type XmlElement } from '../xml.ts';
import { type BodyChecks, type BodyReader, readBodyText } from './request-body.ts';

/** Fits 1,000 keys of maximum length with every byte as a character reference, and 10,000 parts. */
export const MAX_DOCUMENT_BYTES = 8 * 2 ** 20;

/** Reads a document with the given root element. @throws S3Error MalformedXML, and as the body does */
export async function readDocument(
  body: BodyReader,
  rootName: string,
  checks?: BodyChecks,
): Promise<XmlElement> {
  return parseDocument(await readBodyText(body, MAX_DOCUMENT_BYTES, checks), rootName);
}

/** Parses a document with the given root element. @throws S3Error MalformedXML */
export function parseDocument(document: string, rootName: string): XmlElement {
  let found: string;
  try {
    const root = parseXml(document);
    if (root.name === rootName) return root;
    found = `<${root.name}>`;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    found = error.message;
  }
  throw new S3Error(
    'MalformedXML',
    `The XML you provided was not well-formed: expected <${rootName}>, found ${found}`,
  );
}
