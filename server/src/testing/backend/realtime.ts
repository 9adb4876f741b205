import { expect } from 'vitest';
import type { WebSocket } from 'ws';
import type { ReadRecord } from '../../backend/realtime/event.ts';
import { type DocumentChange, noOwners } from '../../platform/documents.ts';
import { addMember, type TestMember } from '../features/sessions.ts';
import { announcedRecord, backendTest } from './backend.ts';
import { type ClientOptions, realtimeClient } from './realtime-client.ts';

/** A test with members who listen; `announce` publishes a change of a message. Its sockets are closed after it. */
export const realtimeTest = (read: ReadRecord = announcedRecord) =>
  backendTest({}, { read })
    .extend('open', async ({ backend: _ }, { onCleanup }) => {
      const sockets = new Set<WebSocket>();
      onCleanup(() => {
        for (const socket of sockets) socket.terminate();
      });
      return sockets;
    })
    .extend('ana', { scope: 'file' }, ({ connection }) => addMember(connection))
    .extend('ben', { scope: 'file' }, ({ connection }) => addMember(connection))
    .extend('connect', ({ backend, open }) => async (secret: string | null, options?: ClientOptions) => {
      const client = realtimeClient(backend.url, secret, options);
      open.add(client.socket);
      return client;
    })
    .extend('listening', ({ connect }) => async (who: TestMember, ...channels: string[]) => {
      const client = await connect(who.secret);
      expect(await client.next()).toMatchObject({
        type: 'connected',
        data: { user: { $id: who.accountId } },
      });
      client.say('subscribe', [{ subscriptionId: 's1', channels, queries: [] }]);
      expect(await client.next()).toMatchObject({
        type: 'response',
        data: { to: 'subscribe', success: true },
      });
      return client;
    })
    .extend(
      'message',
      { scope: 'file' },
      ({ ana }) =>
        (change: Partial<DocumentChange> = {}) =>
          ({
            collection: 'chatReceipts',
            id: 'm1',
            change: 'create',
            last: {},
            document: { id: 'm1', body: 'hello' },
            audience: [ana.accountId],
            owners: noOwners,
            ...change,
          }) as DocumentChange,
    )
    .extend(
      'announce',
      { scope: 'file' },
      ({ backend, message }) =>
        (change: Partial<DocumentChange> = {}) =>
          backend.platform.bus.publish('document', message(change)),
    );
