import { type AddressInfo, createServer, type Socket } from 'node:net';
import { PassThrough, type Transform } from 'node:stream';

/** A way to a server that can be cut: clients connect to `port` of this machine. */
export interface Line {
  port: number;
  /** Ends every connection, and refuses new ones until `join`. */
  cut(): void;
  /** The same, but clients get an error instead of an end, as from a network that lost the connection. */
  reset(): void;
  /** Refuses new connections until `join`; those that are open stay. */
  refuse(): void;
  /** Accepts connections and passes nothing on until `join`, as for a server that is paused. */
  stall(): void;
  join(): Promise<void>;
}

/** Opens a TCP proxy on a free port; `reach` connects to the server, and what clients send goes through a transform of `passOn`. */
export async function openLine(
  reach: () => Socket,
  passOn: () => Transform = () => new PassThrough(),
): Promise<Line> {
  const open = new Set<Socket>();
  const clients = new Set<Socket>();
  let isStalled = false;
  const proxy = createServer((near) => {
    const far = reach();
    clients.add(near.on('close', () => clients.delete(near)));
    if (!isStalled) {
      near.pipe(passOn()).pipe(far);
      far.pipe(near);
    }
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  const listen = (port: number) => new Promise<void>((done) => proxy.listen(port, '127.0.0.1', done));
  await listen(0);
  const { port } = proxy.address() as AddressInfo;
  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port,
    cut: () => {
      proxy.close();
      endAll();
    },
    reset: () => {
      proxy.close();
      for (const client of clients) client.resetAndDestroy();
    },
    refuse: () => void proxy.close(),
    stall: () => {
      isStalled = true;
      for (const socket of open) socket.unpipe().pause();
    },
    join: async () => {
      // What was held back would come in pieces: clients connect anew.
      if (isStalled) endAll();
      isStalled = false;
      if (!proxy.listening) await listen(port);
    },
  };
}
