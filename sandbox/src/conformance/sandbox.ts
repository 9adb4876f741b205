import Fastify, { type FastifyInstance } from 'fastify';
import { openAccess } from '../access.ts';
import { createProvider } from '../provider/index.ts';

/** A request to the provider's API and its reply. */
export interface Exchange {
  /** Such as `GET /v1/links/{id}`. */
  call: string;
  status: number;
  reply: unknown;
}

/** A delivery as it arrived. */
export interface Delivery {
  payload: string;
  signature: string;
  secret: string;
}

/** A sandbox with a receiver of its deliveries. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Starts a sandbox that writes down what it is asked and answers. */
export async function startSandbox(folder: string) {
  const server = Fastify({ forceCloseConnections: true });
  const exchanges: Exchange[] = [];
  const deliveries = Promise.withResolvers<Omit<Delivery, 'secret'>>();
  let origin = '';
  const provider = createProvider({
    folder,
    publicUrl: () => origin,
    access: openAccess({ folder, always: false }),
    deliverTo: (url) => url.href === `${origin}/receiver`,
    // Long: what is read has to be what was answered.
    pendingMs: 600_000,
  });
  server.addHook('onSend', async ({ method, routeOptions, url }, { statusCode }, payload) => {
    const path = (routeOptions.url ?? url).replace(':id', '{id}');
    if (path.startsWith('/v1/'))
      exchanges.push({ call: `${method} ${path}`, status: statusCode, reply: JSON.parse(String(payload)) });
  });
  await server.register(async (scope) => addReceiver(scope, deliveries.resolve));
  await server.register(provider.plugin);
  origin = await server.listen({ port: 0, host: '127.0.0.1' });
  provider.start();
  return {
    origin,
    secretKey: provider.secretKey,
    exchanges,
    delivery: deliveries.promise,
    /** Lets calls to a path fail, all or so many. */
    async addFault(path: string, times?: number): Promise<void> {
      const body = JSON.stringify({ kind: 'answer_500', path, times });
      const headers = { 'content-type': 'application/json' };
      await fetch(`${origin}/faults`, { method: 'POST', headers, body });
    },
    async stop(): Promise<void> {
      await provider.stop();
      await server.close();
    },
  };
}

/** `POST /receiver`: takes deliveries without reading them. */
function addReceiver(scope: FastifyInstance, receive: (delivery: Omit<Delivery, 'secret'>) => void): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  scope.post('/receiver', async ({ body, headers }) => {
    receive({ payload: String(body), signature: String(headers['paymongo-signature']) });
    return {};
  });
}
