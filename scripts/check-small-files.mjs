// Part of `npm run check`: lists the very small files of web and server that have one importer, and fails when the
// list grows. The aim is at most 25.
import { main } from './setup/main.mjs';
import { smallFiles } from './setup/small-files.mjs';

/** The aim; lower it with each file that is merged. */
const limit = 25;

await main(async () => {
  const files = smallFiles(['web/src', 'server/src']);
  for (const line of files) console.log(line);
  console.log(`${files.length} very small files with one importer, at most ${limit}.`);
  return files.length > limit ? 1 : 0;
});
