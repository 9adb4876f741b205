import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { test } from '../../testing/test.ts';
import { isAmong, isNotAmong } from './among.ts';

const oddTexts = ['', 'plain', '"quoted"', 'back\\slash', '{braces, and commas}', 'null', "it's", 'É 🎉'];
/** More than a statement takes parameters. */
const manyTexts = Array.from({ length: 70_000 }, (_, index) => `text ${index}`);

test('a column is compared with any number of texts of any kind', async ({ database }) => {
  const count = async (condition: ReturnType<typeof isAmong>) => {
    const rows = await database.execute(
      sql`select from json_array_elements_text(${JSON.stringify(oddTexts)}::json) as own(text) where ${condition}`,
    );
    return rows.length;
  };
  const column = sql`own.text`;
  for (const text of oddTexts) {
    expect([text, await count(isAmong(column, [text]))]).toEqual([text, 1]);
    expect([text, await count(isNotAmong(column, [text]))]).toEqual([text, oddTexts.length - 1]);
  }
  expect(await count(isAmong(column, []))).toBe(0);
  expect(await count(isNotAmong(column, []))).toBe(oddTexts.length);
  expect(await count(isAmong(column, [...manyTexts, ...oddTexts]))).toBe(oddTexts.length);
  expect(await count(isNotAmong(column, manyTexts))).toBe(oddTexts.length);
});
