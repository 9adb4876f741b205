import { createServer } from 'node:http';
import { feedStatement } from '@tara/server/features/posts/index';
import { connect } from '@tara/server/platform/database/connect';
import { answerParent } from '../measure/child.ts';

/** What the bare handler needs: the database, who the viewers are, and the bytes that it answers. */
export interface BareFeed {
  databaseUrl: string;
  /** Profile ids, taken in turn: nobody is signed in here. */
  viewers: string[];
  body: string;
}

/**
 * What the feed is compared with: `node:http`, the feed's own SQL prepared the same way, and a body of the same bytes
 * that was made before. It has no session, no validation, no presenting, no headers.
 */
async function listen({ databaseUrl, viewers, body }: BareFeed): Promise<{ port: number }> {
  const { sql, database } = connect(databaseUrl);
  const statement = feedStatement(database);
  const bytes = Buffer.from(body);
  let served = 0;
  const server = createServer(async (_request, response) => {
    const viewer = viewers[served++ % viewers.length] ?? '';
    const rows = await sql.unsafe(statement.text, statement.fill({ viewer }), { prepare: true }).values();
    response.writeHead(rows.length > 0 ? 200 : 500, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': bytes.length,
    });
    response.end(bytes);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0 };
}

answerParent<BareFeed, { port: number }>(listen);
