import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTara, type Tara } from '../tara.ts';
import { type OpenChat, openChats } from './chats.ts';
import { runDatabaseKills } from './database-run.ts';

// A short run; the long one, which also compares the memory, is `npm run chaos database`.
const run = { minutes: 0.3, kills: 1, seed: 20_261_123 };

let tara: Tara;
let chats: OpenChat[];
beforeAll(async () => {
  tara = await openTara();
  chats = await openChats(tara, 1);
}, 300_000);
afterAll(() => tara.remove());

test.skipIf(process.platform !== 'linux')(
  'a database that is killed under load ends no server, and loses nothing acknowledged',
  { timeout: 300_000 },
  async () => {
    const { messages, posts, poisoned } = await runDatabaseKills(tara, chats, run);
    expect(Math.min(messages, posts, poisoned)).toBeGreaterThan(0);
  },
);
