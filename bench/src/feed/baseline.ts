import { createServer } from 'node:http';
import { feedStatement } from '@tara/server/features/posts/index';
import { visibilityValues } from '@tara/server/features/visibility/index';
import { connect } from '@tara/server/platform/database/connect';
import { serveParent } from '../measure/child.ts';

const nobodyHidden = visibilityValues({ hiddenProfileIds: [], mutedProfileIds: [] });

/** Options of the baseline handler. */
export interface BaselineFeed {
  databaseUrl: string;
  /** Profile ids, used in turn, because there is no sign-in. */
  viewers: string[];
  /** The body of each response. */
  body: string;
}

/**
 * The baseline of the feed: `node:http`, the feed's SQL prepared in the same way, and a constant body of the same bytes.
 * It has no session, validation, presenter or headers.
 */
async function listen({ databaseUrl, viewers, body }: BaselineFeed): Promise<{ port: number }> {
  const { sql, database } = connect(databaseUrl);
  const statement = feedStatement(database);
  const bytes = Buffer.from(body);
  let served = 0;
  const server = createServer(async (_request, response) => {
    const viewer = viewers[served++ % viewers.length] ?? '';
    const rows = await sql
      .unsafe(statement.text, statement.fill({ viewer, ...nobodyHidden }), { prepare: true })
      .values();
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

serveParent<BaselineFeed, { port: number }>(listen);
