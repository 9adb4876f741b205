// Part of `npm run check`: every route that reads data has a loader, and no screen handles the loading of its data.
import { main } from './setup/main.mjs';
import { brokenScreens } from './setup/routes.mjs';

await main(async () => {
  const broken = brokenScreens();
  for (const line of broken) console.log(line);
  return broken.length === 0 ? 0 : 1;
});
