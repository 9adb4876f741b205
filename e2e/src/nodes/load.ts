import { interactions } from '@tara/contract/interactions/interactions';
import { posts } from '@tara/contract/posts/posts';
import type { Random } from '@tara/proof/random';
import type { OpenChat } from '../chaos/chats.ts';
import { ChaosMember } from '../chaos/member.ts';
import { request } from '../chaos/money-acts.ts';
import { type MoneyFixture, type Pair, withDatabase } from '../chaos/money-fixture.ts';
import { type Attempt, Refused } from '../client.ts';
import { payByCard, waitFor } from '../outside.ts';
import { createPost, type Person, readRequest } from '../steps.ts';
import type { Nodes } from './nodes.ts';

/** What is sent to the nodes in a second. */
export interface Rates {
  messages: number;
  /** Each reads a page. */
  readers: number;
  payments: number;
}

/** What was acknowledged. */
interface Acknowledged {
  posts: { id: string; caption: string /** Path of its picture. */; picture: string }[];
  /** Ids of requests that were paid at the checkout. */
  payments: string[];
}

/** A load under way. */
export interface Load {
  readonly attempts: readonly Attempt[];
  readonly acknowledged: Acknowledged;
  readonly groups: readonly { chat: OpenChat; base: number; members: ChaosMember[] }[];
  /** Sends nothing new, and waits until all that was begun is done. What failed otherwise than by a fault. */
  stop(): Promise<string[]>;
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Repeats what a fault interrupted until it is answered; a refusal is an answer. */
async function untilAnswered<Value>(work: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refused && error.status < 500) throw error;
      await pause(100);
    }
  }
}

/** What the job queue has of a request: why something of it is late. */
const waitingJobs = (tara: MoneyFixture['tara'], id: string): Promise<string> =>
  withDatabase(tara, async (sql) => {
    const rows = await sql<{ text: string }[]>`
      select concat_ws(' ', identifier, 'tried', attempts, 'times, due', run_at, 'taken', locked_at, last_error) as text
      from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = task_id
      where strpos(payload::text, ${id}) > 0`;
    return rows.length === 0 ? 'no job' : rows.map(({ text }) => text).join(', ');
  });

/** Requests a plan, pays, and withdraws once it is paid, which refunds it. */
async function pay(fixture: MoneyFixture, pair: Pair, random: Random, paid: string[]): Promise<void> {
  const { client } = pair;
  const id = await untilAnswered(() => request(fixture, pair, random));
  const read = () => untilAnswered(() => readRequest(client, id));
  const soon = async <Value>(what: string, of: () => Promise<Value | null | false>) => {
    try {
      return await waitFor(what, of, { timeoutMs: 120_000 });
    } catch (error) {
      const at = new Date().toISOString();
      throw new Error(`request ${id} at ${at}: ${await waitingJobs(fixture.tara, id)}`, { cause: error });
    }
  };
  await payByCard(await soon('checkout', async () => (await read()).checkoutUrl));
  paid.push(id);
  await soon('payment', async () => (await read()).paid);
  const body = { interactionId: id, reason: 'Something came up.' };
  await untilAnswered(() => client.client.call(interactions.cancelRequest, { body })).catch(
    async (error: unknown) => {
      // The answer to the first try was lost.
      if (!(await read()).cancelled) throw error;
    },
  );
}

/** Loads nodes through their proxy with messages, pages, posts with pictures and payments. */
export async function startLoad(
  nodes: Nodes,
  { chats, money }: { chats: readonly OpenChat[]; money: MoneyFixture },
  rates: Rates,
  random: Random,
): Promise<Load> {
  const attempts: Attempt[] = [];
  const people: Person[] = [
    ...new Set([
      ...chats.flatMap((chat) => chat.people),
      ...money.pairs.flatMap((pair) => [pair.client, pair.creator]),
    ]),
  ];
  for (const { client } of people) client.observe = (attempt) => void attempts.push(attempt);
  const acknowledged: Acknowledged = { posts: [], payments: [] };
  const failures: unknown[] = [];
  const underWay = new Set<Promise<void>>();
  let isOver = false;
  const begin = (work: () => Promise<void>) => {
    const promise = work()
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(promise));
    underWay.add(promise);
  };
  /** Does something again and again until the load is over. */
  const repeat = (everyMs: number, work: (number: number) => Promise<unknown>) =>
    begin(async () => {
      await pause(random.next() * everyMs);
      for (let number = 0; !isOver; number++) {
        const startedAt = Date.now();
        await work(number);
        await pause(Math.max(0, startedAt + everyMs - Date.now()));
      }
    });

  const groups = [];
  for (const chat of chats) {
    const base = (await chat.read(chat.people[0])).lastSequence;
    const members = chat.people.map(
      (person) => new ChaosMember(nodes.url, chat, person, { loss: 0, random }, base),
    );
    groups.push({ chat, base, members });
  }
  const members = groups.flatMap((group) => group.members);
  for (const member of members) member.stayConnected();
  let typed = 0;
  const type = () => members[typed % members.length]?.send(`message ${typed++}`);
  const typing = setInterval(type, 1_000 / rates.messages);

  for (let number = 0; number < rates.readers; number++) {
    const reader = people[number % people.length];
    if (reader) repeat(1_000, () => reader.client.look(posts.feed.path));
  }
  const [author, viewer] = people;
  if (author === undefined || viewer === undefined) throw new Error('There are not enough people.');
  repeat(1_000, async (number) => {
    const caption = `kape ${number}`;
    const id = await untilAnswered(() => createPost(author, caption));
    const { picture } = await untilAnswered(() => author.client.call(posts.get, { params: { id } }));
    const { pathname, search } = new URL(picture.imageUrl, nodes.url);
    acknowledged.posts.push({ id, caption, picture: `${pathname}${search}` });
  });
  repeat(500, async () => {
    const post = acknowledged.posts.at(-1);
    if (post !== undefined) await viewer.client.look(post.picture);
  });

  const idle = [...money.pairs];
  const payNext = () => {
    const pair = idle.shift();
    if (pair === undefined) return;
    begin(() => pay(money, pair, random, acknowledged.payments).finally(() => idle.push(pair)));
  };
  const paying = rates.payments > 0 ? setInterval(payNext, 1_000 / rates.payments) : undefined;

  return {
    attempts,
    acknowledged,
    groups,
    stop: async () => {
      isOver = true;
      clearInterval(typing);
      clearInterval(paying);
      await Promise.all(underWay);
      for (const round of [1, 2]) for (const member of members) if (round) await member.settle();
      for (const member of members) member.close();
      return failures.map((error) =>
        error instanceof Error && error.cause ? `${error.cause} ${error.message}` : String(error),
      );
    },
  };
}
