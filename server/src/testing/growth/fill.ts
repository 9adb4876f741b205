import { createHash } from 'node:crypto';
import type { Sql } from '../../platform/database/connect.ts';

/** SQL of the id of the `number`-th record of a kind: as long and as random as the product's ids. */
export const sqlId = (kind: string, number: string) => `substr(md5('${kind}' || (${number})), 1, 20)`;

/** The same id in code. */
export const idOf = (kind: string, number: number) =>
  createHash('md5').update(`${kind}${number}`).digest('hex').slice(0, 20);

/** Members whose things do not grow with the product: of each, as many requests of either side and chats. */
export interface Busy {
  accountId: string;
  profileId: string;
}

/** Requests in each stage that waits for an admin, and rows that each scheduled job finds due, at every size. */
export const waiting = 30;

const series = (count: number) => `generate_series(0, ${count - 1}) as n`;
const profile = (number: string) => sqlId('profile', number);
const account = (number: string) => sqlId('account', number);

/**
 * Accounts with profiles and pictures. Every fifth offers two plans and is verified; each has one session, events, presence,
 * and friends; some have settings, blocks and mutes.
 */
const members = (count: number) => [
  `insert into accounts (id, email, name, password_hash, email_verified_at, terms_version, consented_at, created_at)
    select ${account('n')}, 'member' || n || '@example.com', 'Member ' || n, 'none', now(), '1', now(),
      now() - n * interval '700 days' / ${count} from ${series(count)}`,
  `insert into files (id, bucket, owner_account_id, mime_type, size, signature, width, height, thumbhash, variants, used_at)
    select ${sqlId('face', 'n')}, 'images', ${account('n')}, 'image/jpeg', 60000, md5('' || n), 640, 640, 'JhgKDAQmZYl3h4iC',
      '{96,320,640}', now() from ${series(count)}`,
  `insert into profiles (id, account_id, name, username, image_id, hobby, city, birth_date, verified, verified_name, phone_number,
      sent_verified_req, total_plan, total_interaction, created_at, updated_at)
    select ${profile('n')}, ${account('n')}, 'Member ' || n, 'member' || n, ${sqlId('face', 'n')}, 'hobby' || n || 'z', 'City ' || n % 50, '1995-06-15',
      case when n % 5 = 0 then true end, case when n % 5 = 0 then 'Member ' || n end, '09171234567', n % 5 = 0,
      case when n % 5 = 0 then 2 else 0 end, 0, now() - n * interval '700 days' / ${count}, now() - n * interval '700 days' / ${count}
    from ${series(count)}`,
  `insert into sessions (id, account_id, secret_hash, expires_at)
    select ${sqlId('session', 'n')}, ${account('n')}, sha256(convert_to('session' || n, 'UTF8')),
      now() + interval '1 day' + n * interval '360 days' / ${count} from ${series(count)}`,
  `insert into devices (id, account_id, session_id, endpoint, p256dh, auth)
    select ${sqlId('device', 'n')}, ${account('n * 2')}, ${sqlId('session', 'n * 2')}, 'https://fcm.googleapis.com/fcm/send/' || n,
      repeat('p', 87), repeat('a', 22) from ${series(count / 2)}`,
  // What was not cleaned up yet.
  `insert into sessions (id, account_id, secret_hash, expires_at)
    select ${sqlId('expired', 'n')}, ${account('n')}, sha256(convert_to('expired' || n, 'UTF8')), now() - interval '1 hour'
    from ${series(waiting)}`,
  `update accounts set deletes_at = now() - interval '1 hour'
    from ${series(waiting)} where id = ${account('n * 5 + 303')}`,
  // Banned by an admin; among them creators with requests under way.
  `update accounts set blocked_at = now() from ${series(waiting)} where id = ${account('n * 5 + 300')}`,
  `insert into tokens (id, account_id, kind, secret_hash, expires_at)
    select ${sqlId('token', 'n')}, ${account('n')}, 'recovery', sha256(convert_to('token' || n, 'UTF8')), now() - interval '1 hour'
    from ${series(waiting)}`,
  `insert into account_events (id, account_id, event, created_at)
    select ${sqlId('event', 'n')}, ${account(`n % ${count}`)}, 'session.create', now() - n * interval '1 minute' from ${series(count * 3)}`,
  `insert into identities (id, account_id, provider, issuer, provider_uid)
    select ${sqlId('identity', 'n')}, ${account('n * 10')}, 'google', 'https://accounts.google.com', 'google' || n
    from ${series(count / 10)}`,
  `insert into member_presence (profile_id, last_seen_at)
    select ${profile('n')}, now() - n * interval '60 days' / ${count} from ${series(count)}`,
  `insert into notification_settings (profile_id, switched_off, quiet_from, quiet_until)
    select ${profile('n * 10')}, '{posts email}', 22, 7 from ${series(count / 10)}`,
  `insert into chat_settings (profile_id, messages_from) select ${profile('n * 10')}, 'verified' from ${series(count / 10)}`,
  `insert into friends (owner_id, friend_id, created_at)
    select ${profile(`n % ${count}`)}, ${profile(`(n + 1 + n / ${count} * 7) % ${count}`)}, now() - n * interval '1 minute'
    from ${series(count * 4)}`,
  `insert into blocks (blocker_id, blocked_id, blocker_name, blocked_name)
    select ${profile('n * 50')}, ${profile(`(n * 50 + 11) % ${count}`)}, 'Ana', 'Ben' from ${series(count / 50)}`,
  `insert into public_links (id, profile_id) select ${sqlId('invitation', 'n')}, ${profile('n * 10')} from ${series(count / 10)}`,
  `insert into mutes (muter_id, muted_id)
    select ${profile('n * 50')}, ${profile(`(n * 50 + 13) % ${count}`)} from ${series(count / 50)}`,
];

