import { nowDate } from '@tara/contract/clock';
import { collectionIds } from '@tara/contract/wire/documents';
import { channel } from '@tara/contract/wire/realtime';
import { posts } from '../../features/posts/index.ts';
import { lastRow, noOwners } from '../../platform/documents.ts';
import { type Frame, realtimeClient } from '../backend/realtime-client.ts';
import type { TestPlatform } from '../platform.ts';
import type { ExitWorld } from './exit-world.ts';

type Client = ReturnType<typeof realtimeClient>;

/** Every channel of the wire and of our own web on which something about the owner or the party may be announced. */
function allChannels({ owner, party, ids, parameters, buckets }: ExitWorld): string[] {
  const chats = ['conversations', 'conversationReceipts'] as const;
  const documents = [
    ...collectionIds.map((collectionId) => channel.collection(collectionId)),
    ...chats.flatMap((chat) => (parameters.chatId ?? []).map((id) => channel.document(chat, id))),
    ...[owner, party].map(({ profileId }) => channel.document('conversationOwners', profileId)),
    ...(ids.review ?? []).map((id) => channel.document('reviews', id)),
  ];
  return [
    ...['documents', 'files', 'account', ...documents],
    ...documents.map((name) => `databases.tara.${name}`),
    ...[owner, party].map(({ accountId }) => `account.${accountId}`),
    ...[...new Set(Object.values(buckets))].map((bucketId) => `buckets.${bucketId}.files`),
  ];
}

const lastId = 'last';

/** Whether a frame is that of the last announcement, as clients of the wire get it. */
const isLast = ({ type, data }: Frame) =>
  type === 'event' && data.payload.$id === lastId && data.channels.includes('documents');

/** Who gets no events of what is for members. */
const outsiders = ['guest', 'leaving'];

/** Receives the frames of a client up to that of the last announcement. */
async function framesUntilLast(client: Client, name: string): Promise<Frame[]> {
  if (outsiders.includes(name)) return client.untilNow();
  const frames: Frame[] = [];
  for (let frame = await client.next(); !isLast(frame); frame = await client.next()) frames.push(frame);
  return frames;
}

/** People, each with a socket that listens to everything. */
export async function listenToAll(url: string, world: ExitWorld, { bus }: Pick<TestPlatform, 'bus'>) {
  const channels = allChannels(world);
  const clients = new Map<string, Client>();
  for (const [name, who] of Object.entries(world.people)) {
    const client = realtimeClient(url, who?.secret ?? null);
    clients.set(name, client);
    await client.next();
    client.say('subscribe', [{ subscriptionId: 'all', channels, queries: [] }]);
    const { data } = await client.next();
    if (data.success !== true) throw new Error(`${name} cannot listen: ${JSON.stringify(data)}`);
  }
  return {
    /** A sign that somebody types. */
    type: (name: string, chatId: string) =>
      clients.get(name)?.say('presence', { status: 'typing', metadata: { chatId } }),
    /** What each received since the last time. */
    async take(): Promise<Map<string, Frame[]>> {
      // What sockets say, such as of typing, is done when they have their answer.
      const received = new Map<string, Frame[]>();
      for (const [name, client] of clients) received.set(name, await client.untilNow());
      const now = nowDate().toISOString();
      const row = { id: lastId, created_at: now, updated_at: now, number: 0 };
      bus.publish('document', {
        ...{ collection: 'posts', id: lastId, change: 'delete', last: lastRow(posts, row), document: {} },
        ...{ audience: 'members', owners: noOwners },
      });
      for (const [name, client] of clients)
        received.get(name)?.push(...(await framesUntilLast(client, name)));
      return received;
    },
    close() {
      for (const { socket } of clients.values()) socket.terminate();
    },
  };
}
