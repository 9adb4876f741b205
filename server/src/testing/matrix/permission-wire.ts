import type { CollectionId } from '@tara/contract/wire/documents';
import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { type Frame, realtimeClient } from '../backend/realtime-client.ts';
import { type People, type PersonName, people } from './permission-world.ts';

/** What a call of the wire answers. */
export interface Reply {
  /** 'yes', or the type of the error. */
  outcome: string;
  body: Record<string, unknown>;
}

export async function readReply(reply: Response): Promise<Reply> {
  const isJson = reply.headers.get('content-type')?.includes('json') === true;
  const body = isJson ? ((await reply.json()) as Record<string, unknown>) : {};
  return { outcome: reply.ok ? 'yes' : String(body.type), body };
}

export const documentsPath = (collectionId: CollectionId) =>
  `databases/tara/collections/${collectionId}/documents`;

/** A channel of realtime, and a change of something of the owner that it announces; the change returns its id. */
export interface ChannelCase {
  channel: string;
  change: () => Promise<string>;
}

/** The wire of a running server as each person of the matrix uses it. */
export function permissionWire(url: string, members: People) {
  const secretOf = (who: PersonName) => (who === 'guest' ? null : members[who].secret);

  async function ask(who: PersonName, path: string, method = 'GET', body?: object): Promise<Reply> {
    const secret = secretOf(who);
    const session: Record<string, string> = secret === null ? {} : { 'x-appwrite-session': secret };
    const reply = await fetch(`${url}/v1/${path}`, {
      method,
      headers: { ...session, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return readReply(reply);
  }
  const create = (who: PersonName, collectionId: CollectionId, data: object) =>
    ask(who, documentsPath(collectionId), 'POST', { documentId: 'unique()', data });
  const update = (who: PersonName, collectionId: CollectionId, id: string, data: object) =>
    ask(who, `${documentsPath(collectionId)}/${id}`, 'PATCH', { data });

  /** A socket that listens to the channels, each by a subscription of its name. */
  async function listen(who: PersonName, cases: Record<string, ChannelCase>) {
    const client = realtimeClient(url, secretOf(who));
    await client.next();
    client.say(
      'subscribe',
      Object.entries(cases).map(([name, { channel }]) => ({ subscriptionId: name, channels: [channel] })),
    );
    expect(await client.next()).toMatchObject({ data: { to: 'subscribe', success: true } });
    /** The frames received up to the one that is waited for. */
    const hear = async (isLast: (frame: Frame) => boolean): Promise<Frame[]> => {
      const frames: Frame[] = [];
      while (!frames.some(isLast)) frames.push(await client.next());
      return frames;
    };
    return { ...client, who, hear };
  }

  /** Makes each change in turn while all listen; `report` gets who received it. The owner always does. */
  async function hearChanges(
    cases: Record<string, ChannelCase>,
    report: (name: string, who: PersonName, heard: boolean) => void,
  ): Promise<void> {
    const listeners = await Promise.all(people.map((who) => listen(who, cases)));
    for (const [name, { change }] of Object.entries(cases)) {
      const id = await change();
      const isEvent = ({ data }: Frame) => data?.subscriptions?.includes(name) && data.payload.$id === id;
      const byOwner = await listeners.find(({ who }) => who === 'owner')?.hear(isEvent);
      // Documents are announced in the order of their changes: a listener that got this one got those before.
      const bio = newId();
      await update('admin', 'users', members.admin.profileId, { bio });
      const isNewest = ({ data }: Frame) => data?.payload?.bio === bio;
      const heard = await Promise.all(
        listeners
          .filter(({ who }) => who !== 'guest')
          .map(async ({ who, hear }) => [who, await hear(isNewest)] as const),
      );
      const guest = listeners.find(({ who }) => who === 'guest');
      const frames = new Map<PersonName, Frame[] | undefined>(heard);
      frames.set('owner', byOwner).set('guest', await guest?.untilNow());
      for (const who of people) report(name, who, frames.get(who)?.some(isEvent) === true);
    }
    for (const { socket } of listeners) socket.close();
  }

  return { secretOf, ask, create, update, hearChanges };
}