/** Posts with pictures, likes and saves; the words of the last quarter of the captions are rare. */
const posts = (count: number, memberCount: number) => [
  `insert into files (id, bucket, owner_account_id, mime_type, size, signature, width, height, thumbhash, variants, used_at, created_at)
    select ${sqlId('photo', 'n')}, 'images', ${account(`n % ${memberCount}`)}, 'image/jpeg', 300000, md5('' || n), 1080, 1350,
      'JhgKDAQmZYl3h4iC', '{320,1080}', now(), now() - n * interval '600 days' / ${count} from ${series(count)}`,
  `insert into posts (id, creator_id, caption, image_id, location, tags, total_likes, created_at, updated_at)
    select ${sqlId('post', 'n')}, ${profile(`n % ${memberCount}`)}, 'A walk along the shore, day' || n || 'z', ${sqlId('photo', 'n')}, 'Manila',
      array['walk', 'day' || n || 'z'], 2, now() - n * interval '600 days' / ${count}, now() - n * interval '600 days' / ${count}
    from ${series(count)}`,
  'insert into post_popularity (post_id, popular_at, total_likes) select id, created_at, total_likes from posts',
  `insert into post_search (number, creator_id, words)
    select number, creator_id, search_vector(search_tags(tags), location, caption) from posts order by number`,
  `insert into post_likes (id, who_liked, post_id, created_at)
    select left(liker, 8) || left(post, 8), liker, post, now() - n * interval '1 second'
    from (select n, ${profile(`(n * 31 + n / ${count} * 17) % ${memberCount}`)} as liker, ${sqlId('post', `n % ${count}`)} as post
      from ${series(count * 2)}) as likes
    on conflict do nothing`,
  `insert into saves (id, user_id, post_id, created_at)
    select left(saver, 8) || left(post, 8), saver, post, now() - n * interval '1 second'
    from (select n, ${profile(`n * 13 % ${memberCount}`)} as saver, ${sqlId('post', 'n')} as post from ${series(count / 2)}) as saved
    on conflict do nothing`,
];

