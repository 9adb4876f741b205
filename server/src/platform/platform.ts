import type { Config } from '../config.ts';
import type { Bus } from './bus.ts';
import type { Database } from './database/connect.ts';
import type { Topics } from './documents.ts';
import type { FileStore } from './files/store.ts';
import type { OpenCounter } from './http/rate-limits.ts';
import type { Log } from './log.ts';
import type { Nodes } from './nodes/others.ts';
import type { SendPush } from './push.ts';
import type { Sealer } from './seal.ts';

/** What every feature uses; made once by `app.ts`, and by tests from the same parts. */
export interface Platform {
  config: Config;
  database: Database;
  /** Whether tables can be distributed over several databases: then no statement groups rows of several chats. */
  sharded: boolean;
  files: FileStore;
  bus: Bus<Topics>;
  log: Log;
  /** Accounts with an open socket on this node; the hub writes it. */
  onlineAccounts: Set<string>;
  /** Whether an account has an open socket on any node. */
  isOnline(accountId: string): Promise<boolean>;
  nodes: Nodes;
  /** Opens the counters of limits, which all nodes share where they can. */
  openCounter: OpenCounter;
  /** Encrypts what waits in the job queue or is in a cookie. */
  sealer: Sealer;
  /** Sends Web Push messages, and the key by which browsers know them, in base64url. */
  push: { send: SendPush; publicKey: string };
}
