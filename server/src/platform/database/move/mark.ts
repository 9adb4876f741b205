import type { Client } from 'pg';
import { StartRefused } from '../../start-refused.ts';
import { openDriver } from '../address.ts';

/** While this schema is in a database, a move into it has begun and is not done. */
const markSchema = 'database_move';

/** Marks an empty database before anything else is made in it. */
export const setMark = (client: Client) =>
  client.query(`create schema ${markSchema};
    create table ${markSchema}.begun as select now() as at;`);

export const removeMark = (client: Client) =>
  client.query(`drop table ${markSchema}.begun; drop schema ${markSchema};`);

/** When a move into the database began that is not done, as text in UTC; null when there is none. */
export async function readMark(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regclass('${markSchema}.begun') is not null as "isThere"`,
  );
  if (rows[0]?.isThere !== true) return null;
  const begun = await client.query<{ at: string }>(
    `select to_char(at at time zone 'utc', 'YYYY-MM-DD HH24:MI') as at from ${markSchema}.begun`,
  );
  return begun.rows[0]?.at ?? null;
}

/** A move into this database is not done. */
class HalfMoved extends StartRefused {
  override readonly name = 'HalfMoved';
}

/** @throws HalfMoved when a move into the database broke off: it has only a part of the rows, or none. */
export async function refuseHalfMoved(url: string): Promise<void> {
  const sql = openDriver(url, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    const [row] = await sql`select to_regclass(${`${markSchema}.begun`}) is not null as marked`;
    if (row?.marked !== true) return;
    throw new HalfMoved(
      'A move into this database is not done: run npm run admin -- database move URL --again, without DATABASE_URL or with that of the database before.',
    );
  } finally {
    await sql.end({ timeout: 1 });
  }
}
