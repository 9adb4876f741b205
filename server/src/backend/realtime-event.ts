import type { User } from '@tara/contract/account-records';
import { channel } from '@tara/contract/realtime';
import { memberCan } from '../features/visibility/index.ts';
import type { DocumentChange, FileChange } from '../platform/documents.ts';
import type { Viewer } from '../platform/http/viewer.ts';
import type { Hub, Message } from '../platform/realtime/hub.ts';
import { wireTime } from './time.ts';

/**
 * The event's frame up to its list of subscriptions, which alone differs from socket to socket. It is written when the
 * first socket wants it: a change that nobody listens for costs nothing.
 */
function frames(read: () => { events: string[]; channels: string[]; payload: object }): Message['frameFor'] {
  let shared: string | undefined;
  return (ids) => {
    shared ??= JSON.stringify({ timestamp: wireTime(new Date()), ...read() }).slice(0, -1);
    return Buffer.from(`{"type":"event","data":${shared},"subscriptions":${JSON.stringify(ids)}}}`);
  };
}

/** `pattern` with each `{}` filled by its id and by `*` in every combination, the concrete name first. */
function namesOf(pattern: string, ids: readonly string[]): string[] {
  const parts = pattern.split('{}');
  return ids.reduce<string[]>(
    (names, id, index) =>
      names.flatMap((name) => [id, '*'].map((one) => `${name}${one}${parts[index + 1] ?? ''}`)),
    [parts[0] ?? ''],
  );
}

/** The names of an event: with what happened, without it, and those of what the record is part of. */
const eventNames = (patterns: readonly string[], ids: readonly string[], change: string): string[] => [
  ...namesOf(`${patterns.at(-1)}.${change}`, ids),
  ...patterns
    .toReversed()
    .flatMap((pattern) => namesOf(pattern, ids.slice(0, pattern.split('{}').length - 1))),
];

const documentPatterns = [
  'databases.{}',
  'databases.{}.collections.{}',
  'databases.{}.collections.{}.documents.{}',
];
const filePatterns = ['buckets.{}', 'buckets.{}.files.{}'];

/** Channels with those of one kind of change: `documents.create` and so on. */
const withChange = (channels: readonly string[], change: string): string[] => [
  ...channels,
  ...channels.map((name) => `${name}.${change}`),
];

function mayRead({ audience, owners }: DocumentChange): (viewer: Viewer) => boolean {
  if (audience === 'admins') return (viewer) => viewer.emailVerified && viewer.admin;
  return (viewer) => viewer.emailVerified && memberCan.receive(viewer, { owners });
}

/** The channels of a document, without their database. */
const documentChannels = ({ collection, id }: DocumentChange): string[] => [
  channel.collection(collection),
  channel.document(collection, id),
];

/**
 * Sends changed documents to those who may read them now: at once what our own web needs, which alone listens without
 * the database, and to the clients of the wire the whole, which is read only when one of them listens.
 */
export function documentDelivery(hub: Hub, databaseId: string): (change: DocumentChange) => Promise<void> {
  // Documents are read side by side and sent in the order of their changes.
  let turn: Promise<unknown> = Promise.resolve();
  return async (change) => {
    const { collection, id, document, readWhole, audience, alsoOn = [] } = change;
    const readers = {
      accountIds: typeof audience === 'string' ? null : audience,
      mayRead: mayRead(change),
    };
    const events = () => eventNames(documentPatterns, [databaseId, collection, id], change.change);
    const send = (channels: string[], content: Record<string, unknown>, names: () => string[]) => {
      const payload = { ...content, $id: id, $collectionId: collection, $databaseId: databaseId };
      const frameFor = frames(() => ({ events: names(), channels, payload }));
      hub.deliver({ ...readers, channels, payload, frameFor });
    };
    const own = documentChannels(change);
    send([...new Set([...own, ...alsoOn])], document, () => events().slice(0, 1));

    const prefixed = (names: readonly string[]) => names.map((name) => `databases.${databaseId}.${name}`);
    const channels = [
      ...new Set([...withChange(['documents', ...prefixed(own)], change.change), ...prefixed(alsoOn)]),
    ];
    if (!hub.hasListener({ ...readers, channels })) return;
    const reading = readWhole ? readWhole() : Promise.resolve(document);
    const before = turn;
    const sent = reading.finally(() => before).then((whole) => whole && send(channels, whole, events));
    turn = sent.catch(() => {});
    await sent;
  };
}

/** Sends a changed file to those who may know of it now. */
export function deliverFile(hub: Hub, { bucketId, id, change, document, ...readers }: FileChange): void {
  const { audience, ownerAccountId } = readers;
  const files = `buckets.${bucketId}.files`;
  const channels = withChange(['files', files, `${files}.${id}`], change);
  const events = () => eventNames(filePatterns, [bucketId, id], change);
  hub.deliver({
    channels,
    accountIds: audience === 'members' ? null : audience,
    mayRead: ({ emailVerified, hiddenAccountIds }) =>
      emailVerified && (ownerAccountId === null || !hiddenAccountIds.includes(ownerAccountId)),
    payload: document,
    frameFor: frames(() => ({ events: events(), channels, payload: document })),
  });
}

/** An account's own change, to its own sockets. */
export function accountMessage(user: User): Message {
  const channels = ['account', `account.${user.$id}`];
  const events = eventNames(['users.{}'], [user.$id], 'update');
  return {
    channels,
    accountIds: [user.$id],
    mayRead: () => true,
    payload: { ...user },
    frameFor: frames(() => ({ events, channels, payload: user })),
  };
}
