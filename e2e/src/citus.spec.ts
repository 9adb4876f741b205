import { expect, test } from '@playwright/test';
import { counts } from '@tara/contract/counts';
import { conversations } from '@tara/contract/messages/conversations';
import { type Message, messages } from '@tara/contract/messages/messages';
import { unsentBody } from '@tara/contract/notices';
import { Random } from '@tara/proof/random';
import postgres from 'postgres';
import { type OpenChat, openChats, readAfter } from './chaos/chats.ts';
import { ChaosMember } from './chaos/member.ts';
import { check } from './chaos/schedule.ts';
import type { Attempt } from './client.ts';
import { openTara, type Tara } from './tara.ts';

// `npm run e2e -- --project citus`, with CITUS_URL: an empty database of a Citus cluster.

const url = process.env.CITUS_URL;
if (!url)
  throw new Error('The project citus needs CITUS_URL, the address of an empty database of a Citus cluster.');

const sql = postgres(url, { max: 1, onnotice: () => undefined });
let tara: Tara;
let chats: OpenChat[];

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  const [used] = await sql`select to_regclass('public.accounts') is not null as used`;
  if (used?.used) throw new Error('CITUS_URL must name an empty database.');
  tara = await openTara({ env: { DATABASE_URL: url } });
  chats = await openChats(tara, 1);
});

test.afterAll(async () => {
  await tara?.remove();
  await sql.end();
});

test('tables move onto the workers while members write and read: nothing that was acknowledged is lost or doubled', async () => {
  const network = { loss: 0.1, random: new Random(270) };
  const attempts: Attempt[] = [];
  const walks = await Promise.all(
    chats.map(async (chat) => {
      const { lastSequence: base } = await chat.read(chat.people[0]);
      const members = chat.people.map((person) => new ChaosMember(tara.url, chat, person, network, base));
      for (const { person } of members) person.client.observe = (attempt) => void attempts.push(attempt);
      for (const member of members) member.connect();
      return { chat, base, members };
    }),
  );
  let isMoving = true;
  const write = async () => {
    for (let number = 0; isMoving || number < 20; number++) {
      for (const { members } of walks) for (const member of members) member.send(`message ${number}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  };
  const read = async () => {
    while (isMoving) for (const { chat, base } of walks) await readAfter(chat.people[1], chat.id, base);
  };
  const move = async () => {
    expect(await tara.admin('database', 'distribute')).toContain('5 tables are on the workers.');
    isMoving = false;
  };
  await Promise.all([write(), read(), move()]);
  for (let round = 0; round < 2; round++)
    for (const { members } of walks) for (const member of members) await member.settle();
  for (const { chat, base, members } of walks) {
    await check(chat, members, base);
    for (const member of members) member.close();
  }
  const isRead = ({ path }: Attempt) => path === messages.list.path.replace(':chatId', chats[0]?.id ?? '');
  const reads = attempts.filter(isRead);
  expect(reads.length).toBeGreaterThan(10);
  expect(reads.filter(({ status }) => status !== 200)).toEqual([]);
  const refused = attempts.filter(({ status }) => status !== 200);
  expect(refused.filter(({ status, hasRetryAfter }) => status !== 503 || !hasRetryAfter)).toEqual([]);
  expect(await tara.admin('database', 'status')).toMatch(/messages: .* on \d+ workers/);
  expect(await tara.admin('database', 'distribute')).toContain('on the workers already: nothing changed.');
});

for (const kind of ['receipt', 'conversation'] as const) {
  test(`a ${kind} is written, read, paged and unsent on distributed tables`, async () => {
    const chat = chats.find((one) => one.kind === kind);
    if (!chat) throw new Error(`There is no ${kind}.`);
    const [one, other] = chat.people;
    const { lastSequence: base } = await chat.read(one);
    const sent: Message[] = [];
    for (let number = 1; number <= 25; number++)
      sent.push(await chat.send(number % 3 ? one : other, `message ${number}`, `citus-key-${number}`));
    // Sending again stores nothing.
    expect(await chat.send(one, 'message 1', 'citus-key-1')).toEqual(sent[0]);
    expect(sent.map(({ sequence }) => sequence)).toEqual(sent.map((_, index) => base + index + 1));
    expect(sent).toMatchObject(await readAfter(other, chat.id, base));
    const page = await other.client.call(messages.list, {
      params: { chatId: chat.id },
      query: { before: base + 20, pages: 1 },
    });
    expect(sent[18]).toMatchObject(page.items[0] ?? {});
    expect(page.hasMore).toBe(true);

    const mark = { chatId: chat.id, read: base + 20 };
    const fromOne = sent.filter(
      (message) => message.sequence > base + 20 && message.userId === sent[0]?.userId,
    );
    expect(await other.client.call(messages.mark, { body: mark })).toMatchObject({
      ...{ read: base + 20, unread: fromOne.length },
    });
    const body = { chatId: chat.id, messageId: sent[0]?.id ?? '' };
    expect(await one.client.call(messages.unsend, { body })).toMatchObject({
      unsent: true,
      body: unsentBody,
    });
    expect((await readAfter(other, chat.id, base))[0]).toMatchObject({ body: unsentBody, picture: null });
  });

  test(`a ${kind} keeps the order of both while they write at once`, async () => {
    const chat = chats.find((one) => one.kind === kind);
    if (!chat) throw new Error(`There is no ${kind}.`);
    const { lastSequence: base } = await chat.read(chat.people[0]);
    const network = { loss: 0.2, random: new Random(20) };
    const members = chat.people.map((person) => new ChaosMember(tara.url, chat, person, network, base));
    for (const member of members) member.connect();
    for (let number = 0; number < 20; number++)
      for (const member of members) member.send(`message ${number}`);
    for (const member of members) await member.settle();
    for (const member of members) await member.settle();
    await check(chat, members, base);
    for (const member of members) member.close();
  });
}

test('lists show the newest message, and what was taken back, also after a start that repairs them', async () => {
  const chat = chats.find(({ kind }) => kind === 'conversation');
  if (!chat) throw new Error('There is no conversation.');
  const [one, other] = chat.people;
  const preview = async () =>
    (await other.client.call(conversations.list, { query: {} })).items.find(({ id }) => id === chat.id)
      ?.preview;
  const { unread: before } = await chat.read(other);
  const { id } = await chat.send(one, 'an address', 'citus-key-address');
  await expect.poll(preview).toBe('an address');
  expect((await chat.read(other)).unread).toBe(before + 1);
  expect((await other.client.call(counts.own, {})).conversations).toBe(1);
  await one.client.call(messages.unsend, { body: { chatId: chat.id, messageId: id } });
  expect(await preview()).toBe(unsentBody);
  // As a crash before that step would leave it.
  await sql`update chat_entries set version = version - 1, preview = 'an address' where chat_id = ${chat.id}`;
  await tara.stop();
  await tara.start();
  expect(await preview()).toBe(unsentBody);
});

test('the messages of one chat are on one shard', async () => {
  const shards =
    await sql`select count(distinct get_shard_id_for_distribution_column('messages', id)) as number,
    count(*)::int as chats from chats`;
  expect(Number(shards[0]?.number)).toBe(shards[0]?.chats);
});
