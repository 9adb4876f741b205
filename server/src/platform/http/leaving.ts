import type { Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Lets sockets of the realtime channel come back elsewhere, spread over so many ms; resolves when all are closed. */
type CloseSockets = (spreadMs: number) => Promise<void>;

/** How a server ends its service without failing a request. */
export interface Leaving {
  /** Whether it has begun: `/readyz` answers 503, and each reply ends its connection. */
  readonly hasBegun: boolean;
  begin(): void;
  /** Sets what closes sockets. */
  onLeave(close: CloseSockets): void;
  /**
   * Takes no further connection, has the sockets closed, and waits until they are and no request is under way; for
   * `timeoutMs` at most.
   */
  finish(limits: { spreadMs: number; timeoutMs: number }): Promise<void>;
}

/** Watches the requests of a server, for the time when it leaves. */
export function watchRequests(server: Server): Leaving {
  const underWay = new Set<ServerResponse>();
  const closing: CloseSockets[] = [];
  let hasBegun = false;
  let noteQuiet: (() => void) | undefined;
  const endConnection = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('connection', 'close');
  };
  // Before the handler, which may answer at once.
  server.prependListener('request', (_request, response: ServerResponse) => {
    underWay.add(response);
    if (hasBegun) endConnection(response);
    response.once('close', () => {
      underWay.delete(response);
      if (underWay.size === 0) noteQuiet?.();
    });
  });
  const whenQuiet = () =>
    new Promise<void>((done) => {
      if (underWay.size === 0) done();
      else noteQuiet = done;
    });
  return {
    get hasBegun() {
      return hasBegun;
    },
    begin() {
      hasBegun = true;
      for (const response of underWay) endConnection(response);
    },
    onLeave: (close) => void closing.push(close),
    async finish({ spreadMs, timeoutMs }) {
      if (server.listening) server.close();
      const left = Promise.all([whenQuiet(), ...closing.map((close) => close(spreadMs))]);
      await Promise.race([left, delay(timeoutMs, undefined, { ref: false })]);
    },
  };
}
