import { connect } from '@tara/server/src/platform/database/connect.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import { answerParent } from '../measure/child.ts';

export interface BareRelay {
  databaseUrl: string;
}

/**
 * What the per-plan chat is compared with: a `ws` relay that commits one INSERT per message and passes it on to the
 * partner. It has no session, no membership, no sequence, no keys of the sender, and nothing but the partner to tell.
 */
async function listen({ databaseUrl }: BareRelay): Promise<{ port: number }> {
  const { sql } = connect(databaseUrl);
  await sql`
    create table bare_messages (
      id bigserial primary key, chat text not null, writer integer not null, body text not null,
      client_key text not null, created_at timestamptz(3) not null default now())`;
  const sockets = new Map<number, WebSocket>();
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket, request) => {
    const writer = Number(new URL(request.url ?? '/', 'ws://bare').searchParams.get('member'));
    sockets.set(writer, socket);
    socket.on('message', async (data) => {
      const { chat, body, clientKey } = JSON.parse(String(data));
      const [stored] = await sql`
        insert into bare_messages (chat, writer, body, client_key)
        values (${chat}, ${writer}, ${body}, ${clientKey}) returning *`;
      // Members 0 and 1 are a pair, 2 and 3, and so on.
      sockets.get(writer ^ 1)?.send(JSON.stringify(stored));
    });
  });
  await new Promise<void>((done) => server.once('listening', done));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0 };
}

answerParent<BareRelay, { port: number }>(listen);
