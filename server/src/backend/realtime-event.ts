import type { User } from '@tara/contract/account-records';
import { channel } from '@tara/contract/realtime';
import { memberCan } from '../features/visibility/index.ts';
import type { DocumentChange } from '../platform/documents.ts';
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

/** What happened, with each id also as `*`; the concrete name first. */
function documentEvents(databaseId: string, { collection, id, change }: DocumentChange): string[] {
  const names = [databaseId, '*'].flatMap((d) =>
    [collection, '*'].flatMap((c) =>
      [id, '*'].map((x) => `databases.${d}.collections.${c}.documents.${x}.${change}`),
    ),
  );
  return [...names, `databases.${databaseId}.collections.${collection}.documents.${id}`];
}

function mayRead({ audience, owners }: DocumentChange): (viewer: Viewer) => boolean {
  if (audience === 'admins') return (viewer) => viewer.emailVerified && viewer.admin;
  return (viewer) => viewer.emailVerified && memberCan.receive(viewer, { owners });
}

/**
 * Sends a changed document to those who may read it now, on its channels with and without the database. Where only a
 * part is announced, our own web, which alone listens without the database, gets that part.
 */
export async function deliverDocument(hub: Hub, databaseId: string, change: DocumentChange): Promise<void> {
  const { collection, id, document, readWhole, audience, alsoOn = [] } = change;
  const own = [...new Set([channel.collection(collection), channel.document(collection, id), ...alsoOn])];
  const wire = ['documents', ...own.map((name) => `databases.${databaseId}.${name}`)];
  const readers = {
    accountIds: typeof audience === 'string' ? null : audience,
    mayRead: mayRead(change),
  };
  const send = (channels: string[], payload: Record<string, unknown>) =>
    hub.deliver({
      ...readers,
      channels,
      frameFor: frames(() => ({
        events: documentEvents(databaseId, change),
        channels: wire,
        payload: { ...payload, $id: id, $collectionId: collection, $databaseId: databaseId },
      })),
    });
  if (!readWhole) return send([...wire, ...own], document);
  send(own, document);
  const whole = hub.hasListener({ ...readers, channels: wire }) && (await readWhole());
  if (whole) send(wire, whole);
}

/** An account's own change, to its own sockets. */
export function accountMessage(user: User): Message {
  const channels = ['account', `account.${user.$id}`];
  const events = [`users.${user.$id}.update`, 'users.*.update', `users.${user.$id}`, 'users.*'];
  return {
    channels,
    accountIds: [user.$id],
    mayRead: () => true,
    frameFor: frames(() => ({ events, channels, payload: user })),
  };
}
