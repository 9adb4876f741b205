import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openBus } from '../../platform/bus.ts';
import type { Database } from '../../platform/database/connect.ts';
import { type DocumentChange, noOwners, type Topics } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { quietLog } from '../../platform/log.ts';
import { singleNode } from '../../platform/nodes/others.ts';
import { announceMessage } from './announce.ts';
import type { ChatRow } from './present.ts';
import { recentChats } from './recent.ts';
import { learntPerMinute, openChatLearning, openTyping } from './typing.ts';

const member = (name: string, change: Partial<Viewer> = {}) =>
  ({
    ...{
      accountId: name,
      profileId: `p-${name}`,
      emailVerified: true,
      deletesAt: null,
      suspendedUntil: null,
      hasConsented: true,
    },
    ...{ hiddenProfileIds: [], mutedProfileIds: [], ...change },
  }) as unknown as Viewer;
const [ana, ben, eve] = [member('ana'), member('ben'), member('eve')];

const now = Date.parse('2026-03-01T12:00:00Z');
const row = {
  ...{ id: 'c1', kind: 'conversation', firstId: 'p-ana', secondId: 'p-ben' },
  ...{ firstAccountId: 'ana', secondAccountId: 'ben' },
  ...{ closedAt: null, blocked: false, expiresAt: new Date(now + 60_000), awaitsId: null },
} as ChatRow;

/** Typing without a database: any query would fail. Everybody looks, unless `looking` says otherwise. */
function start({ looking = [ana, ben] }: { looking?: Viewer[] } = {}) {
  const bus = openBus<Topics>(quietLog());
  const database = Object.freeze({}) as Database;
  const announced: DocumentChange[] = [];
  bus.subscribe('document', (change) => void announced.push(change));
  const hasListener = ({
    accountIds,
    mayRead,
  }: {
    accountIds: readonly string[] | null;
    mayRead: (viewer: Viewer) => boolean;
  }) => looking.some((viewer) => accountIds?.includes(viewer.accountId) && mayRead(viewer));
  const announceTyping = openTyping({ database, bus, nodes: singleNode }, { hasListener });
  const recent = recentChats(database);
  return {
    bus,
    recent,
    read: (change: Partial<ChatRow> = {}) => recent.reading()({ ...row, ...change }),
    /** How many signs of typing are announced for one sent now. */
    type: async (who: Viewer = ana, { socket = 's1', chat = 'c1' } = {}) => {
      announced.length = 0;
      announceTyping(who, socket, chat);
      await null;
      return announced.length;
    },
    announced,
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now);
});

describe('typing', () => {
  test('is announced to the other member alone, without the database (threat-presence)', async () => {
    const { read, type, announced } = start();
    read();
    expect(await type(ben)).toBe(1);
    expect(announced).toMatchObject([
      {
        ...{ collection: 'conversations', id: 'c1', change: 'update', document: { typing: 'p-ben' } },
        ...{ audience: ['ana'], owners: { profileIds: ['p-ben'], authorId: null } },
      },
    ]);
    // By a socket of her own: one more sign of the same would be dropped anyway.
    expect(await type(eve, { socket: 's2' })).toBe(0);
  });

  test('is announced at most once in two seconds for each socket and chat', async () => {
    const { read, type } = start();
    for (const id of ['c1', 'c2']) read({ id });
    expect(await type()).toBe(1);
    expect(await type()).toBe(0);
    expect(await type(ana, { chat: 'c2' })).toBe(1);
    expect(await type(ana, { socket: 's2' })).toBe(1);
    vi.setSystemTime(now + 1_999);
    expect(await type()).toBe(0);
    vi.setSystemTime(now + 2_000);
    expect(await type()).toBe(1);
  });

  test('in a chat that nobody read lately is dropped', async () => {
    expect(await start().type()).toBe(0);
  });

  test('announces nothing when nobody looks', async () => {
    const { read, type } = start({ looking: [ana] });
    read();
    expect(await type(ana)).toBe(0);
    expect(await type(ben)).toBe(1);
  });

  test.for<[string, Partial<ChatRow>]>([
    ['whose request is over', { closedAt: new Date(now) }],
    ['of a blocked pair, or a member who leaves', { blocked: true }],
    ['that expired', { expiresAt: new Date(now) }],
    ['that is a message request', { awaitsId: 'p-ben' }],
  ])('in a chat %s is dropped (threat-presence)', async ([_name, change]) => {
    const { read, type } = start();
    read(change);
    expect(await type(ana)).toBe(0);
    expect(await type(ben)).toBe(0);
  });

  test.for<[string, Partial<Viewer>]>([
    ['suspended', { suspendedUntil: new Date(now + 1) }],
    ['unconfirmed', { emailVerified: false }],
    ['leaving', { deletesAt: new Date(now + 1) }],
    ['blocked', { hiddenProfileIds: ['p-ben'] }],
  ])('of a %s member is dropped (threat-presence)', async ([_name, change]) => {
    const { read, type } = start();
    read();
    expect(await type(member('ana', change))).toBe(0);
    expect(await type(member('ana', { suspendedUntil: new Date(now) }))).toBe(1);
  });

  test('does not reach who blocked', async () => {
    const { read, type } = start({ looking: [member('ben', { hiddenProfileIds: ['p-ana'] })] });
    read();
    expect(await type()).toBe(0);
  });
});

