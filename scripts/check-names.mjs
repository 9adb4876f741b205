// Part of `npm run check`: declared names follow the naming rules (docs/glossary.md).
import { main } from './setup/main.mjs';
import { refusedNames } from './setup/names.mjs';

const folders = ['contract', 'paymongo', 'sandbox', 'server', 'web', 'bench', 'e2e', 'fuzz', 'scripts'];

await main(async () => {
  const refused = refusedNames(folders);
  for (const line of refused) console.log(line);
  return refused.length === 0 ? 0 : 1;
});
