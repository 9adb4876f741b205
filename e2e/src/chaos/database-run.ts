import { readFile } from 'node:fs/promises';
import { posts } from '@tara/contract/posts/posts';
import { channel } from '@tara/contract/wire/realtime';
import { Random } from '@tara/proof/random';
import { WebSocket } from 'ws';
import { Refused } from '../client.ts';
import {
  createPost,
  newPerson,
  type Person,
  password,
  reachStage,
  readRequest,
  signIn,
  signUp,
} from '../steps.ts';
import type { Tara } from '../tara.ts';
import type { OpenChat } from './chats.ts';
import { databaseProcess } from './kills.ts';
import { ChaosMember } from './member.ts';
import { withDatabase } from './money-fixture.ts';
import { check } from './schedule.ts';

interface DatabaseRun {
  minutes: number;
  kills: number;
  seed: number;
}

interface DatabaseReport {
  /** Acknowledged writes, and reads. */
  messages: number;
  posts: number;
  calls: number;
  sockets: number;
  /** Refused calls by status and type, beside 503. */
  refused: Record<string, number>;
  /** Median of the server's resident memory, MB: in the second quarter of the run, and in the last. */
  memoryMb: { before: number; after: number };
  /** How often the poisoned record was tried. */
  poisoned: number;
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Resident memory of a process in MB (Linux). */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

/** A request whose time is over, and that a trigger keeps from ending; with one behind it that shall end all the same. */
async function poisonDeadlines(tara: Tara, [creator, client]: readonly [Person, Person]) {
  const parties = { creator, client, admin: creator };
  const { requestId: poisoned } = await reachStage(parties, 'requested', 'Never ends');
  const { requestId: next } = await reachStage(parties, 'requested', 'Ends in time');
  await withDatabase(tara, async (sql) => {
    await sql.unsafe(`
      create function refuse_poisoned() returns trigger language plpgsql as $$ begin
        if new.id = '${poisoned}' and new.cancelled_at is not null then raise exception 'poisoned'; end if;
        return new;
      end $$;
      create trigger a_poison before update on interactions for each row execute function refuse_poisoned()`);
    await sql.begin(async (transaction) => {
      await transaction`set local session_replication_role = replica`;
      await transaction`update interactions set pay_until = now() - interval '2 hours' where id = ${poisoned}`;
      await transaction`update interactions set pay_until = now() - interval '1 hour' where id = ${next}`;
    });
    // A short run does not wait for the next minute.
    await sql`select graphile_worker.add_job('payments.deadlines', '{}'::json)`;
  });
  return { poisoned, next };
}

/**
 * Loads a server with chats, the feed, sign-ins, uploads, searches and subscriptions, while its database is killed again
 * and again and one scheduled job has a record that always fails. Checks that the server never ends and that every
 * acknowledged write is there.
 */
export async function runDatabaseKills(
  tara: Tara,
  chats: readonly OpenChat[],
  { minutes, kills, seed }: DatabaseRun,
): Promise<DatabaseReport> {
  const random = new Random(seed);
  const [first] = chats;
  if (first === undefined) throw new Error('There is no chat.');
  const [ana, ben] = first.people;
  // An account has few sessions: new ones would end those of the others.
  const cleo = newPerson(tara, 'Cleo');
  await signUp(tara, cleo);
  const requests = await poisonDeadlines(tara, first.people);
  const pid = tara.pid();
  if (pid === null) throw new Error('The server does not run.');

  const startedAt = Date.now();
  const totalMs = minutes * 60_000;
  const isOver = () => Date.now() - startedAt > totalMs;
  const report: DatabaseReport = {
    ...{ messages: 0, posts: 0, calls: 0, sockets: 0, poisoned: 0 },
    ...{ refused: {}, memoryMb: { before: 0, after: 0 } },
  };
  const requireServer = () => {
    if (tara.pid() !== pid) throw new Error('The server ended.');
  };

  /** Repeats a call until the end; what is refused meanwhile is counted, and 503 is expected. */
  const repeat = async (everyMs: number, work: (number: number) => Promise<unknown>) => {
    for (let number = 0; !isOver(); number++) {
      requireServer();
      try {
        await work(number);
        report.calls += 1;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const name = `${error.status} ${error.type}`;
        if (error.status !== 503) report.refused[name] = (report.refused[name] ?? 0) + 1;
      }
      await pause(everyMs * (0.5 + random.next()));
    }
  };

  const base = await Promise.all(chats.map(async (chat) => (await chat.read(chat.people[0])).lastSequence));
  const groups = chats.map((chat, index) => ({
    chat,
    base: base[index] ?? 0,
    members: chat.people.map(
      (person) => new ChaosMember(tara.url, chat, person, { loss: 0, random }, base[index] ?? 0),
    ),
  }));
  const members = groups.flatMap((group) => group.members);
  for (const member of members) member.connect();
  let typed = 0;
  const type = async () => {
    members[typed % members.length]?.send(`message ${typed++}`);
  };

  const published: { id: string; caption: string }[] = [];
  const publish = async (number: number) => {
    const caption = `kape ${number} of ${seed}`;
    published.push({ id: await createPost(ana, caption), caption });
  };

  const subscribe = async () => {
    const url = `${tara.url.replace('http', 'ws')}/v1/realtime?project=tara&channels[]=${channel.collection('posts')}`;
    const socket = new WebSocket(url, { headers: { cookie: ben.client.cookie } });
    const ended = new Promise<void>((done) => {
      socket.once('close', () => done()).once('error', () => done());
    });
    socket.once('open', () => (report.sockets += 1));
    await Promise.race([ended, pause(2000 + random.next() * 3000)]);
    socket.terminate();
  };

  const samples: { atMs: number; mb: number }[] = [];
  const watch = async () => {
    while (!isOver()) {
      requireServer();
      samples.push({ atMs: Date.now() - startedAt, mb: await residentMb(pid) });
      await pause(1000);
    }
  };
  const kill = async () => {
    for (let count = 1; count <= kills; count++) {
      await pause(Math.max(0, startedAt + (count * totalMs) / (kills + 1) - Date.now()));
      const database = await databaseProcess(tara.dataDir);
      if (database === null) throw new Error('The database does not run.');
      process.kill(database, 'SIGKILL');
    }
  };

  await Promise.all([
    watch(),
    kill(),
    repeat(50, type),
    ...[1, 2].map(() => repeat(50, () => ben.client.call(posts.feed, { query: {} }))),
    repeat(200, () => ben.client.call(posts.search, { query: { search: 'kape' } })),
    repeat(1000, publish),
    repeat(1000, () => signIn(tara.url, cleo.email, password)),
    repeat(100, subscribe),
  ]);

  for (let round = 0; round < 2; round++) for (const member of members) await member.settle();
  for (const { chat, base, members: pair } of groups) await check(chat, pair, base);
  for (const member of members) member.close();
  for (const { id, caption } of published) {
    const post = await ben.client.call(posts.get, { params: { id } });
    if (post.caption !== caption) throw new Error(`The post ${id} has another caption.`);
  }
  const [row] = await withDatabase(
    tara,
    (sql) => sql<{ attempts: number }[]>`
      select attempts from postponed_items where item_id = ${requests.poisoned}`,
  );
  const isCancelled = async (id: string) => (await readRequest(ben, id)).cancelled;
  if (row === undefined || (await isCancelled(requests.poisoned)))
    throw new Error('The poisoned request was not tried.');
  if (!(await isCancelled(requests.next)))
    throw new Error('A request did not end because another one failed.');
  requireServer();
  const memory = (from: number, to: number) =>
    median(samples.flatMap(({ atMs, mb }) => (atMs >= from * totalMs && atMs < to * totalMs ? mb : [])));
  return {
    ...report,
    messages: members.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
    posts: published.length,
    memoryMb: { before: memory(0.25, 0.5), after: memory(0.75, 1) },
    poisoned: row.attempts,
  };
}
