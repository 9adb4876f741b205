import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';

/** Files and sockets that the server needs beside connections of clients: for the database, pictures, mails and itself. */
const ownDescriptors = 80;
/** The share of the rest that clients may have open; each request may open a file besides. */
const clientShare = 0.75;

/** What the system lets the process have open; undefined where it does not say. A report takes some milliseconds. */
function readDescriptorLimit(): unknown {
  // Else it looks up the names of connected machines.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  return userLimits?.open_files?.soft;
}

let descriptorLimit: { soft: unknown } | undefined;

/** Most connections of clients at once, below what the system lets the process have open; Infinity where it does not say. */
export function mostConnections(): number {
  descriptorLimit ??= { soft: readDescriptorLimit() };
  const limit = descriptorLimit.soft;
  if (typeof limit !== 'number') return Infinity;
  return Math.max(10, Math.floor((limit - ownDescriptors) * clientShare));
}

interface LoopLimit {
  /** How often the event loop is looked at, ms. */
  everyMs: number;
  /** How late that look may be, ms. */
  mostLateMs: number;
}

/**
 * Answers 503 while the event loop is behind, from the moment the server listens: its start does not count. One late look is
 * a pause, of the machine or of another program: with two in a row the server has more to do than it can.
 */
export function refuseWhileBehind(
  app: FastifyInstance,
  { everyMs, mostLateMs }: LoopLimit = { everyMs: 1000, mostLateMs: 3000 },
): void {
  let lateLooks = 0;
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    let dueAt = performance.now() + everyMs;
    timer = setInterval(() => {
      const now = performance.now();
      lateLooks = now - dueAt > mostLateMs ? lateLooks + 1 : 0;
      dueAt = now + everyMs;
    }, everyMs).unref();
  });
  app.addHook('onClose', async () => clearInterval(timer));
  // Not answered before Node knows that a request has no body: `readUnreadBodies` would wait for one.
  app.addHook('onRequest', async () => {
    if (lateLooks > 1) throw new Problem('general_unavailable', { retryAfter: 2 });
  });
}
