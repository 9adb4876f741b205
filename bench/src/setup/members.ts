import type { BenchDatabase } from './database.ts';

/** SQL of the id of the `number`-th record of a kind: as long and as random as the product's ids. */
export const sqlId = (kind: string, number: string) => `substr(md5('${kind}' || ${number}), 1, 20)`;

/** The session secret of the n-th member, as in its cookie. */
export const sessionSecret = (number: number) => `bench-session-${number}`;

/** Adds members 0 … count - 1, each with a confirmed email, a profile with a picture, and an open session. */
export async function addMembers({ sql }: BenchDatabase, count: number): Promise<void> {
  const numbers = `generate_series(0, ${count - 1}) as number`;
  await sql.unsafe(`
    insert into accounts (id, email, name, password_hash, email_verified_at)
    select ${sqlId('account', 'number')}, 'member' || number || '@example.com', 'Member ' || number, 'none', now()
    from ${numbers}`);
  await sql.unsafe(`
    insert into files (id, bucket, owner_account_id, mime_type, size, signature, width, height, thumbhash, alt, used_at)
    select ${sqlId('face', 'number')}, 'images', ${sqlId('account', 'number')}, 'image/jpeg', 60000, md5('' || number),
      640, 640, 'JhgKDAQmZYl3h4iCeHiHhwAAAAAA', '', now()
    from ${numbers}`);
  await sql.unsafe(`
    insert into profiles (id, account_id, name, username, image_id, verified, updated_at)
    select ${sqlId('profile', 'number')}, ${sqlId('account', 'number')}, 'Member ' || number, 'member' || number,
      ${sqlId('face', 'number')}, case when number % 5 = 0 then true end, now() - number * interval '1 minute'
    from ${numbers}`);
  await sql.unsafe(`
    insert into sessions (id, account_id, secret_hash, expires_at)
    select ${sqlId('session', 'number')}, ${sqlId('account', 'number')},
      sha256(convert_to('${sessionSecret(0).slice(0, -1)}' || number, 'UTF8')), now() + interval '1 day'
    from ${numbers}`);
}

/** Profile ids of the members, in the order of their numbers. */
export async function profileIds({ sql }: BenchDatabase): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from profiles order by substr(username, length('member') + 1)::int`;
  return rows.map(({ id }) => id);
}

/** Lets each of `count` members from `first` block and mute `each` of the members before them. */
export async function addBlocksAndMutes(
  { sql }: BenchDatabase,
  { first, count, each }: { first: number; count: number; each: number },
): Promise<void> {
  const pairs = (offset: number) => `
    select ${sqlId('profile', 'number')} as one, ${sqlId('profile', `((number * 7 + other + ${offset}) % ${first})`)} as another
    from generate_series(${first}, ${first + count - 1}) as number, generate_series(1, ${each}) as other`;
  await sql.unsafe(`
    insert into blocks (blocker_id, blocked_id, blocker_name, blocked_name)
    select one, another, '', '' from (${pairs(0)}) as pair`);
  await sql.unsafe(
    `insert into mutes (muter_id, muted_id) select one, another from (${pairs(each)}) as pair`,
  );
  await sql.unsafe('analyze blocks, mutes');
}
