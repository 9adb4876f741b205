// Part of `npm run check`: no declared name is one that a newcomer would not search for (docs/glossary.md).
import { main } from './setup/main.mjs';
import { refusedNames } from './setup/names.mjs';

const workspaces = ['contract', 'paymongo', 'bench', 'e2e', 'fuzz', 'web'];

await main(async () => {
  const refused = refusedNames(workspaces);
  for (const line of refused) console.log(line);
  return refused.length === 0 ? 0 : 1;
});