/** Plans, two of each fifth member, and identity checks of their creators. */
const plans = (count: number) => [
  `insert into files (id, bucket, owner_account_id, mime_type, size, signature, width, height, thumbhash, variants, used_at)
    select ${sqlId('cover', 'n')}, 'images', ${account('n / 2 * 5')}, 'image/jpeg', 60000, md5('' || n), 640, 640, 'JhgKDAQmZYl3h4iC',
      '{96,320,640}', now() from ${series(count)}`,
  `insert into plans (id, creator_id, title, description, price_centavos, image_id, terms, place, created_at, updated_at)
    select ${sqlId('plan', 'n')}, ${profile('n / 2 * 5')}, 'Coffee and talk ' || n || 'z', 'An hour of talk.', 10000, ${sqlId('cover', 'n')},
      'We meet in a public place.', 'Makati', now() - n * interval '700 days' / ${count}, now() - n * interval '700 days' / ${count}
    from ${series(count)}`,
  `insert into public_links (id, profile_id, plan_id)
    select ${sqlId('plan link', 'n')}, ${profile('n / 2 * 5')}, ${sqlId('plan', 'n')} from ${series(count)} where n % 3 = 0`,
  `insert into verifications (id, user_id, address, valid, accepted_at, created_at)
    select ${sqlId('verification', 'n')}, ${profile('n * 5')}, '1 Mabini Street', true, now() - interval '60 days', now() - interval '61 days'
    from ${series(count / 2)}`,
  `insert into files (id, bucket, owner_account_id, mime_type, size, signature, width, height, thumbhash, used_at)
    select ${sqlId('identity', "n || ' ' || part")}, 'verificationFiles', ${account('n * 5 + 1')}, 'image/jpeg', 60000, 'none', 640, 640,
      'JhgKDAQmZYl3h4iC', now() from ${series(waiting * 2)}, generate_series(1, 3) as part`,
  // Some wait for an admin; the pictures of others are to be removed.
  `insert into verifications (id, user_id, id_front_id, id_back_id, photo_id, address, valid, accepted_at, created_at)
    select ${sqlId('pending', 'n')}, ${profile('n * 5 + 1')}, ${sqlId('identity', "n || ' 1'")}, ${sqlId('identity', "n || ' 2'")},
      ${sqlId('identity', "n || ' 3'")}, '1 Mabini Street', case when n >= ${waiting} then true end,
      case when n >= ${waiting} then now() - interval '31 days' end, now() - interval '32 days'
    from ${series(waiting * 2)}`,
];

/** Columns of a request in a stage, which is its place in `stages`. */
const requestColumns = `id, plan_id, plan_title, client_id, creator_id, price_centavos, terms, link_id, checkout_url,
  pay_until, paid_at, payment_id, accepted_at, day_starts_at, user_set_done_at, creator_met_at, disputed_at, admin_set_done_at,
  completed_at, cancelled_at, cancel_reason, released_centavos, refund_centavos, paid_out_at, refunded_at, review_submitted,
  client_name, creator_name, created_at, updated_at`;

/**
 * Selects requests of `source`, which has id, plan_id, client_id, creator_id, stage and since: the time of its first step.
 * Each later step is an hour after the one before.
 */
const requestsFrom = (source: string) => `
  insert into interactions (${requestColumns})
  select id, plan_id, 'Coffee and talk', client_id, creator_id, 10000, 'We meet in a public place.',
    'link_' || id, 'https://example.com/' || id,
    case when stage = 'due' then now() - interval '1 minute' when stage in ('requested', 'accepted') then now() + interval '3 days'
      else since + interval '7 days' end,
    case when is_paid then since + interval '1 hour' end, case when is_paid then 'pay_' || id end,
    case when is_accepted then since + interval '2 hours' end,
    case when stage = 'ready' then now() + interval '5 days' when stage = 'noAnswer' then now() - interval '9 days'
      when is_accepted then since + interval '1 day' end,
    case when is_fulfilled then since + interval '3 days' end, case when is_fulfilled then since + interval '3 days' end,
    case when stage = 'disputed' then since + interval '4 days' end,
    case when stage = 'completed' then since + interval '5 days' end, case when stage = 'completed' then since + interval '5 days' end,
    case when stage in ('unpaid', 'refunded') then since + interval '7 days' end,
    case stage when 'unpaid' then 'unpaid' when 'refunded' then 'declined' end,
    case when stage = 'completed' then 10000 else 0 end, case when stage = 'refunded' then 10000 else 0 end,
    case when stage = 'completed' then since + interval '6 days' end, case when stage = 'refunded' then since + interval '8 days' end,
    stage = 'completed', case when is_over then 'Member' end, case when is_over then 'Member' end, since, since + interval '8 days'
  from (select *, stage in ('paid', 'ready', 'noAnswer', 'fulfilled', 'disputed', 'completed', 'refunded') as is_paid,
      stage in ('accepted', 'ready', 'noAnswer', 'fulfilled', 'disputed', 'completed') as is_accepted,
      stage in ('fulfilled', 'completed') as is_fulfilled,
      stage in ('completed', 'unpaid', 'refunded') as is_over
    from (${source}) as chosen) as staged`;

