import { randomUUID } from 'node:crypto';
import { connect } from '@tara/server/platform/database/connect';
import { type WebSocket, WebSocketServer } from 'ws';
import { serveParent } from '../measure/child.ts';

export interface BaselineRelay {
  databaseUrl: string;
  /** Profile id of each member, by number. */
  writers: string[];
}

/**
 * The baseline of chats: a `ws` relay that commits one INSERT per message into the same table and sends it
 * to the partner only. It has no session, membership check or lookup.
 */
async function listen({ databaseUrl, writers }: BaselineRelay): Promise<{ port: number }> {
  const { sql } = connect(databaseUrl);
  const sockets = new Map<number, WebSocket>();
  const sequences = new Map<string, number>();
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket, request) => {
    const member = Number(new URL(request.url ?? '/', 'ws://baseline').searchParams.get('member'));
    const writer = writers[member] ?? '';
    sockets.set(member, socket);
    socket.on('message', async (data) => {
      const { chat, body, clientKey } = JSON.parse(String(data));
      const sequence = (sequences.get(chat) ?? 0) + 1;
      sequences.set(chat, sequence);
      const [stored] = await sql`
        insert into messages (chat_id, sequence, id, user_id, name, body, client_key, first_count, second_count)
        values (${chat}, ${sequence}, ${randomUUID()}, ${writer}, ${`Member ${member}`}, ${body}, ${clientKey}, 0, 0)
        returning *`;
      // Members 0 and 1 are a pair, 2 and 3, and so on.
      sockets.get(member ^ 1)?.send(JSON.stringify(stored));
    });
  });
  await new Promise<void>((done) => server.once('listening', done));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0 };
}

serveParent<BaselineRelay, { port: number }>(listen);
