// A provider in a process of its own, so that a test can kill it. Arguments: the folder to keep things in.
import Fastify from 'fastify';
import { createProvider } from './index.ts';
import { PREFIX, SECRET_KEY } from './test-names.ts';

const server = Fastify();
let origin = '';
const provider = createProvider({
  folder: process.argv[2] ?? '',
  publicUrl: () => origin + PREFIX,
  secretKey: SECRET_KEY,
  settleMs: 3_600_000,
});
await server.register(provider.plugin, { prefix: PREFIX });
origin = await server.listen({ port: 0, host: '127.0.0.1' });
provider.start();
process.stdout.write(`${origin}${PREFIX}\n`);