/** Of each hundred: most are over. */
const shares = `case when n * 37 % 100 < 64 then 'completed' when n * 37 % 100 < 84 then 'unpaid' when n * 37 % 100 < 89 then 'refunded'
  when n * 37 % 100 < 93 then 'requested' when n * 37 % 100 < 95 then 'accepted' when n * 37 % 100 < 97 then 'paid' else 'ready' end`;

/** `since` of a request: over 700 days when it is over, else within the last days. */
const since = (count: number) => `case when stage in ('completed', 'unpaid', 'refunded')
  then now() - interval '20 days' - n * interval '700 days' / ${count} else now() - interval '1 day' - n * interval '1 day' / ${count} end`;

/** A client of the `n`-th request: none of those who offer plans. */
const clientOf = (number: string, memberCount: number) => {
  const others = (memberCount / 5) * 4;
  // Each round is shifted, so that nobody requests a plan twice.
  const place = `((${number} + ${number} / ${others}) % ${others})`;
  return profile(`${place} / 4 * 5 + 1 + ${place} % 4`);
};

const requests = (count: number, memberCount: number) => {
  const creators = memberCount / 5;
  const planNumber = `(n % ${creators} * 2 + n / ${creators} % 2)`;
  return [
    requestsFrom(`select *, ${since(count)} as since from (
      select n, ${sqlId('request', 'n')} as id, ${sqlId('plan', planNumber)} as plan_id, ${clientOf('n', memberCount)} as client_id,
        ${profile(`n % ${creators} * 5`)} as creator_id, ${shares} as stage from ${series(count)}) as numbered`),
    // What waits for an admin or a job, for plans of their own.
    `insert into plans (id, creator_id, title, price_centavos, image_id, terms)
      select ${sqlId('queued plan', 'n')}, ${profile(`n % ${creators} * 5`)}, 'Coffee and talk', 10000, ${sqlId('cover', 'n')},
        'We meet in a public place.' from ${series(waiting * 4)}`,
    requestsFrom(`select n, ${sqlId('queued', 'n')} as id, ${sqlId('queued plan', 'n')} as plan_id,
        ${clientOf('n', memberCount)} as client_id, ${profile(`n % ${creators} * 5`)} as creator_id,
        (array['fulfilled', 'disputed', 'noAnswer', 'due'])[1 + n / ${waiting}] as stage, now() - interval '12 days' as since
      from ${series(waiting * 4)}`),
    `insert into disputes (interaction_id, reason, story) select id, 'absent', 'Nobody came.' from interactions where disputed_at is not null`,
    `insert into disputes (interaction_id, reason, story) select ${sqlId('request', 'n * 100')}, 'absent', 'Nobody came.' from ${series(count / 100)}`,
    `insert into dispute_messages (interaction_id, profile_id, position, message_id, body, sent_at)
      select interaction_id, client_id, 0, interaction_id, 'Are you there?', disputes.created_at
      from disputes join interactions on interactions.id = interaction_id`,
    `insert into request_decisions (interaction_id, occasion, outcome, refund_centavos, note)
      select ${sqlId('request', 'n * 100')}, 'dispute', 'release', 0, 'They met.' from ${series(count / 100)}`,
    `insert into meeting_proposals (id, interaction_id, proposed_by, meets_at, meets_until, place, answer, answered_at)
      select ${sqlId('proposal', 'n')}, id, client_id, created_at, created_at + interval '2 hours', 'Luneta', 'agreed', created_at
      from (select *, row_number() over () as n from interactions) as numbered where n % 10 = 0`,
  ];
};

const busyStages = `(array['requested', 'accepted', 'paid', 'ready', 'fulfilled', 'completed', 'unpaid', 'refunded'])[1 + n % 8]`;

/** Forty requests of a busy member in all stages on each side, the same at every size. */
const busyRequests = ({ profileId }: Busy) => [
  ...['creator', 'client'].map(
    (side) => `insert into plans (id, creator_id, title, price_centavos, image_id, terms)
      select ${sqlId(`${profileId} ${side} plan`, 'n')}, ${side === 'creator' ? `'${profileId}'` : profile('n * 5')}, 'Coffee and talk', 10000,
        ${sqlId('cover', 'n')}, 'We meet in a public place.' from ${series(40)}`,
  ),
  ...['creator', 'client'].map((side) =>
    requestsFrom(`select n, ${sqlId(`${profileId} ${side}`, 'n')} as id, ${sqlId(`${profileId} ${side} plan`, 'n')} as plan_id,
        ${side === 'client' ? `'${profileId}'` : profile('n * 5 + 1')} as client_id,
        ${side === 'creator' ? `'${profileId}'` : profile('n * 5')} as creator_id,
        ${busyStages} as stage, now() - interval '12 days' - n * interval '1 hour' as since from ${series(40)}`),
  ),
];

