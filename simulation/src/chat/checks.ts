import { previewLength, requestMessages } from '@tara/contract/limits';
import { picturePreview, unsentBody } from '@tara/contract/notices';
import type { Finding as AnyFinding } from '../lives/life.ts';
import { openRules, ruleNames } from '../lives/rules.ts';
import type { Device } from './device.ts';
import type { World } from './world.ts';

/** What decides about a chat, as it is stored. */
export interface StoredChat {
  id: string;
  kind: 'conversation' | 'receipt';
  firstId: string;
  secondId: string;
  blocked: boolean;
  closedAt: Date | null;
  expiresAt: Date | null;
  awaitsId: string | null;
  lastSequence: number;
  /** Messages of its members. */
  written: number;
  /** How far each of its members has read it. */
  reads: Record<string, number>;
}

/** A message as it is stored. */
export interface StoredMessage {
  id: string;
  chatId: string;
  sequence: number;
  userId: string | null;
  body: string;
  clientKey: string;
  unsent: boolean;
}

/** What all rules of chats share: the messages, with how many there are until each. */
const counted = `
  with counted as (
    select messages.*, chats.kind, first_id, second_id, expires_at, closed_at,
      row_number() over chat as place,
      count(*) filter (where user_id = first_id) over chat as firsts,
      count(*) filter (where user_id = second_id) over chat as seconds
    from messages join chats on chats.id = chat_id
    window chat as (partition by chat_id order by sequence))`;

/** What the tables of chats must not break by themselves. */
const chatRules = {
  'messages count on without a gap': `
    select chat_id || ' ' || sequence from counted
      where sequence <> place or firsts <> first_count or seconds <> second_count`,
  'a chat counts its messages': `
    select id || ' counts ' || last_sequence from chats
      where last_sequence <> (select count(*) from messages where chat_id = chats.id)
        or first_count <> (select count(*) from messages where chat_id = chats.id and user_id = first_id)
        or second_count <> (select count(*) from messages where chat_id = chats.id and user_id = second_id)`,
  'nothing is doubled': `
    select chat_id || ': ' || client_key from messages
      where user_id is not null group by chat_id, client_key having count(*) > 1`,
  'nobody writes after the end': `
    select chat_id || ' ' || sequence from counted
      where user_id is not null and (created_at >= expires_at or created_at > closed_at)`,
  'a chat is blocked while one blocks the other': `
    select id from chats where blocked <> exists (select from blocks
      where (blocker_id, blocked_id) in ((first_id, second_id), (second_id, first_id)))`,
  'a message request has few messages until it is accepted': `
    select id from chats where awaits_id is not null
      and case awaits_id when first_id then second_count else first_count end > ${requestMessages}`,
  'what was taken back is gone': `
    select chat_id || ' ' || sequence from messages
      where unsent_at is not null and (body <> '${unsentBody}' or picture is not null)`,
  'what was taken back is stored of plan chats alone': `
    select chat_id || ' keeps it' from unsent_messages join chats on chats.id = chat_id where kind <> 'receipt'`,
  'a chat shows its newest message': `
    select chats.id || ' shows ' || preview from chats
      join messages on chat_id = chats.id and sequence = last_sequence
      where preview <> left(body, ${previewLength}) or preview_by is distinct from user_id`,
  'a mark is what was read': `
    select chat_marks.chat_id || ' of ' || member_id from chat_marks join chats on chats.id = chat_id
      where read > last_sequence or delivered > last_sequence or delivered < read
        or incoming_read <> (select count(*) from messages where messages.chat_id = chats.id and sequence <= read
          and user_id is distinct from member_id)`,
};
const readBroken = openRules(chatRules, counted);

/** What the checks, and a life itself, find beside the rules of the tables. */
const otherInvariants = [
  'a chat loses no messages',
  'no chat is lost',
  'between two of whom one blocks the other nobody writes',
  'a mark never falls',
  'what was acknowledged is stored',
  'the order is the one in which it was typed',
  'what was acknowledged as taken back is gone',
  'a mark that was acknowledged is stored',
  'who listens has everything',
  'who listens has nothing else',
  'lists show what the chats have',
  'a list is read',
  'a list has the chats that it should',
  'counts are what was not read',
  'unread conversations are counted',
  'no call fails inside',
  'a chat that is open takes messages',
  'who is blocked reaches nobody',
  'who is blocked is shown to nobody',
  'who hides read marks shows and sees none',
  'no mark is shown of what is not stored',
  'a chat is read by those who may',
  'who reads since a message has everything',
  'the people go on',
] as const;

