// `npm run build`: installs and builds everything that `npm start` needs. A start after it writes only to DATA_DIR.
import { install } from './install.mjs';
import { main } from './setup/run.mjs';
import { buildWeb } from './setup/web.mjs';

await main(async () => {
  await install();
  await buildWeb();
});
