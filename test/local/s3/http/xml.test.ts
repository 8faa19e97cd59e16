import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { element, errorDocument, parseXml, responseDocument } from '../../../../lib/local/s3/http/xml.ts';
import { codePoint } from '../../../support/code-points.ts';

describe('written XML', () => {
  test('round-trips any text', () => {
    const character = fc.oneof(codePoint, fc.constantFrom('<', '>', '&', ';', '"', ']', '\r', '\u0001'));
    const text = fc.string({ unit: character, maxLength: 40 });
    fc.assert(
      fc.property(text, (value) => {
        const root = parseXml(responseDocument('Root', [element('Key', value)]));
        expect(root.children[0].text).toBe(value);
      }),
    );
  });

  test('has markup and control characters escaped', () => {
    expect(element('Key', `<a & "b">\r\u0001`).markup).toBe(
      '<Key>&lt;a &amp; &quot;b&quot;&gt;&#xd;&#x1;</Key>',
    );
  });

  test('has the namespace of S3 in a response, and none in an error', () => {
    expect(responseDocument('Root', 'text')).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<Root xmlns="http://s3.amazonaws.com/doc/2006-03-01/">text</Root>',
    );
    expect(errorDocument([element('Code', 'NoSuchKey')])).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code></Error>',
    );
  });

  test('omits undefined elements', () => {
    expect(element('A', [element('B', 1), undefined, element('C', true)]).markup).toBe(
      '<A><B>1</B><C>true</C></A>',
    );
  });
});

const READ: [row: string, document: string, text: string][] = [
  ['text', '<A>text</A>', 'text'],
  ['no text', '<A></A>', ''],
  ['a self-closing element', '<A/>', ''],
  [
    'a declaration and a comment before the root',
    '<?xml version="1.0"?>\n<!-- note -->\n<A>text</A>\n',
    'text',
  ],
  ['a byte order mark', '\uFEFF<A>text</A>', 'text'],
  ['attributes', `<A xmlns="http://s3.amazonaws.com/doc/2006-03-01/" b='c'>text</A>`, 'text'],
  ['a prefix', '<s3:A xmlns:s3="x">text</s3:A>', 'text'],
  ['named entities', '<A>&lt;&gt;&amp;&quot;&apos;</A>', `<>&"'`],
  ['numbered references', '<A>&#65;&#x1F9E9;</A>', 'A\u{1F9E9}'],
  ['CDATA', '<A>a<![CDATA[<b> & ]]>c</A>', 'a<b> & c'],
  ['a comment in the text', '<A>a<!-- < -->b</A>', 'ab'],
];

const REJECTED: [row: string, document: string, message: string][] = [
  ['nothing', '', 'expected exactly one root element'],
  [
    'the name of a property of every object',
    '<A>&constructor;</A>',
    'unknown reference &constructor; in the text at character 3',
  ],
  ['half a character', '<A>&#xD83E;</A>', 'a reference to half a character in the text at character 3'],
  ['two roots', '<A/><B/>', 'expected exactly one root element'],
  ['text outside the root', 'text<A/>', 'expected exactly one root element'],
  ['an element that is not closed', '<A><B></B>', '<A> is not closed'],
  ['an end tag of another element', '<A><B></A></B>', '</A> at character 6 does not match an open element'],
  ['a tag that does not end', '<A', 'unexpected markup at character 0'],
  ['an unknown entity', '<A>&nbsp;</A>', 'unknown reference &nbsp; in the text at character 3'],
  ['a bare ampersand', '<A>a & b</A>', 'unknown reference & in the text at character 3'],
  ['a document type', '<!DOCTYPE A [<!ENTITY a "b">]><A>&a;</A>', 'unexpected markup at character 0'],
  ['endless nesting', '<A>'.repeat(100_000), 'elements nested deeper than 16'],
];

describe('the parser', () => {
  test.for(READ)('reads a document with %s', ([, document, text]) => {
    expect(parseXml(document)).toMatchObject({ name: 'A', text });
  });

  test('reads nested elements', () => {
    const root = parseXml('<Delete><Object><Key>a</Key></Object> <Object><Key>b</Key></Object></Delete>');
    expect(root.children.map((object) => object.children[0].text)).toEqual(['a', 'b']);
  });

  test.for(REJECTED)('rejects a document with %s', ([, document, message]) => {
    expect(() => parseXml(document)).toThrow(new SyntaxError(message));
  });
});