/** What follows from requests: payments, the ledger, disbursements, notifications, provider events, chats and reviews. */
const money = [
  `insert into captured_payments (id, interaction_id, amount_centavos, fee_centavos, method, paid_at)
    select payment_id, id, price_centavos, 100, 'card', paid_at from interactions where paid_at is not null`,
  `insert into provider_events (id, type, payload, received_at, processed_at)
    select 'evt_' || id, 'link.payment.paid', '{}', paid_at, paid_at from interactions where paid_at is not null`,
  // The newest are owed, and half of them were refused.
  `insert into disbursements (id, interaction_id, payment_id, purpose, recipient_id, way, amount_centavos, state, problem, created_at,
      updated_at, arrived_at)
    select purpose || '-' || id, id, payment_id, purpose, recipient_id, case purpose when 'payout' then 'transfer' else 'provider' end,
      price_centavos, case when n <= ${waiting} then 'owed' else 'arrived' end, case when n <= ${waiting} and n % 2 = 0 then 'Refused.' end,
      at, at, case when n > ${waiting} then at end
    from (
      select *, row_number() over (partition by purpose order by at desc, id) as n
      from interactions cross join lateral (values ('payout', creator_id, completed_at), ('refund', client_id, refunded_at))
        as decided (purpose, recipient_id, at)
      where at is not null and payment_id is not null) as newest`,
  `insert into attempts (disbursement_id, number, way, key, amount_centavos, destination, state, reference, created_at, sent_at, ended_at)
    select id, 1, way, id || ':1', amount_centavos, case way when 'transfer' then '{}'::jsonb end,
      case state when 'arrived' then 'arrived' else 'refused' end,
      case state when 'arrived' then case way when 'transfer' then 'tr_' else 'ref_' end || interaction_id end, created_at, created_at, created_at
    from disbursements where state = 'arrived' or problem is not null`,
  `update interactions set paid_out_at = null from disbursements where interaction_id = interactions.id and purpose = 'payout' and state = 'owed'`,
  `update interactions set refunded_at = null from disbursements where interaction_id = interactions.id and purpose = 'refund' and state = 'owed'`,
  ...[
    { kind: 'capture', when: 'paid_at is not null', from: "'cash', ''", to: "'escrow', interactions.id" },
    {
      kind: 'release',
      when: 'completed_at is not null',
      from: "'escrow', interactions.id",
      to: "'payable', creator_id",
    },
    {
      kind: 'payout',
      when: 'paid_out_at is not null',
      from: "'payable', creator_id",
      to: "'paid_out', creator_id",
    },
    {
      kind: 'refund',
      when: 'refunded_at is not null',
      from: "'escrow', interactions.id",
      to: "'refunded', interactions.id",
    },
  ].flatMap(({ kind, when, from, to }) => [
    `insert into ledger_transfers (key, kind, interaction_id, payment_id, created_at)
      select '${kind}:' || id, '${kind}', id, payment_id, created_at from interactions where ${when} order by created_at`,
    `insert into ledger_entries (transfer_id, account, owner, amount)
      select ledger_transfers.id, entry.account, entry.owner, entry.amount
      from ledger_transfers join interactions on interactions.id = interaction_id
        cross join lateral (values (${from}, price_centavos), (${to}, -price_centavos)) as entry (account, owner, amount)
      where kind = '${kind}'`,
  ]),
  `insert into chargebacks (id, payment_id, interaction_id, amount_centavos, state, evidence, due_on, is_under_review, created_at, decided_at)
    select 'dsp_' || id, payment_id, id, price_centavos, case when n <= 5 then 'open' else 'won' end,
      '{"planTitle":"Coffee","terms":"","steps":[],"payments":[],"referenceNumber":null}', created_at::date, n % 2 = 0, created_at,
      case when n > 5 then created_at end
    from (select *, row_number() over (order by created_at desc, id) as n from interactions where paid_at is not null) as paid
    where n <= ${waiting}`,
  `insert into unassigned_disputes (id, amount_centavos, state, disputed_at, payment_ids, created_at)
    select 'dsp_unassigned_' || id, price_centavos, case when n <= 40 then 'open' else 'won' end, now(),
      jsonb_build_array(payment_id), created_at
    from (select *, row_number() over (order by created_at, id) as n from interactions where paid_at is not null) as paid
    where n <= ${waiting}`,
  `insert into manual_transfers (reference, disbursement_id, interaction_id, amount_centavos, state, problem, created_at)
    select 'BPI ' || id, id, interaction_id, amount_centavos, case when n <= 5 then 'refused' else 'booked' end, 'It was not recorded.', created_at
    from (select *, row_number() over (order by created_at, id) as n from disbursements where purpose = 'payout') as sent
    where n <= ${waiting}`,
  `insert into notifications (interaction_id, event, group_name, in_app, profile_id, created_at, delivered_at, read_at, pushed_at)
    select interactions.id, event, 'plans', true, profile_id, happened_at, happened_at,
      -- What is due to be deleted is deleted each night.
      case when event in ('accepted', 'cancelled') then now() - interval '1 day' end, case when event = 'accepted' then happened_at end
    from interactions
      cross join lateral (values ('paid', paid_at), ('accepted', accepted_at), ('confirmed', completed_at), ('cancelled', cancelled_at))
        as events (event, happened_at)
      cross join lateral (values (client_id), (creator_id)) as parties (profile_id)
    where happened_at is not null`,
  `insert into audit_log (actor_account_id, action, subject, created_at)
    select 'admin', 'request.confirm', 'interaction:' || id, completed_at from interactions where completed_at is not null`,
  `insert into money_alarms (kind, record_id, amount_centavos, due_on)
    select 'chargebackOpened', id, amount_centavos, case when not is_under_review then due_on end from chargebacks where state = 'open'`,
  `insert into ledger_checks (checked_at, counts, differences)
    select now() - n * interval '1 day', '{}', '[]' from ${series(waiting)}`,
];

