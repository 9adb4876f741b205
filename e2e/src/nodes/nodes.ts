import { freePort } from '@tara/server/platform/free-port';
import { startProxy } from '@tara/server/testing/services/proxy';
import { openTara, type Tara } from '../tara.ts';
import { openServices, type SharedServices } from './services.ts';

/** Several nodes of one Tara behind a proxy: what is done to it is done to all of them. `url` is the proxy's. */
export interface Nodes extends Tara {
  /** Each of them, at its own address. */
  readonly nodes: readonly Tara[];
  readonly services: SharedServices;
  /** Starts another one beside them, with these variables; the proxy does not know it. */
  add(env: Record<string, string>): Promise<Tara>;
  /** How many requests of the proxy each node answered. */
  countRequests(): Promise<number[]>;
}

const address = ({ url }: Pick<Tara, 'url'>) => `127.0.0.1:${new URL(url).port}`;

/** Seconds that a node goes on serving after SIGTERM: the proxy looks every half second whether it is ready. */
const drainDelay = 2;

/**
 * Starts nodes with a Postgres, a Redis with Sentinel, an S3 store and stand-ins for mail and payment of their own, and a proxy
 * that gives each request to one of them at random.
 */
export async function openNodes({
  count = 2,
  env = {},
}: {
  count?: number;
  env?: Record<string, string>;
} = {}): Promise<Nodes> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const services = await openServices(url);
  const variables = { ...services.env, DRAIN_DELAY: String(drainDelay), ...env };
  const nodes: Tara[] = [];
  for (let number = 0; number < count; number++) nodes.push(await openTara({ env: variables }));
  const [first] = nodes;
  if (first === undefined) throw new Error('There is no node.');
  const proxy = await startProxy({
    port,
    nodes: nodes.map(address),
    others: { '/mailbox': services.standIns, '/sandbox': services.standIns },
  });
  const each = (act: (node: Tara) => Promise<void>) => async () => {
    await Promise.all(nodes.map(act));
  };
  const added: Tara[] = [];
  return {
    url,
    dataDir: first.dataDir,
    databaseUrl: first.databaseUrl,
    get readyAt() {
      return Math.max(...nodes.map(({ readyAt }) => readyAt));
    },
    pid: first.pid,
    kill: each((node) => node.kill()),
    start: async (more) => {
      for (const node of nodes) await node.start(more);
    },
    stop: each((node) => node.stop()),
    remove: async () => {
      for (const node of [...added, ...nodes]) await node.kill();
      for (const node of [...added, ...nodes]) await node.remove();
      await proxy.stop();
      await services.close();
    },
    admin: first.admin,
    nodes,
    services,
    add: async (more) => {
      const node = await openTara({ env: { ...variables, ...more } });
      added.push(node);
      return node;
    },
    countRequests: async () => {
      const counts = await proxy.countRequests();
      return nodes.map((node) => counts.get(address(node)) ?? 0);
    },
  };
}
