// Part of `npm run check`: each constant of the contract has a reader.
import { unreadConstants } from './setup/constants.mjs';
import { main } from './setup/main.mjs';
import { root } from './setup/paths.mjs';

await main(async () => {
  const unread = await unreadConstants(root);
  for (const name of unread) console.log(`nothing reads contract/src/${name}`);
  return unread.length === 0 ? 0 : 1;
});
