import type { User } from '@tara/contract/accounts';
import { channel } from '@tara/contract/realtime';
import type { DocumentChange } from '../platform/documents.ts';
import type { Viewer } from '../platform/http/viewer.ts';
import type { Message } from '../platform/realtime/hub.ts';
import { wireTime } from './time.ts';

/** The event's frame up to its list of subscriptions, which alone differs from socket to socket. */
function frames(events: string[], channels: string[], payload: object): Message['frameFor'] {
  const shared = JSON.stringify({ events, channels, timestamp: wireTime(new Date()), payload }).slice(0, -1);
  return (ids) => Buffer.from(`{"type":"event","data":${shared},"subscriptions":${JSON.stringify(ids)}}}`);
}

/** What happened, with each id also as `*`; the concrete name first. */
function documentEvents(databaseId: string, { collection, id, change }: DocumentChange): string[] {
  const names = [databaseId, '*'].flatMap((d) =>
    [collection, '*'].flatMap((c) =>
      [id, '*'].map((x) => `databases.${d}.collections.${c}.documents.${x}.${change}`),
    ),
  );
  return [...names, `databases.${databaseId}.collections.${collection}.documents.${id}`];
}

function mayRead({ audience }: DocumentChange): (viewer: Viewer) => boolean {
  if (audience === 'admins') return (viewer) => viewer.emailVerified && viewer.admin;
  return (viewer) => viewer.emailVerified;
}

/** A changed document as a message to those who may read it now, on its channels with and without the database. */
export function documentMessage(databaseId: string, change: DocumentChange): Message {
  const { collection, id, document, audience, alsoOn = [] } = change;
  const own = [...new Set([channel.collection(collection), channel.document(collection, id), ...alsoOn])];
  const channels = ['documents', ...own.map((name) => `databases.${databaseId}.${name}`)];
  return {
    channels: [...channels, ...own],
    accountIds: typeof audience === 'string' ? null : audience,
    mayRead: mayRead(change),
    frameFor: frames(documentEvents(databaseId, change), channels, {
      ...document,
      $id: id,
      $collectionId: collection,
      $databaseId: databaseId,
    }),
  };
}

/** An account's own change, to its own sockets. */
export function accountMessage(user: User): Message {
  const channels = ['account', `account.${user.$id}`];
  const events = [`users.${user.$id}.update`, 'users.*.update', `users.${user.$id}`, 'users.*'];
  return {
    channels,
    accountIds: [user.$id],
    mayRead: () => true,
    frameFor: frames(events, channels, user),
  };
}
