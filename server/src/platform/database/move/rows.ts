import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Table } from './catalogue.ts';

/**
 * Copies the rows of a table into the same one of another database, as a stream. The target was emptied in its
 * transaction, so that its rows are written as old ones (`freeze`), which no vacuum needs to write again.
 */
export async function copyRows(source: Client, target: Client, { name, columns }: Table): Promise<void> {
  const list = columns.join(', ');
  await pipeline(
    source.query(copyTo(`copy ${name} (${list}) to stdout`)),
    target.query(copyFrom(`copy ${name} (${list}) from stdin with (freeze)`)),
  );
}

/** The rows of a table: how many, and a sum that is another when any value is another. */
export interface Summary {
  readonly rows: number;
  readonly checksum: string;
}

/**
 * Counts the rows of a table and sums a hash of each, so that their order does not matter. It is the same in every version of
 * Postgres: of the text of what is stored by SHA-256, not by Postgres' own hashes, which no version promises to keep.
 * Computed columns are left out: the rules of `unaccent` and letters are those of each server.
 */
export async function summarize(client: Client, { name, columns }: Table): Promise<Summary> {
  const { rows } = await client.query<{ rows: string; checksum: string }>(
    `select count(*)::text as rows, coalesce(sum((
      'x' || encode(substring(sha256(convert_to(row(${columns.join(', ')})::text, 'UTF8')) from 1 for 8), 'hex')
    )::bit(64)::bigint), 0)::text as checksum from ${name}`,
  );
  return { rows: Number(rows[0]?.rows), checksum: rows[0]?.checksum ?? '' };
}
