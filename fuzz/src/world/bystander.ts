import { fillPath } from '@tara/contract/url';
import { documents } from '@tara/contract/wire/documents';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { parseJson } from '../checks/problem.ts';
import type { HttpInput } from '../inputs/input.ts';
import { sendHttp } from '../send.ts';
import { Fields, type Value } from '../values/value.ts';

/** A member who sends no inputs: what they wait for is measured. */
export interface Bystander {
  /** Makes a small read, and resolves when it is answered. */
  read(): Promise<void>;
  /** Changes a record that every member reads, and resolves when their own socket has its event. One at a time. */
  change(): Promise<void>;
  /** Signs in again, for when the session ended. */
  renew(): Promise<void>;
  close(): void;
}

/** Who they are, and what is theirs. */
interface Ways {
  port: number;
  /** Opens a session and returns its secret. */
  signIn(): Promise<string>;
  /** Ids of a post and of the profile. */
  postId: string;
  profileId: string;
}

/** An event of the socket. */
const Frame = z.object({ data: z.object({ payload: z.object({ $id: z.string() }) }) });

const eventTimeoutMs = 15_000;
const reads = ['/api/post/feed', '/api/message/conversations'];

const request = (method: string, path: string, value?: Value): HttpInput => ({
  ...{ kind: 'http', call: 'bystander', actor: 'other', what: 'valid', method, path, query: [] },
  headers: value === undefined ? {} : { 'content-type': 'application/json' },
  body: value === undefined ? null : { kind: 'json', value },
});

/** Opens the bystander, signed in. */
export async function openBystander({ port, signIn, postId, profileId }: Ways): Promise<Bystander> {
  let session = await signIn();
  let socket: WebSocket | null = null;
  let count = 0;
  let onEvent = (_id: string) => {};

  const close = () => {
    socket?.removeAllListeners();
    socket?.on('error', () => {});
    socket?.terminate();
    socket = null;
  };
  const listen = async () => {
    if (socket?.readyState === WebSocket.OPEN) return;
    close();
    const opened = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?channels[]=documents`, {
      headers: { 'x-appwrite-session': session },
    });
    socket = opened;
    opened.on('error', () => {});
    opened.on('message', (data) => {
      const frame = Frame.safeParse(parseJson(String(data)));
      if (frame.success) onEvent(frame.data.data.payload.$id);
    });
    await new Promise<void>((done) => {
      opened.once('message', () => done());
      opened.once('close', () => done());
    });
  };

  const changed = (): { collectionId: string; documentId: string; data: Fields } => {
    const text = `change ${count}`;
    // A profile is changed seldom: its limit is lower.
    return count % 8 === 0
      ? { collectionId: 'users', documentId: profileId, data: new Fields([['bio', text]]) }
      : {
          collectionId: 'posts',
          documentId: postId,
          data: new Fields([
            ['caption', text],
            ['location', 'Cebu'],
            ['tags', Array.from({ length: 40 }, (_, index) => `sea${index}`)],
          ]),
        };
  };

  return {
    async read() {
      const path = reads[count++ % reads.length] ?? '';
      await sendHttp(port, request('GET', path), session);
    },
    async change() {
      await listen();
      count++;
      const { collectionId, documentId, data } = changed();
      const event = Promise.withResolvers<void>();
      const timer = setTimeout(event.resolve, eventTimeoutMs);
      const listening = socket;
      const stop = () => event.resolve();
      listening?.once('close', stop);
      onEvent = (id) => {
        if (id === documentId) event.resolve();
      };
      const values = new Map(Object.entries({ databaseId: 'tara', collectionId, documentId }));
      const path = fillPath(documents.update.path, (key) => values.get(key) ?? '');
      const { answer } = await sendHttp(port, request('PATCH', path, new Fields([['data', data]])), session);
      // Of a change that was refused, as by a rate limit, there is no event.
      if (answer?.status === 200 && listening?.readyState === WebSocket.OPEN) await event.promise;
      clearTimeout(timer);
      listening?.off('close', stop);
      onEvent = () => {};
    },
    async renew() {
      const { answer } = await sendHttp(port, request('GET', '/v1/account'), session);
      if (answer?.status !== 401) return;
      session = await signIn();
      close();
    },
    close,
  };
}
