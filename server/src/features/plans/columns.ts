import type { AnyPgColumn } from 'drizzle-orm/pg-core';

type Column = AnyPgColumn;

/**
 * Columns of a picture of a joined, aliased table. Each keeps its own type, which holds the alias: on it hangs
 * whether a left join makes the picture null.
 */
export const pictureOf = <
  Id extends Column,
  Bucket extends Column,
  Width extends Column,
  Height extends Column,
  Thumbhash extends Column,
  Alt extends Column,
>({
  id,
  bucket,
  width,
  height,
  thumbhash,
  alt,
}: {
  id: Id;
  bucket: Bucket;
  width: Width;
  height: Height;
  thumbhash: Thumbhash;
  alt: Alt;
}) => ({ id, bucket, width, height, thumbhash, alt });

/** The same of a member. */
export const personOf = <
  Id extends Column,
  AccountId extends Column,
  Name extends Column,
  Username extends Column,
  Verified extends Column,
>({
  id,
  accountId,
  name,
  username,
  verified,
}: {
  id: Id;
  accountId: AccountId;
  name: Name;
  username: Username;
  verified: Verified;
}) => ({ id, accountId, name, username, verified });
