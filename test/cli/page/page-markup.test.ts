import { describe, expect, test } from 'vitest';
import { OPTION_NAMES, parseOptions } from '../../../lib/batch/options.ts';
import { pageMarkup } from '../../../lib/cli/page/page-markup.ts';
import { elementsOf, elementText, named, parsePage } from '../../support/html-tree.ts';

const page = parsePage(pageMarkup());

describe('the page', () => {
  test('has a field for each option of an upload, and no other', () => {
    const fields = [...named(page, 'input'), ...named(page, 'select')].flatMap(
      ({ attributes }) => attributes.name ?? [],
    );
    expect(fields.sort()).toEqual([...OPTION_NAMES].sort());
  });

  test('offers only valid values', () => {
    for (const select of named(page, 'select')) {
      for (const { attributes } of named(select, 'option')) {
        const texts = attributes.value === '' ? {} : { [select.attributes.name]: attributes.value };
        expect(parseOptions(texts)).toHaveProperty('options');
      }
    }
  });

  test('has a label for each field', () => {
    const labelled = named(page, 'label').map(({ attributes }) => attributes.for);
    const unnamed = elementsOf(page).filter(
      ({ name, attributes }) =>
        ['input', 'select', 'textarea'].includes(name) &&
        attributes['aria-label'] === undefined &&
        !labelled.includes(attributes.id),
    );
    expect(unnamed).toEqual([]);
  });

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
