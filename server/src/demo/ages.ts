import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../platform/database/connect.ts';
import { tasks } from '../platform/tasks.ts';

/** Ids of what the script made, and how long ago it is to have happened, in hours. */
export interface Ages {
  members: { id: string; joinedHours: number; seenHours: number }[];
  verifications: { profileId: string; hours: number }[];
  posts: { id: string; hours: number }[];
  plans: { id: string; hours: number }[];
  requests: { id: string; hours: number }[];
  /** How long ago the newest message was written. */
  conversations: { id: string; hours: number }[];
}

const rows = (ages: object[], columns: SQL) =>
  sql`jsonb_to_recordset(${JSON.stringify(ages)}::jsonb) as ages(${columns})`;
const ago = (hours: SQL) => sql`now() - make_interval(secs => (${hours}) * 3600)`;
/** Hours after a request was sent, where the column is set; null stays null. */
const after = (column: SQL, hours: number) =>
  sql`case when ${column} is not null then ${ago(sql`ages.hours - ${hours}`)} end`;

/**
 * Moves the times that people see into the past, in one transaction and each request's in the order of its steps. The
 * states of a request can only move forward, by a trigger that is switched off for this transaction alone: the owner of
 * the tables may do that, and nobody else sees it off, since the table stays locked. The ledger, the audit log, sign-ins
 * and what was sent to the provider keep the times at which they happened.
 */
export async function setAges(database: Database, ages: Ages): Promise<void> {
  await database.transaction(async (transaction) => {
    const run = (statement: SQL) => transaction.execute(statement);
    await run(sql`alter table interactions disable trigger interactions_forward_only`);
    await run(sql`update profiles set created_at = ${ago(sql`"joinedHours"`)}, updated_at = ${ago(sql`"seenHours"`)}
      from ${rows(ages.members, sql`id text, "joinedHours" float8, "seenHours" float8`)} where profiles.id = ages.id`);
    await run(sql`update accounts set created_at = profiles.created_at
      from profiles where accounts.id = profiles.account_id and accounts.demo`);
    await run(sql`update verifications set created_at = ${ago(sql`ages.hours`)},
        accepted_at = case when valid then ${ago(sql`ages.hours - 4`)} end
      from ${rows(ages.verifications, sql`"profileId" text, hours float8`)} where verifications.user_id = "profileId"`);
    for (const table of ['posts', 'plans'] as const) {
      const name = sql.identifier(table);
      await run(sql`update ${name} set created_at = ${ago(sql`ages.hours`)}, updated_at = ${ago(sql`ages.hours`)}
        from ${rows(ages[table], sql`id text, hours float8`)} where ${name}.id = ages.id`);
    }
    // Likes of the demo world are as old as the post they are of, so they count from then on.
    await run(
      sql`update post_likes set created_at = posts.created_at from posts where posts.id = post_likes.post_id`,
    );
    // Nobody is notified of them a minute later.
    await run(sql`select graphile_worker.remove_job(key) from graphile_worker.jobs
      where task_identifier in (${tasks.notifyPostLikes.name}, ${tasks.notifyReviewLikes.name})`);
    await run(sql`update post_popularity set popular_at = count_popularity(post_id, '')`);
    const requests = rows(ages.requests, sql`id text, hours float8`);
    await run(sql`update interactions set created_at = ${ago(sql`ages.hours`)},
        paid_at = ${after(sql`paid_at`, 0.5)}, accepted_at = ${after(sql`accepted_at`, 0.7)},
        cancelled_at = ${after(sql`cancelled_at`, 2)}, user_set_done_at = ${after(sql`user_set_done_at`, 30)},
        disputed_at = ${after(sql`disputed_at`, 30)},
        admin_set_done_at = ${after(sql`admin_set_done_at`, 40)}, completed_at = ${after(sql`completed_at`, 40)},
        paid_out_at = ${after(sql`paid_out_at`, 40.1)}
      from ${requests} where interactions.id = ages.id`);
    await run(sql`update interactions set updated_at = greatest(created_at, paid_at, accepted_at, cancelled_at,
        user_set_done_at, disputed_at, completed_at, paid_out_at, case when review_submitted then completed_at + interval '8 hours' end)
      from ${requests} where interactions.id = ages.id`);
    await run(sql`update disputes set created_at = disputed_at, answered_at = disputed_at + interval '2 hours'
      from interactions where interactions.id = interaction_id`);
    await run(sql`update reviews set created_at = interactions.updated_at, updated_at = interactions.updated_at
      from interactions where interactions.id = reviews.interaction_id`);
    await run(sql`update review_comments set created_at = reviews.created_at + ordered.place * interval '50 minutes'
      from reviews, (select id, row_number() over (partition by review_id order by created_at) as place
        from review_comments) as ordered
      where reviews.id = review_comments.review_id and ordered.id = review_comments.id`);
    await run(sql`update receipts set created_at = ${ago(sql`ages.hours - 0.75`)}
      from ${requests} where receipts.interaction_id = ages.id`);
    await run(sql`update messages
      set created_at = receipts.created_at + messages.sequence * interval '1 minute'
      from receipts where receipts.id = messages.chat_id`);
    // The lines of later steps are as old as their step.
    await run(sql`update messages
      set created_at = case client_key when 'line-fulfilled' then user_set_done_at
        when 'line-confirmed' then admin_set_done_at else disputed_at end
      from receipts join interactions on interactions.id = interaction_id
      where receipts.id = messages.chat_id and user_id is null and client_key in
        ('line-fulfilled', 'line-confirmed', 'line-disputed', 'line-disputeAnswered')`);
    const conversations = rows(ages.conversations, sql`id text, hours float8`);
    await run(sql`update messages
      set created_at = ${ago(sql`ages.hours`)} - (chats.last_sequence - messages.sequence) * interval '4 minutes'
      from chats join ${conversations} on chats.id = ages.id where messages.chat_id = chats.id`);
    await run(sql`update conversations set created_at = messages.created_at
      from messages where messages.chat_id = conversations.id and messages.sequence = 1`);
    await run(sql`update chats set created_at = conversations.created_at,
        expires_at = expires_at - (chats.created_at - conversations.created_at)
      from conversations where conversations.id = chats.id`);
    await run(sql`update chats set newest_at = messages.created_at
      from messages where messages.chat_id = chats.id and messages.sequence = chats.last_sequence`);
    await run(sql`update chat_entries set updated_at = chats.newest_at, expires_at = chats.expires_at
      from chats where chats.id = chat_entries.chat_id`);
    // One is as old as what it says, and what is older than a day was seen.
    await run(sql`update notifications set created_at = coalesce(
        (select case event when 'requested' then created_at when 'paid' then paid_at when 'accepted' then accepted_at
            when 'cancelled' then cancelled_at when 'fulfilled' then user_set_done_at when 'disputed' then disputed_at
            when 'confirmed' then admin_set_done_at when 'paidOut' then paid_out_at end
          from interactions where id = interaction_id),
        (select updated_at from interactions where id = interaction_id),
        (select created_at from reviews where id = record_id),
        (select created_at from review_comments where id = record_id),
        (select created_at from posts where id = record_id),
        (select created_at from conversations where id = record_id),
        case when event like 'verification%' then (select max(accepted_at) from verifications where user_id = profile_id) end,
        created_at)`);
    await run(sql`update notifications set read_at = created_at + interval '1 hour'
      where read_at is null and created_at < now() - interval '1 day'`);
    await run(sql`alter table interactions enable trigger interactions_forward_only`);
  });
}
