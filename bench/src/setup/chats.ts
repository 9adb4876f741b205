import type { ChatKind } from '@tara/contract/messages/messages';
import type { BenchDatabase } from './database.ts';
import { sqlId } from './members.ts';

/** The chat of one pair: `members` are the numbers of `addMembers`; of a plan chat creator and client. */
export interface Chat {
  id: string;
  kind: ChatKind;
  members: [number, number];
}

const one = (kind: string) => sqlId(kind, '(number * 2)');
const other = (kind: string) => sqlId(kind, '(number * 2 + 1)');

/** Plan chats with their plans and paid requests. */
const planChats = (numbers: string) => [
  `insert into plans (id, creator_id, title, price_centavos, image_id, terms)
    select ${sqlId('plan', 'number')}, ${one('profile')}, 'A walk', 10000, ${one('face')}, 'We meet in a public place.'
    from ${numbers}`,
  `insert into interactions (id, plan_id, plan_title, client_id, creator_id, price_centavos, reference_number, paid_at)
    select ${sqlId('request', 'number')}, ${sqlId('plan', 'number')}, 'A walk', ${other('profile')}, ${one('profile')},
      10000, 'ref' || number, now()
    from ${numbers}`,
  `insert into receipts (id, interaction_id, creator_id, client_id, creator_account_id, client_account_id)
    select ${sqlId('chat', 'number')}, ${sqlId('request', 'number')}, ${one('profile')}, ${other('profile')},
      ${one('account')}, ${other('account')}
    from ${numbers}`,
];

const conversations = (numbers: string) => [
  `insert into conversations (id, mix_id, first_id, second_id, first_account_id, second_account_id)
    select ${sqlId('chat', 'number')}, ${one('account')} || ${other('account')}, ${one('profile')}, ${other('profile')},
      ${one('account')}, ${other('account')}
    from ${numbers}`,
];

/** Adds the chats of `count` pairs of the members from `addMembers`, beginning with the `first` pair. */
export async function addChats(
  { sql }: BenchDatabase,
  { first, count, kind }: { first: number; count: number; kind: ChatKind },
): Promise<Chat[]> {
  const numbers = `generate_series(${first}, ${first + count - 1}) as number`;
  for (const statement of kind === 'receipt' ? planChats(numbers) : conversations(numbers))
    await sql.unsafe(statement);
  await sql.unsafe(`
    insert into chats (id, kind, first_id, second_id, first_account_id, second_account_id, expires_at)
    select ${sqlId('chat', 'number')}, '${kind}', ${one('profile')}, ${other('profile')}, ${one('account')},
      ${other('account')}, case when '${kind}' = 'conversation' then now() + interval '7 days' end
    from ${numbers}`);
  const chats = await sql.unsafe<{ id: string; number: number }[]>(
    `select ${sqlId('chat', 'number')} as id, number from ${numbers} order by number`,
  );
  await sql.unsafe(`
    insert into chat_marks (chat_id, member_id)
    select ${sqlId('chat', 'number')}, unnest(array[${one('profile')}, ${other('profile')}]) from ${numbers}`);
  await sql.unsafe('vacuum analyze');
  await sql.unsafe('checkpoint');
  return chats.map(({ id, number }) => ({ id, kind, members: [number * 2, number * 2 + 1] }));
}
