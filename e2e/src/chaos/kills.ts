import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '@tara/proof/random';
import type { Tara } from '../tara.ts';
import type { OpenChat } from './chats.ts';
import { ChaosMember } from './member.ts';
import { check } from './schedule.ts';

/** The process of the embedded Postgres of a data folder; null when none runs. */
export async function databaseProcess(dataDir: string): Promise<number | null> {
  for (const entry of await readdir(dataDir, { recursive: true })) {
    if (!entry.endsWith('postmaster.pid')) continue;
    const [pid] = (await readFile(join(dataDir, entry), 'utf8')).split('\n');
    return Number(pid);
  }
  return null;
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/**
 * Kills the server, and every second time its database too, again and again under 100 messages a second, and checks that
 * nothing acknowledged is lost or doubled. Returns how many messages were acknowledged.
 */
export async function runKills(
  tara: Tara,
  chats: readonly OpenChat[],
  { kills, seed }: { kills: number; seed: number },
): Promise<number> {
  const random = new Random(seed);
  const bases = await Promise.all(chats.map(async (chat) => (await chat.read(chat.people[0])).lastSequence));
  const network = { loss: 0, random };
  const groups = chats.map((chat, index) => ({
    chat,
    base: bases[index] ?? 0,
    members: chat.people.map((person) => new ChaosMember(tara.url, chat, person, network, bases[index] ?? 0)),
  }));
  const members = groups.flatMap((group) => group.members);
  let number = 0;
  // 100 messages a second over all members.
  const typing = setInterval(() => members[number % members.length]?.send(`message ${number++}`), 10);
  try {
    for (let kill = 0; kill < kills; kill++) {
      await pause(500 + random.next() * 1500);
      const database = kill % 2 === 1 ? await databaseProcess(tara.dataDir) : null;
      await tara.kill();
      if (database !== null) process.kill(database, 'SIGKILL');
      await tara.start();
    }
  } finally {
    clearInterval(typing);
  }
  for (const round of [1, 2]) for (const member of members) if (round) await member.settle();
  for (const { chat, base, members: pair } of groups) await check(chat, pair, base);
  for (const member of members) member.close();
  return members.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
}