/** Every invariant that a life of chats can break, beside those of all lives. */
export const chatInvariants = [...ruleNames(chatRules), ...otherInvariants];
export type ChatInvariant = (typeof chatInvariants)[number];
type Finding = AnyFinding<ChatInvariant>;

const readChats = ({ admin }: World) => admin<StoredChat[]>`
  select id, kind, first_id as "firstId", second_id as "secondId", blocked, closed_at as "closedAt",
    expires_at as "expiresAt", awaits_id as "awaitsId", last_sequence as "lastSequence",
    first_count + second_count as written,
    (select coalesce(json_object_agg(member_id, read), '{}') from chat_marks where chat_id = chats.id) as reads
  from chats order by created_at, id`;

const readMessages = ({ admin }: World) => admin<StoredMessage[]>`
  select id, chat_id as "chatId", sequence, user_id as "userId", body, client_key as "clientKey",
    unsent_at is not null as unsent
  from messages order by chat_id, sequence`;

/** Times of the driver are texts: those of the database are in UTC. */
const asDate = (time: unknown) => (time === null ? null : new Date(String(time)));

/** What is stored now, and what of it breaks an invariant, also in comparison with what was stored before. */
export async function checkStored(
  world: World,
  before: readonly StoredChat[],
): Promise<{ chats: StoredChat[]; findings: Finding[] }> {
  const findings: Finding[] = [...(await readBroken(world))];
  const chats = (await readChats(world)).map((chat) => ({
    ...chat,
    ...{ closedAt: asDate(chat.closedAt), expiresAt: asDate(chat.expiresAt) },
  }));
  for (const chat of chats) {
    const former = before.find(({ id }) => id === chat.id);
    if (!former) continue;
    const find = (invariant: ChatInvariant, text: string) =>
      void findings.push({ invariant, text: `${chat.id} ${text}` });
    if (chat.lastSequence < former.lastSequence)
      find('a chat loses no messages', 'has fewer messages than before');
    if (former.blocked && chat.blocked && chat.written > former.written)
      find('between two of whom one blocks the other nobody writes', 'has a new message');
    for (const [memberId, read] of Object.entries(former.reads))
      if ((chat.reads[memberId] ?? 0) < read) find('a mark never falls', `of ${memberId}`);
  }
  const gone = before.filter(({ id }) => !chats.some((chat) => chat.id === id));
  for (const { id } of gone) findings.push({ invariant: 'no chat is lost', text: `${id} is gone` });
  return { chats, findings };
}

/** Who blocks whom. */
interface Block {
  by: string;
  blocked: string;
}

export const readBlocks = ({ admin }: World) =>
  admin<Block[]>`select blocker_id as by, blocked_id as blocked from blocks`;

/** Whether a member may read a chat: a conversation with a blocked member is read by who blocked, as evidence. */
export const mayRead = (chat: StoredChat, memberId: string, blocks: readonly Block[]): boolean => {
  if (!chat.blocked) return true;
  if (chat.kind === 'receipt') return chat.closedAt === null;
  const otherId = memberId === chat.firstId ? chat.secondId : chat.firstId;
  return blocks.some(({ by, blocked }) => by === memberId && blocked === otherId);
};

/** What is known of a device. */
export type Listener = Pick<
  Device,
  'name' | 'chat' | 'member' | 'typed' | 'received' | 'unsent' | 'read' | 'isConnected' | 'isReading'
>;

interface Quiet {
  devices: readonly Listener[];
  chats: readonly StoredChat[];
}

