import type { Picture } from '@tara/contract/fields';
import { pictureUrl } from '@tara/contract/files';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { jsonObject, pickColumns } from '../../platform/database/columns.ts';
import { files } from './tables.ts';

export interface PictureRow {
  id: string;
  bucket: string;
  width: number;
  height: number;
  variants: number[];
  thumbhash: string;
  alt: string;
}

type PictureTable = Record<keyof PictureRow, PgColumn>;

/** Columns of a joined picture; give the (aliased) table. */
export const pictureColumns = <Table extends PictureTable>(table: Table) =>
  pickColumns(table, ['id', 'bucket', 'width', 'height', 'variants', 'thumbhash', 'alt']);

/** The pictures that rows of a table refer to, in their order, as a sub-select. */
export const picturesOf = (
  table: PgTable & Record<'imageId' | 'position', PgColumn>,
  where: SQL | undefined,
) => sql<PictureRow[]>`(
  select coalesce(json_agg(${jsonObject(pictureColumns(files))} order by ${table.position}), '[]')
  from ${table} join ${files} on ${eq(files.id, table.imageId)}
  where ${where})`;

/** A stored picture as a member sees it; `?width=` of its address picks a variant. */
export function presentPicture(row: PictureRow): Picture {
  return {
    imageId: row.id,
    imageUrl: pictureUrl(row.bucket, row.id),
    width: row.width,
    height: row.height,
    widths: row.variants,
    thumbhash: row.thumbhash,
    alt: row.alt,
  };
}

/** The first picture of a profile, made of its initials (§3). */
export function initialsPicture(name: string): Picture {
  const imageUrl = `/v1/avatars/initials?name=${encodeURIComponent(name)}`;
  return { imageId: null, imageUrl, width: 500, height: 500, widths: [], thumbhash: null, alt: name };
}
