// `node examples/sdk-web/serve.mjs`: serves the page and the unmodified SDK at http://localhost:4321. Tara must allow the origin:
// `ALLOWED_ORIGINS=http://localhost:4321 npm start`.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const sdk = dirname(createRequire(import.meta.url).resolve('appwrite-27/package.json'));
const files = new Map([
  ['/', [join(import.meta.dirname, 'index.html'), 'text/html; charset=utf-8']],
  ['/appwrite.js', [join(sdk, 'dist/iife/sdk.js'), 'text/javascript; charset=utf-8']],
]);
const port = Number(process.env.PORT ?? 4321);
const host = process.env.HOST ?? 'localhost';

const server = createServer(async ({ url = '/' }, response) => {
  const file = files.get(new URL(url, 'http://localhost').pathname);
  if (!file) return response.writeHead(404).end();
  const [path, type] = file;
  response.writeHead(200, { 'content-type': type }).end(await readFile(path));
});
server.listen(port, host, () => console.log(`The example is at http://${host}:${server.address().port}`));