const document = (
  change: Partial<Pick<DocumentChange, 'collection' | 'id' | 'document'>>,
): DocumentChange => ({
  ...{ collection: 'conversations', id: 'c1', change: 'update', document: {} },
  ...{ audience: ['ana', 'ben'], owners: noOwners, ...change },
});

describe('a chat read lately', () => {
  test.for<[string, (bus: ReturnType<typeof start>['bus']) => void]>([
    ['when it changes', (bus) => bus.publish('document', document({ document: { changed: true } }))],
    ['when a member changes', (bus) => bus.publish('viewerChanged', { accountId: 'ben' })],
    ['when a member leaves', (bus) => bus.publish('viewersChanged', { accountId: 'ben' })],
    [
      'when a request of the two changes',
      (bus) => bus.publish('document', document({ collection: 'planInteractions', id: 'i1' })),
    ],
  ])('%s, is dropped until it is read again', async ([_name, publish]) => {
    const { bus, read, type } = start();
    read();
    publish(bus);
    await null;
    expect(await type()).toBe(0);
    read();
    expect(await type()).toBe(1);
  });

  test('stays through what passes, and through changes of others', async () => {
    const { bus, read, type } = start();
    read();
    bus.publish('document', document({ document: { mark: { memberId: 'p-ana', delivered: 1, read: 1 } } }));
    bus.publish('document', document({ document: { typing: 'p-ben' } }));
    bus.publish('document', document({ id: 'c2' }));
    bus.publish('viewerChanged', { accountId: 'eve' });
    await null;
    expect(await type()).toBe(1);
  });

  test.for([{ accountId: 'ana' }, { accountId: 'ben' }, { id: 'c1' }])(
    'is not stored when %o changed while it was read',
    async (change) => {
      const { recent, type } = start();
      const store = recent.reading();
      recent.expire(change);
      store(row);
      expect(await type()).toBe(0);
    },
  );

  test('is stored whatever changed of others while it was read, and as accepted when it was', async () => {
    const { recent, type } = start();
    const store = recent.reading();
    recent.expire({ accountId: 'eve' });
    recent.expire({ id: 'c2' });
    recent.accept('c1', 'p-ana');
    recent.accept('c1', 'p-ben');
    store({ ...row, awaitsId: 'p-ben' });
    expect(await type()).toBe(1);
  });

  test('is not stored when so much changed that it is not known what', async () => {
    const { recent, type } = start();
    const store = recent.reading();
    for (let number = 0; number <= 20_000; number++) recent.expire({ id: `d${number}` });
    store(row);
    expect(await type()).toBe(0);
    recent.reading()(row);
    expect(await type()).toBe(1);
  });

  test('takes the answer to a message request as its acceptance', async () => {
    const { bus, read, type } = start();
    read({ awaitsId: 'p-ben' });
    const message = { id: 'm1', chatId: 'c1', body: 'Hi' };
    announceMessage({ bus }, row, { ...message, userId: 'p-ana' } as never);
    await null;
    expect(await type()).toBe(0);
    announceMessage({ bus }, row, { ...message, userId: 'p-ben' } as never);
    await null;
    expect(await type()).toBe(1);
  });

  test('is found by its members until it is the one read longest ago', () => {
    const { recent, read } = start();
    read();
    expect(recent.withMember('ben').map(({ id }) => id)).toEqual(['c1']);
    // One more than are held at once: of the two only the one that was read longest ago goes.
    for (let number = 0; number <= 20_000; number++) {
      read({ id: `d${number}`, firstAccountId: 'x', secondAccountId: 'y' });
    }
    expect(recent.withMember('ben')).toEqual([]);
    expect(recent.get('c1')).toBeUndefined();
    expect(recent.withMember('x')).toHaveLength(20_000);
  });
});

test('a sign of typing in a chat that is not known has it read, once in two seconds, where there are several nodes alone', async () => {
  for (const [areMany, expected] of [
    [true, 1],
    [false, 0],
  ] as const) {
    let reads = 0;
    const database = new Proxy({} as Database, {
      get: () => () => {
        reads++;
        throw new Error('There is no such chat.');
      },
    });
    const bus = openBus<Topics>(quietLog());
    const nodes = { ...singleNode, areMany };
    const announceTyping = openTyping({ database, bus, nodes }, { hasListener: () => true });
    for (let count = 0; count < 2; count++) announceTyping(ana, 's1', 'c1');
    await null;
    expect(reads).toBe(expected);
  }
});

test('a page that names very many chats has few of them read (threat-starvation)', async () => {
  let reads = 0;
  const database = new Proxy({} as Database, {
    get: () => () => {
      reads++;
      throw new Error('There is no such chat.');
    },
  });
  const learn = openChatLearning({ database });
  const channels = Array.from({ length: 200 }, (_, index) => `collections.conversations.documents.c${index}`);
  await Promise.all([learn(ana, channels), learn(ana, channels)]);
  expect(reads).toBe(learntPerMinute);
  await learn(ben, channels.slice(0, 1));
  expect(reads).toBe(learntPerMinute + 1);
});
