import { eq } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import { profiles } from '../../../features/profiles/index.ts';
import {
  attribute,
  type DocumentSource,
  derived,
  type Expression,
  grants,
  type Relation,
  recordOf,
  related,
} from '../collection.ts';

/** The address of a picture, or of someone's initials where there is none (§3). */
export const imageUrl = (imageId: Expression, name: Expression) =>
  derived('string', [imageId, name], ([id, owner], { pictures }) =>
    typeof id === 'string' ? pictures.stored('images', id) : pictures.initials(String(owner)),
  );

export type ProfileTable = typeof profiles;

/** A member inside the records that they made: a document of `users` with its public fields. */
export function personSource(table: ProfileTable): DocumentSource {
  return {
    collectionId: 'users',
    ...recordOf(table),
    parties: [table.accountId],
    permissions: ([owner = '']) => [grants.readByMembers, grants.updateBy(owner)],
    attributes: {
      accountId: attribute('string', table.accountId),
      name: attribute('string', table.name),
      username: attribute('string', table.username),
      imageId: attribute('string', table.imageId),
      imageUrl: imageUrl(table.imageId, table.name),
      verified: attribute('boolean', table.verified),
    },
  };
}

/**
 * A member inside a document, by the column with their profile's id.
 * @param name of the table's alias in the statement; each person of a document needs their own.
 */
export function person(column: PgColumn, name: string, options: Pick<Relation, 'indexed'> = {}): Relation {
  const table = alias(profiles, name) as unknown as ProfileTable;
  return related(column, personSource(table), eq(table.id, column), options);
}
