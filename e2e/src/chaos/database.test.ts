import { expect } from 'vitest';
import { runDatabaseKills } from './database-run.ts';
import { chaosTest as test } from './testing/chaos-test.ts';

// A short run; the long one, which also compares the memory, is `npm run chaos database`.
const run = { minutes: 0.3, kills: 1, seed: 20_261_123 };

test.skipIf(process.platform !== 'linux')(
  'a database that is killed under load ends no server, and loses nothing acknowledged',
  { timeout: 300_000 },
  async ({ tara, chats }) => {
    const { messages, posts, poisoned } = await runDatabaseKills(tara, chats, run);
    expect(Math.min(messages, posts, poisoned)).toBeGreaterThan(0);
  },
);
