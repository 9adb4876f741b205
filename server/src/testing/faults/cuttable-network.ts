import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut: clients connect to `url`. */
export interface CuttableNetwork {
  url: string;
  /** The port behind it; another one after a restart. */
  leadTo(serverUrl: string): void;
  /** Resets the open connections, and until `restore` all new ones. */
  cut(): void;
  /** Lets what is open go silent: nothing arrives any more, and nobody learns of it until `cut`. */
  freeze(): void;
  restore(): void;
  /** Connections that came while it was cut. */
  refused(): number;
  close(): Promise<void>;
}

/** Opens a TCP proxy on a free port. */
export async function openCuttableNetwork(serverUrl: string): Promise<CuttableNetwork> {
  const sockets = new Set<Socket>();
  let port = Number(new URL(serverUrl).port);
  let isCut = false;
  let refused = 0;
  const watch = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    watch(client);
    if (isCut) {
      refused += 1;
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    watch(upstream);
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (next) => {
      port = Number(new URL(next).port);
    },
    cut() {
      isCut = true;
      refused = 0;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    freeze() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    restore: () => {
      isCut = false;
    },
    refused: () => refused,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
