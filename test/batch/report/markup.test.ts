import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from '../../../lib/batch/report/markup.ts';
import { codePoint } from '../../support/code-points.ts';
import { elementText, parsePage } from '../../support/html-tree.ts';

describe('a template', () => {
  const rows: readonly (readonly [name: string, found: string, expected: string])[] = [
    ['escapes text', html`<p>${'a < b & "c"'}</p>`.source, '<p>a &lt; b &amp; &quot;c&quot;</p>'],
    ['keeps markup', html`<p>${html`<b>${'<'}</b>`}</p>`.source, '<p><b>&lt;</b></p>'],
    ['joins lists', html`<p>${[1, 'x', html`<br>`, [2]]}</p>`.source, '<p>1x<br>2</p>'],
    ['leaves out undefined and false', html`<p>${undefined}${false}${''}</p>`.source, '<p></p>'],
    ['writes zero', html`<p>${0}</p>`.source, '<p>0</p>'],
    [
      'replaces controls',
      html`<p>${'a\u0000\u001b\ufffe\ud800b'}</p>`.source,
      '<p>a\ufffd\ufffd\ufffd\ufffdb</p>',
    ],
  ];
  it.each(rows)('%s', (_name, found, expected) => {
    expect(found).toBe(expected);
  });

  it('never interprets text as markup, in an element or in an attribute', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '</script>',
        '<script>',
        '"',
        "'",
        '<!--',
        ']]>',
        '&lt;',
        '&',
        ' onload=',
        '<svg/onload=x>',
      ),
      fc.string({ unit: codePoint }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
        (text) => {
          const page = parsePage(
            `<!doctype html>\n${html`<html><p title="${text}">${text}</p></html>`.source}`,
          );
          const [paragraph] = page.children;
          const plain = text.replace(/(?![\t\n])\p{Cc}|\p{Noncharacter_Code_Point}/gu, '\ufffd');
          expect(paragraph).toEqual({
            name: 'p',
            attributes: { title: plain },
            children: plain === '' ? [] : [plain],
          });
          expect(elementText(page)).toBe(plain);
        },
      ),
    );
  });
});
