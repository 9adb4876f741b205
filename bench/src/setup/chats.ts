import type { BenchDatabase } from './database.ts';
import { sqlId } from './members.ts';

/** The chat of one pair: `members` are the numbers of `addMembers`, creator and client. */
export interface Chat {
  id: string;
  members: [number, number];
}

/** Adds the per-plan chats of `count` pairs of the members from `addMembers`, each with a plan and a paid request. */
export async function addChats({ sql }: BenchDatabase, count: number): Promise<Chat[]> {
  const numbers = `generate_series(0, ${count - 1}) as number`;
  const creator = (kind: string) => sqlId(kind, '(number * 2)');
  const client = (kind: string) => sqlId(kind, '(number * 2 + 1)');
  await sql.unsafe(`
    insert into plans (id, creator_id, title, price_centavos, image_id, terms)
    select ${sqlId('plan', 'number')}, ${creator('profile')}, 'A walk', 10000, ${creator('face')},
      'We meet in a public place.'
    from ${numbers}`);
  await sql.unsafe(`
    insert into interactions (id, plan_id, plan_title, client_id, creator_id, price_centavos, reference_number, paid_at)
    select ${sqlId('request', 'number')}, ${sqlId('plan', 'number')}, 'A walk', ${client('profile')},
      ${creator('profile')}, 10000, 'ref' || number, now()
    from ${numbers}`);
  const opened = await sql.unsafe<{ id: string; number: number }[]>(`
    with opened as (
      insert into receipts (id, interaction_id, creator_id, client_id, creator_account_id, client_account_id)
      select left(${creator('profile')}, 5) || left(${client('profile')}, 5) || 'ref' || number,
        ${sqlId('request', 'number')}, ${creator('profile')}, ${client('profile')}, ${creator('account')},
        ${client('account')}
      from ${numbers} returning id)
    select id, split_part(id, 'ref', 2)::int as number from opened order by 2`);
  await sql`
    insert into chats (id, kind, first_id, second_id, first_account_id, second_account_id)
    select id, 'receipt', creator_id, client_id, creator_account_id, client_account_id from receipts`;
  await sql`insert into chat_marks (chat_id, member_id) select id, unnest(array[first_id, second_id]) from chats`;
  await sql.unsafe('vacuum analyze');
  await sql.unsafe('checkpoint');
  return opened.map(({ id, number }) => ({ id, members: [number * 2, number * 2 + 1] }));
}
