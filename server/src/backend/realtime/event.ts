import { nowDate } from '@tara/contract/clock';
import type { User } from '@tara/contract/wire/account-records';
import { channel } from '@tara/contract/wire/realtime';
import { memberCan } from '../../features/visibility/index.ts';
import type { DocumentChange, FileChange, Topics } from '../../platform/documents.ts';
import { memberRefusal, type Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Payload } from '../../platform/realtime/connection.ts';
import type { Hub, Message } from '../../platform/realtime/hub.ts';
import { wireTime } from '../../platform/wire-time.ts';
import type { StoredRecord } from '../documents/read.ts';
import { pictureAddresses } from '../pictures.ts';
import { presentSession, presentToken } from '../present.ts';

/**
 * The event's frame up to its list of subscriptions, which alone differs between sockets that get the same payload. It
 * is built when the first socket needs it: a change without listeners costs nothing.
 */
function frames(read: () => { events: string[]; channels: string[] }): Message['frameFor'] {
  const shared = new Map<Payload, string>();
  return (payload, ids) => {
    const known = shared.get(payload);
    const text = known ?? JSON.stringify({ timestamp: wireTime(nowDate()), ...read(), payload }).slice(0, -1);
    if (known === undefined) shared.set(payload, text);
    return Buffer.from(`{"type":"event","data":${text},"subscriptions":${JSON.stringify(ids)}}}`);
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

/** `pattern` with each `{}` filled by its id. */
const concreteName = (pattern: string, ids: readonly string[]): string =>
  ids.reduce((name, id) => name.replace('{}', () => id), pattern);

/** The names of an event: with what happened, without it, and those of what the record is part of. */
const eventNames = (patterns: readonly string[], ids: readonly string[], change: string): string[] => [
  ...namesOf(`${patterns.at(-1)}.${change}`, ids),
  ...patterns
    .toReversed()
    .flatMap((pattern) => namesOf(pattern, ids.slice(0, pattern.split('{}').length - 1))),
];

const documentPattern = 'databases.{}.collections.{}.documents.{}';
const documentPatterns = ['databases.{}', 'databases.{}.collections.{}', documentPattern];
const filePatterns = ['buckets.{}', 'buckets.{}.files.{}'];

/** Channels with those of one kind of change: `documents.create` and so on. */
const withChange = (channels: readonly string[], change: string): string[] => [
  ...channels,
  ...channels.map((name) => `${name}.${change}`),
];

function mayRead({ audience, owners }: DocumentChange): (viewer: Viewer) => boolean {
  if (audience === 'admins') return (viewer) => memberRefusal(viewer) === null && viewer.admin;
  return (viewer) => memberRefusal(viewer) === null && memberCan.receive(viewer, { owners });
}

/** The first parts of the channels on which clients of the wire listen to documents. */
const wireRoots = ['documents', 'databases'];

/** The channels of a document, without their database. */
const documentChannels = ({ collection, id }: DocumentChange): string[] => [
  channel.collection(collection),
  channel.document(collection, id),
];

/** Reads a changed record as a viewer reads it. */
export type ReadRecord = (change: DocumentChange, viewer: Viewer) => Promise<StoredRecord | null>;

/** Stands for all members: what they may read is read once for all of them. */
const anyMember: Viewer = {
  ...{ accountId: '', profileId: '', sessionId: '', name: '', email: '' },
  ...{ emailVerified: true, verified: false, hasConsented: true, admin: false },
  ...{ hasAdminLabel: false, hasSecondFactor: false, secondFactorShownAt: null },
  ...{ passwordShownAt: new Date(0), deletesAt: null, suspendedUntil: null },
  ...{ hiddenProfileIds: [], hiddenAccountIds: [], mutedProfileIds: [] },
};

type WireContext = Pick<Platform, 'config' | 'sealer'>;

/**
 * The payloads of a record that was read once: one for most viewers; the record's own parties and those from
 * whom somebody is hidden each get their own. Of a record that few accounts read, each session that shows pictures on
 * another site gets addresses of its own; events that reach all members have none with a token.
 */
function sharedPayloads(
  record: StoredRecord,
  context: WireContext,
  { isForFew }: { isForFew: boolean },
): Message['payloadFor'] {
  const { databaseId } = context.config;
  const parties = new Set(record.parties);
  const payloads = new Map<string, Payload | null>();
  return (viewer, { numericSequence, hasFileTokens }) => {
    const sessionId = isForFew && hasFileTokens ? viewer.sessionId : null;
    const isOwn = parties.has(viewer.accountId) || viewer.hiddenProfileIds.length > 0;
    const key = `${numericSequence} ${isOwn ? viewer.accountId : ''} ${sessionId ?? ''}`;
    if (!payloads.has(key)) {
      const pictures = pictureAddresses(context, sessionId);
      const form = { databaseId, numericSequence, pictures };
      payloads.set(key, record.present({ ...form, viewer: isOwn ? viewer : null }));
    }
    return payloads.get(key) ?? null;
  };
}

/** A changed record as it was read for its listeners. */
interface ReadPayloads {
  payloadFor: Message['payloadFor'];
  /** Whether nobody is hidden from the viewer who was not when it was read: what was read may show that member. */
  isCurrent(viewer: Viewer): boolean;
}

/**
 * The payloads of a changed record for the clients of the wire, as `getDocument` would answer each of them now, and of a
 * deleted one as it would have answered before.
 */
async function readPayloads(
  change: DocumentChange,
  listeners: () => readonly Viewer[],
  context: WireContext,
  read: ReadRecord,
): Promise<ReadPayloads> {
  const { audience } = change;
  if (typeof audience === 'string') {
    const record = await read(change, audience === 'admins' ? { ...anyMember, admin: true } : anyMember);
    const payloadFor = record ? sharedPayloads(record, context, { isForFew: false }) : () => null;
    // Its owners say from whom it is hidden.
    return { payloadFor, isCurrent: () => true };
  }
  const records = await Promise.all(
    listeners().map(async (viewer) => {
      const record = await read(change, viewer);
      const payloadFor: Message['payloadFor'] = record
        ? sharedPayloads(record, context, { isForFew: true })
        : () => null;
      return [viewer.accountId, { hiddenBefore: viewer.hiddenProfileIds, payloadFor }] as const;
    }),
  );
  const byAccount = new Map(records);
  return {
    payloadFor: (viewer, socket) => byAccount.get(viewer.accountId)?.payloadFor(viewer, socket) ?? null,
    isCurrent: ({ accountId, hiddenProfileIds }) => {
      const before = byAccount.get(accountId)?.hiddenBefore;
      return before === hiddenProfileIds || hiddenProfileIds.every((id) => before?.includes(id));
    },
  };
}

/**
 * Sends changed documents to those who may read them now: at once what our own web needs, which alone listens without
 * the database, and to the clients of the wire the document, which is read only when one of them listens.
 */
export function documentDelivery(
  hub: Hub,
  context: WireContext,
  read: ReadRecord,
): (change: DocumentChange) => Promise<void> {
  const { databaseId } = context.config;
  // Documents are read side by side and sent in the order of their changes.
  let turn: Promise<unknown> = Promise.resolve();
  return async (change) => {
    const { collection, id, document, clients, audience, alsoOn = [] } = change;
    const readers = {
      accountIds: typeof audience === 'string' ? null : audience,
      mayRead: mayRead(change),
    };
    const ids = [databaseId, collection, id];
    const own = documentChannels(change);
    if (clients !== 'wire') {
      const channels = [...new Set([...own, ...alsoOn])];
      const payload = { ...document, $id: id, $collectionId: collection, $databaseId: databaseId };
      const events = () => [concreteName(`${documentPattern}.${change.change}`, ids)];
      hub.deliver({
        ...{ ...readers, channels, payloadFor: () => payload },
        frameFor: frames(() => ({ events: events(), channels })),
      });
    }
    // Most members listen with our own web alone: then there are no names to be made.
    if (clients === 'web' || !hub.hasListenerBelow(wireRoots, readers.accountIds)) return;

    const events = () => eventNames(documentPatterns, ids, change.change);
    const prefixed = (names: readonly string[]) => names.map((name) => `databases.${databaseId}.${name}`);
    const channels = [
      ...new Set([...withChange(['documents', ...prefixed(own)], change.change), ...prefixed(alsoOn)]),
    ];
    const wire = { ...readers, channels };
    if (!hub.hasListener(wire)) return;
    const reading = readPayloads(change, () => hub.listeners(wire), context, read);
    const before = turn;
    const sent = reading
      .finally(() => before)
      .then(({ payloadFor, isCurrent }) =>
        hub.deliver({
          ...{ ...wire, payloadFor, frameFor: frames(() => ({ events: events(), channels })) },
          mayRead: (viewer) => wire.mayRead(viewer) && isCurrent(viewer),
        }),
      );
    turn = sent.catch(() => {});
    await sent;
  };
}

/** Sends a changed file to those who may know of it now, under the id by which each of them knows it. */
export function deliverFile(hub: Hub, { bucketId, id, ownId, change, ...file }: FileChange): void {
  const { document, audience, ownerAccountId } = file;
  const files = `buckets.${bucketId}.files`;
  const deliver = ($id: string, isFor: (viewer: Viewer) => boolean) => {
    const channels = withChange(['files', files, `${files}.${$id}`], change);
    const events = () => eventNames(filePatterns, [bucketId, $id], change);
    const payload = { ...document, $id };
    hub.deliver({
      channels,
      accountIds: audience === 'members' ? null : audience,
      mayRead: (viewer) =>
        memberRefusal(viewer) === null &&
        (ownerAccountId === null || !viewer.hiddenAccountIds.includes(ownerAccountId)) &&
        isFor(viewer),
      payloadFor: () => payload,
      frameFor: frames(() => ({ events: events(), channels })),
    });
  };
  deliver(ownId, ({ accountId }) => accountId === ownerAccountId);
  deliver(id, ({ accountId }) => accountId !== ownerAccountId);
}

/** An account's own change, to its own sockets. */
export function accountMessage(user: User, field?: string): Message {
  const channels = ['account', `account.${user.$id}`];
  const events = [
    ...namesOf('users.{}.update', [user.$id]),
    ...(field === undefined ? [] : namesOf(`users.{}.update.${field}`, [user.$id])),
    ...namesOf('users.{}', [user.$id]),
  ];
  const payload = { ...user };
  return {
    ...{ channels, accountIds: [user.$id], mayRead: () => true, payloadFor: () => payload },
    frameFor: frames(() => ({ events, channels })),
  };
}

/** A change of a session or a mailed secret of an account, to the account's own sockets. */
function accountPartMessage(
  userId: string,
  part: { kind: 'sessions' | 'recovery' | 'verification'; id: string; change: string },
  payloadFor: Message['payloadFor'],
): Message {
  const channels = ['account', `account.${userId}`];
  const events = eventNames(['users.{}', `users.{}.${part.kind}.{}`], [userId, part.id], part.change);
  return {
    ...{ channels, accountIds: [userId], mayRead: () => true, payloadFor },
    frameFor: frames(() => ({ events, channels })),
  };
}

/** A session that began, was extended or ended. */
export function sessionMessage({ session, email, change }: Topics['sessionChanged']): Message {
  const { id, accountId } = session;
  const own = { ...presentSession(session, { email, currentId: id }) };
  const other = { ...own, current: false };
  return accountPartMessage(accountId, { kind: 'sessions', id, change }, ({ sessionId }) =>
    sessionId === id ? own : other,
  );
}

/** That an account's notifications changed, to its own tabs: they read them again. */
export function notificationsMessage({ accountId }: Topics['notificationsChanged']): Message {
  const channels = [channel.notifications];
  const payload = {};
  return {
    ...{ channels, accountIds: [accountId], payloadFor: () => payload },
    mayRead: (viewer) => memberRefusal(viewer) === null,
    frameFor: frames(() => ({ events: [`${channel.notifications}.update`], channels })),
  };
}

/** A mailed secret that was asked for or used, never with the secret. */
export function tokenMessage({ kind, change, token }: Topics['tokenChanged']): Message {
  const payload = { ...presentToken(token) };
  return accountPartMessage(token.accountId, { kind, id: token.id, change }, () => payload);
}