/** What must hold when nothing is under way: what was acknowledged is stored, and who listens has everything. */
export async function checkQuiet(world: World, { devices, chats }: Quiet): Promise<Finding[]> {
  const findings: Finding[] = [];
  const stored = await readMessages(world);
  const blocks = await readBlocks(world);
  for (const device of devices) {
    const find = (invariant: ChatInvariant, text: string) =>
      void findings.push({ invariant, text: `${device.name}: ${text}` });
    const messages = stored.filter(({ chatId }) => chatId === device.chat.id);
    let last = 0;
    for (const { text, clientKey, stored: acknowledged } of device.typed) {
      if (!acknowledged) continue;
      const { id, sequence } = acknowledged;
      const row = messages.find((message) => message.sequence === sequence);
      if (row?.id !== id || row.clientKey !== clientKey || !(row.unsent || row.body === text))
        find('what was acknowledged is stored', `'${text}' as ${sequence} is ${JSON.stringify(row)}`);
      if (sequence <= last) find('the order is the one in which it was typed', `${sequence} after ${last}`);
      last = sequence;
      if (device.unsent.has(id) && row?.unsent !== true)
        find('what was acknowledged as taken back is gone', `'${text}' is not`);
    }
    const chat = chats.find(({ id }) => id === device.chat.id);
    if ((chat?.reads[device.member.profileId] ?? 0) < device.read)
      find('a mark that was acknowledged is stored', `${device.read} was`);
    const listens = chat && device.isConnected && device.isReading;
    if (!listens || !mayRead(chat, device.member.profileId, blocks)) continue;
    for (const { id, sequence, body } of messages) {
      const shown = device.received.get(sequence);
      if (shown?.id !== id || shown.body !== body)
        find('who listens has everything', `${sequence} is '${shown?.body}' and not '${body}'`);
    }
    if (device.received.size > messages.length)
      find('who listens has nothing else', `${device.received.size} of ${messages.length}`);
  }
  return findings;
}

/** What must hold a moment after everything else: the lists are those of the chats. */
export const checkLists = async ({ admin }: World): Promise<Finding[]> => {
  const rows = await admin<{ text: string }[]>`
  select chats.id || ' of ' || members.id || ': '
    || coalesce(row_to_json(chat_entries)::text, 'no row') || ' ' || row_to_json(chats) as text
  from chats cross join lateral (values (first_id), (second_id)) as members (id)
    left join chat_entries on chat_entries.chat_id = chats.id and chat_entries.member_id = members.id
    left join chat_marks on chat_marks.chat_id = chats.id and chat_marks.member_id = members.id
  -- Sending again raises the version of a chat, and changes nothing that the lists show.
  where chat_entries.chat_id is null or chat_marks.chat_id is null
    or chat_entries.version > chats.version or chat_entries.last_sequence <> chats.last_sequence
    or chat_entries.incoming <> (select count(*) from messages where messages.chat_id = chats.id
      and user_id is distinct from members.id)
    or chat_entries.preview <> case when chats.last_sequence = 0 then '' else coalesce(nullif(chats.preview, ''), ${picturePreview}) end
    or chat_entries.awaits_id is distinct from chats.awaits_id
    or chat_entries.expires_at is distinct from chats.expires_at
    or chat_entries.read <> chat_marks.read or chat_entries.incoming_read <> chat_marks.incoming_read
  order by 1`;
  return rows.map(({ text }) => ({ invariant: 'lists show what the chats have', text }));
};

/** The conversations that a member's list shows: not what they hid or have to accept, nor those with somebody who is hidden. */
export const readListed = ({ admin }: World, memberId: string) => admin<{ id: string }[]>`
  select chats.id from chats join chat_entries on chat_id = chats.id and member_id = ${memberId}
  where chats.kind = 'conversation' and chats.last_sequence > hidden_through
    and chats.awaits_id is distinct from ${memberId}
    and not exists (select from blocks where (blocker_id, blocked_id) in ((first_id, second_id), (second_id, first_id)))
  order by chats.id`;

/** Unread messages of a chat for a member, as the messages and the mark say. */
export const countUnread = ({ admin }: World, memberId: string) => admin<
  { chatId: string; unread: number }[]
>`
  select chat_marks.chat_id as "chatId", count(messages.sequence)::int as unread from chat_marks
    left join messages on messages.chat_id = chat_marks.chat_id and sequence > read and user_id is distinct from member_id
  where member_id = ${memberId} group by 1 order by 1`;
