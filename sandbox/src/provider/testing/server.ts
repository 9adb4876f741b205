import Fastify from 'fastify';
import { openAccess } from '../../access.ts';
import { createProvider, type ProviderOptions } from '../index.ts';

export const SECRET_KEY = 'sk_test_stage';
export const PREFIX = '/sandbox/provider';

/** A provider that is started in a server of its own; it delivers to this machine. */
export async function serveProvider(folder: string, options: Partial<ProviderOptions>) {
  const server = Fastify({ forceCloseConnections: true });
  let origin = '';
  const provider = createProvider({
    folder,
    publicUrl: () => origin + PREFIX,
    secretKey: SECRET_KEY,
    access: openAccess({ folder, always: false }),
    deliverTo: ({ hostname }) => hostname === '127.0.0.1',
    ...options,
  });
  await server.register(provider.plugin, { prefix: PREFIX });
  origin = await server.listen({ port: 0, host: '127.0.0.1' });
  provider.start();
  return { server, provider, origin };
}
