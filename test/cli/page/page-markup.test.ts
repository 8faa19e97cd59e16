import { describe, expect, test } from 'vitest';
import { pageMarkup } from '../../../lib/cli/page/page-markup.ts';
import { elementsOf, elementText, named, parsePage } from '../../support/html-tree.ts';

const page = parsePage(pageMarkup());

describe('the page', () => {
  test('has no inline script and no inline style, which its policy forbids', () => {
    expect(named(page, 'script').map((script) => elementText(script))).toEqual(['']);
    expect(named(page, 'style')).toEqual([]);
    const inline = elementsOf(page).flatMap(({ attributes }) =>
      Object.keys(attributes).filter((name) => name === 'style' || name.startsWith('on')),
    );
    expect(inline).toEqual([]);
  });

  test('has unique ids', () => {
    const ids = elementsOf(page).flatMap(({ attributes }) => attributes.id ?? []);
    expect(ids).toEqual([...new Set(ids)]);
  });
});
