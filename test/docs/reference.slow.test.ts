/** The generated parts of the documents, and the JSON Schemas, are what the program gives now; `npm run reference` writes them. */
import { describe, expect, it } from 'vitest';
import { generatedPage, generatedPages } from './pages.ts';
import { documentSchemas, fieldsOf } from './schemas.ts';

describe('the pages', () => {
  it.each(generatedPages())('%s', async (page) => {
    await expect(await generatedPage(page)).toMatchFileSnapshot(`../../docs/${page}`);
  });

  it('have generated parts', () => {
    expect(generatedPages()).toEqual(
      expect.arrayContaining(['reference/commands.md', 'reference/formats.md', 'reference/results.md']),
    );
  });
});

const schemas = documentSchemas();

describe.each(Object.entries(schemas))('the schema of %s', (name, schema) => {
  it('is in the package', async () => {
    await expect(`${JSON.stringify(schema, undefined, 2)}\n`).toMatchFileSnapshot(
      `../../schemas/${name}.json`,
    );
  });

  it('says of every field what it means', () => {
    expect(fieldsOf(schema).filter(({ meaning }) => meaning === '')).toEqual([]);
  });
});