/** Reviews of completed requests, each with a like and a comment. */
const reviews = (memberCount: number) => [
  `insert into reviews (id, interaction_id, creator_id, owner_id, plan_id, caption, stars, total_likes, total_comments, created_at, updated_at)
    select ${sqlId('review', 'id')}, id, client_id, creator_id, plan_id, 'A lovely hour.', 9, 1, 1, completed_at, completed_at
    from interactions where completed_at is not null`,
  `insert into review_likes (id, who_liked, review_id)
    select left(liker, 8) || left(id, 8), liker, id
    from (select id, ${profile(`row_number() over (order by id) * 3 % ${memberCount}`)} as liker from reviews) as liked
    on conflict do nothing`,
  `insert into review_comments (id, review_id, creator_id, client_key, body, created_at)
    select ${sqlId('comment', 'id')}, id, ${profile(`row_number() over (order by id) * 7 % ${memberCount}`)}, id, 'Nice', created_at from reviews`,
  `insert into reports (id, reporter_id, member_id, kind, record_id, reason, snapshot, decision, decided_at, created_at)
    select ${sqlId('report', 'n')}, ${profile(`n % ${memberCount}`)}, ${profile(`(n + 9) % ${memberCount}`)}, 'member',
      ${profile(`(n + 9) % ${memberCount}`)}, 'spam', '{"title":"Member","text":"","imageUrl":null,"createdAt":"2026-01-01T00:00:00.000Z"}',
      case when n >= ${waiting} then 'dismiss' end, case when n >= ${waiting} then now() end, now() - n * interval '1 minute'
    from ${series(waiting + memberCount / 50)}`,
];

/** Chats of paid requests and of pairs of members, with messages and the lists of both members. */
const chats = (count: number, memberCount: number) => [
  `insert into receipts (id, interaction_id, creator_id, client_id, creator_account_id, client_account_id, created_at)
    select 'r' || interactions.id, interactions.id, creator_id, client_id, creator.account_id, client.account_id, paid_at
    from interactions join profiles as creator on creator.id = creator_id join profiles as client on client.id = client_id
    where paid_at is not null`,
  `insert into chats (id, kind, first_id, second_id, first_account_id, second_account_id, closed_at, created_at, updated_at)
    select receipts.id, 'receipt', receipts.creator_id, receipts.client_id, creator_account_id, client_account_id,
      coalesce(completed_at, cancelled_at), receipts.created_at, receipts.created_at
    from receipts join interactions on interactions.id = interaction_id`,
  `insert into conversations (id, mix_id, first_id, second_id, first_account_id, second_account_id, remove_expired, created_at)
    select ${sqlId('conversation', 'n')}, ${account('n')} || ${account(`(n + 3) % ${memberCount}`)}, ${profile('n')},
      ${profile(`(n + 3) % ${memberCount}`)}, ${account('n')}, ${account(`(n + 3) % ${memberCount}`)}, true,
      now() - n * interval '300 days' / ${count} from ${series(count)}`,
];

