// A provider in a separate process, so that a test can kill it. Argument: the data folder.
import Fastify from 'fastify';
import { openAccess } from '../../access.ts';
import { createProvider } from '../index.ts';
import { PREFIX, SECRET_KEY } from './names.ts';

const server = Fastify();
let origin = '';
const folder = process.argv[2] ?? '';
const provider = createProvider({
  folder,
  publicUrl: () => origin + PREFIX,
  secretKey: SECRET_KEY,
  access: openAccess({ folder, always: false }),
  deliverTo: ({ hostname }) => hostname === '127.0.0.1',
  pendingMs: 3_600_000,
});
await server.register(provider.plugin, { prefix: PREFIX });
origin = await server.listen({ port: 0, host: '127.0.0.1' });
provider.start();
process.stdout.write(`${origin}${PREFIX}\n`);
