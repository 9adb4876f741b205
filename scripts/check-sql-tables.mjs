// Part of `npm run check`: no feature names a table of another one in SQL (docs/architecture.md).
import { main } from './setup/main.mjs';
import { root } from './setup/paths.mjs';
import { foreignTables } from './setup/sql-tables.mjs';

await main(async () => {
  const named = foreignTables(root);
  for (const line of named)
    console.log(`${line}: read it through what that feature's index.ts exports, or a view`);
  return named.length === 0 ? 0 : 1;
});