/** Thirty conversations of a busy member. */
const busyChats = ({ accountId, profileId }: Busy) => [
  `insert into conversations (id, mix_id, first_id, second_id, first_account_id, second_account_id, remove_expired)
    select ${sqlId(`${profileId} conversation`, 'n')}, '${accountId}' || ${account('n * 5 + 2')}, '${profileId}', ${profile('n * 5 + 2')},
      '${accountId}', ${account('n * 5 + 2')}, true from ${series(30)}`,
];

/** The messages of all chats, the same number in each and stored as they were written, with what is derived of them. */
const messages = (each: number) => [
  `insert into chats (id, kind, first_id, second_id, first_account_id, second_account_id, created_at, updated_at)
    select id, 'conversation', first_id, second_id, first_account_id, second_account_id, created_at, created_at from conversations`,
  `insert into messages (chat_id, sequence, id, user_id, name, body, client_key, first_count, second_count, created_at)
    select id, n, substr(md5(id || n), 1, 20), case when n % 2 = 1 then first_id else second_id end, 'Member', 'See you at three.',
      'message ' || n, (n + 1) / 2, n / 2, created_at + n * interval '1 minute'
    from chats, generate_series(1, ${each}) as n order by chats.created_at + n * interval '1 minute'`,
  `update chats set last_sequence = ${each}, first_count = (${each} + 1) / 2, second_count = ${each} / 2, version = ${each},
    preview = 'See you at three.', preview_by = case when ${each} % 2 = 1 then first_id else second_id end,
    newest_at = created_at + ${each} * interval '1 minute'`,
  `insert into chat_marks (chat_id, member_id, delivered, read, incoming_read, updated_at)
    select id, unnest(array[first_id, second_id]), ${each}, 2, 1, created_at from chats`,
  `insert into chat_entries (member_id, chat_id, kind, other_id, mix_id, version, last_sequence, incoming, read, incoming_read, preview,
      preview_by, updated_at)
    select member.id, chats.id, kind, member.other_id,
      case kind when 'conversation' then first_account_id || second_account_id else '' end, version, last_sequence, member.incoming,
      last_sequence, member.incoming, preview, preview_by, newest_at
    from chats cross join lateral (values (first_id, second_id, last_sequence - first_count),
      (second_id, first_id, last_sequence - second_count)) as member(id, other_id, incoming)`,
];

/** How many of each there are; the whole is what one node is made for. */
export const wholeSize = { members: 50_000, requests: 100_000, posts: 200_000, messages: 400_000 };

/**
 * Fills an empty database with a share of `wholeSize`, in the proportions of a product that has been used for two years.
 * What waits for somebody and what `busy` members have is the same at every share. Runs on one connection.
 */
export async function fill(sql: Sql, share: number, busy: readonly Busy[]): Promise<void> {
  const members_ = Math.round(wholeSize.members * share);
  const requestCount = Math.round(wholeSize.requests * share);
  const postCount = Math.round(wholeSize.posts * share);
  const messageCount = Math.round(wholeSize.messages * share);
  const statements = [
    // The rows are consistent by construction, and what triggers would derive is written below.
    'set session_replication_role = replica',
    ...members(members_),
    ...posts(postCount, members_),
    ...plans((members_ / 5) * 2),
    ...requests(requestCount, members_),
    ...busy.flatMap(busyRequests),
    ...money,
    ...reviews(members_),
    ...chats(members_, members_),
    ...busy.flatMap(busyChats),
    ...messages(Math.round(messageCount / (requestCount * 0.75 + members_))),
    'set session_replication_role = origin',
    // What the work adds comes after all others, at every size: not into the ends of pages, where some happen to fit.
    'alter table interactions set (fillfactor = 80)',
    'vacuum analyze',
  ];
  for (const statement of statements) await sql.unsafe(statement);
}
