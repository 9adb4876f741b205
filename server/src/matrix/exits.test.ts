import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { otherTables, personalTables } from '../features/personal-data/list.ts';
import type { Database } from '../platform/database/connect.ts';
import type { Frame } from '../testing/backend/realtime-client.ts';
import { exitActs } from '../testing/matrix/exit-acts.ts';
import { exitFailures } from '../testing/matrix/exit-failures.ts';
import type { Marks } from '../testing/matrix/exit-marks.ts';
import { openRoads, type Person } from '../testing/matrix/exit-roads.ts';
import { test as base } from '../testing/test.ts';

/** What a text shows, each mark with its column. */
type Shown = Map<string, string>;
type PersonName = (typeof people)[number];

/**
 * Who takes what leaves: nobody; the owner of the marked records; the other side of her requests and chats; one who
 * reported and muted her; any other member; one whom she blocked; one who blocked her; one whose account is
 * about to be deleted; an admin, and one without a second factor.
 */
const people = [
  ...([
    'guest',
    'owner',
    'party',
    'reporter',
    'other',
    'blocked',
    'blocker',
    'leaving',
    'admin',
    'weakAdmin',
  ] as const),
];

const words = (text: string) => text.trim().split(/\s+/);

/** Whoever is shown this column is shown the record; of others their id. Who blocked a member keeps the id. */
const recordMarks: Record<string, string> = {
  ...{ profiles: 'profiles.username', notification_settings: 'notification_settings.paused_until' },
};
const recordOf = (column: string) => column.replace(/[.]\w+$/, '');
const recordMark = (column: string) => recordMarks[recordOf(column)] ?? `${recordOf(column)}.id`;

/**
 * Who is shown each record by any call but those of documents, and each column that more or fewer people are shown than
 * the record. A record that is not here is nobody's. A column that goes with its record needs no place here: the
 * contract and the presenter name it.
 */
const shownTo: Record<string, readonly string[]> = {
  'guest owner party reporter other blocked blocker leaving admin weakAdmin': words(`
    interactions.meets_at interactions.meets_until interactions.place plans.title profiles.name
    profiles/party.name`),
  'owner party reporter other blocked blocker admin weakAdmin': words(`
    accounts/banned.id accounts/party.id plans/party.id posts/party.id profiles/banned.id
    profiles/party.id`),
  'owner party reporter other blocker admin weakAdmin': words(`
    profiles.id`),
  'party reporter other blocked blocker admin weakAdmin': words(`
    accounts/blocker.id profiles/blocker.id`),
  'owner party reporter other admin weakAdmin': words(`
    accounts.id files.id interactions.plan_title plans.id posts.id profiles.username reviews.id`),
  'owner party other admin weakAdmin': words(`
    review_comments.id`),
  'owner party admin': words(`
    attempts.amount_centavos attempts/refund.amount_centavos
    dispute_messages.body dispute_messages.message_id dispute_messages.sent_at
    disputes.answer disputes.answered_at disputes.created_at disputes.story interactions.id
    meeting_proposals.id messages.id receipts.id
    request_decisions.created_at request_decisions.note request_decisions.refund_centavos`),
  'owner admin': words(`
    captured_payments.id disbursements/refund.problem interactions.terms ledger_entries.amount profiles.birth_date`),
  'owner blocker': words(`
    blocks.blocked_name blocks.created_at`),
  'party admin': words(`
    disbursements.problem interactions.payout_waits_until`),
  'owner party': words(`
    conversations.id receipts.created_at`),
  'owner other': words(`
    conversations/request.id`),
  leaving: words(`
    accounts/leaving.id profiles/leaving.id`),
  admin: words(`
    accounts/former.id attempts.created_at attempts.destination attempts.ended_at attempts.key attempts.problem attempts.reference
    attempts/refund.created_at attempts/refund.ended_at attempts/refund.reference
    captured_payments.paid_at chargebacks.id disbursements.id
    disbursements/refund.id files/unsent.id interactions.accepted_at
    interactions.cancelled_at interactions.completed_at interactions.creator_met_at interactions.disputed_at interactions.frozen_at
    interactions.link_id manual_transfers.amount_centavos manual_transfers.created_at manual_transfers.problem
    manual_transfers.reference ledger_checks.checked_at
    ledger_checks.differences money_alarms.amount_centavos money_alarms.due_on money_alarms.since profiles.verified_name profiles/former.id reports.id unassigned_disputes.id unsent_messages.body
    verifications.id`),
  owner: words(`
    account_events.created_at account_events.event account_events.ip account_events.user_agent
    accounts.created_at accounts.email accounts.name accounts.password_updated_at accounts.phone
    accounts.prefs accounts.updated_at accounts.warning data_exports.id devices.id files.chosen_id files/unsent.chosen_id
    files/unsent.created_at files/unsent.name files/unsent.signature files/unsent.size
    files/unsent.updated_at identities.id
    interactions.checkout_url interactions.refund_number profiles.decline_note
    notification_settings.paused_until notifications.id notifications/member.id
    profiles.limited_plan profiles.phone_number public_links.id sessions.id shared_plans.created_at tokens.email tokens.expires_at`),
  reporter: words(`
    mutes.created_at`),
  party: words(`
    interactions.released_centavos member_presence.last_seen_at`),
  nobody: words(`
    accounts.accessed_at accounts.consented_at accounts.email_verified_at accounts.password_hash
    accounts.phone_verified_at accounts.suspended_until accounts/banned.blocked_at
    accounts/former.deleted_at captured_payments.fee_centavos
    chargebacks.disputed_at chargebacks.fee_centavos chargebacks.from_escrow_centavos chargebacks.from_payable_centavos data_exports.ready_at
    data_exports.sealed_key devices.auth devices.endpoint devices.p256dh disbursements.arrived_at disbursements.updated_at
    disbursements/refund.arrived_at disbursements/refund.updated_at files.path files.used_at files/unsent.alt files/unsent.height
    files/unsent.path files/unsent.thumbhash files/unsent.used_at files/unsent.width identities.issuer interactions.refund_centavos notification_settings.held_chats notifications.delivered_at notifications.mail_held_until notifications.mail_to
    notifications.occasion notifications.push_held_until notifications.pushed_at notifications.read_at notifications/member.delivered_at
    notifications/member.mail_held_until notifications/member.mail_to notifications/member.occasion notifications/member.push_held_until
    notifications/member.pushed_at notifications/member.read_at plans.updated_at profiles.friends_removed_at profiles.payout_number_from
    profiles.updated_at profiles/former.deleted_at reviews.updated_at sessions.password_shown_at sessions.second_factor_shown_at
    sessions.secret_hash unassigned_disputes.created_at unassigned_disputes.foreign_at verifications.accepted_at`),
};

/** Columns that nobody gets by any road, not even the owner by an export. */
const neverShown = words(`
    accounts.accessed_at accounts.password_hash audit_log.action audit_log.after audit_log.before
    audit_log.created_at audit_log.subject blocks.blocker_name captured_payments.fee_centavos
    challenges.created_at challenges.email challenges.expires_at challenges.id challenges.phone
    challenges.reference challenges.secret_hash chargebacks.disputed_at chargebacks.fee_centavos chargebacks.from_escrow_centavos
    chargebacks.from_payable_centavos data_exports.sealed_key devices.auth devices.p256dh
    key_checks.name key_checks.value ledger_checks.wallet_high_centavos ledger_checks.wallet_low_centavos money_alarms.record_id notification_settings.held_chats notifications.mail_to nodes.bus nodes.id nodes.pool_id nodes.role nodes.seen_at nodes.started_at nodes.store object_removals.due_at object_removals.key oauth_states.browser_hash oauth_states.created_at oauth_states.expires_at
    oauth_states.failure_url oauth_states.sealed oauth_states.state_hash oauth_states.success_url
    attempts.source postponed_items.attempts
    postponed_items.item_id postponed_items.last_error postponed_items.retry_at postponed_items.work
    provider_events.body provider_events.id provider_events.payload provider_events.problem provider_events.processed_at provider_events.received_at
    provider_events.type provider_reads.open_ids provider_reads.read_until provider_webhooks.created_at provider_webhooks.secret provider_webhooks.url
    provider_webhooks.webhook_id recovery_codes.code_hash recovery_codes.created_at
    second_factors.last_step second_factors.secret sessions.secret_hash shared_plans.token_hash tokens.created_at tokens.id
    tokens.secret_hash unassigned_disputes.created_at unassigned_disputes.foreign_at unsent_messages.created_at uploads.path`);

/** What the two get of each other once the owner blocked the party: what was said and agreed, with the names of that time. */
const shownAfterBlock = {
  owner: words(`accounts/party.id profiles/party.id profiles/party.name`),
  party: words(`
    attempts.amount_centavos disbursements.problem dispute_messages.body dispute_messages.message_id dispute_messages.sent_at
    disputes.answer disputes.answered_at disputes.created_at disputes.story files.alt files.created_at
    files.height files.id files.name files.signature files.size files.thumbhash files.updated_at
    files.width interactions.admin_set_done_at interactions.cancel_note interactions.charged_back_at
    interactions.client_name interactions.created_at interactions.day_starts_at interactions.id
    interactions.meets_at interactions.meets_until interactions.paid_at interactions.paid_out_at
    interactions.pay_until interactions.payment_id interactions.payout_waits_until interactions.place interactions.plan_title
    interactions.price_centavos interactions.reference_number
    interactions.refunded_at interactions.released_centavos interactions.updated_at
    interactions.user_set_done_at interactions.webhook_id meeting_proposals.created_at
    meeting_proposals.id meeting_proposals.meets_at meeting_proposals.meets_until
    meeting_proposals.place messages.body messages.client_key messages.id
    messages.name plans.id plans.title profiles.name
    receipts.created_at receipts.id request_decisions.created_at
    request_decisions.note request_decisions.refund_centavos`),
};

/** Columns without a value that is nowhere else, and why. */
const uncovered = {
  'one of a few words': words(`
    accounts.labels accounts.terms_version chat_entries.kind chat_entries.listed_in
    chat_settings.messages_from chats.kind disputes.reason files.mime_type identities.provider
    interactions.stage ledger_checks.counts notification_settings.switched_off
    notification_settings.time_zone notifications.event notifications.group_name
    oauth_states.provider
    profiles.decline_reason reports.decision reports.kind reports.reason`),
  'a time set by the database or the server': words(`
    accounts.accessed_at chat_entries.expires_at chat_entries.updated_at
    chat_entry_progress.saved_through chat_marks.updated_at chats.created_at chats.expires_at
    chats.newest_at chats.updated_at ledger_transfers.created_at messages.created_at messages.unsent_at`),
  'of another member, or as large as what is beside it': words(`
    chargebacks.amount_centavos mutes.muter_id shared_plans.token_hash unassigned_disputes.amount_centavos`),
  'a count, a position or a small number': words(`
    audit_log.id challenges.tries chargebacks.assignment chat_entries.hidden_through chat_entries.incoming
    chat_entries.incoming_read chat_entries.last_sequence chat_entries.read chat_entries.version
    chat_marks.delivered chat_marks.incoming_read chat_marks.read chats.first_count chats.last_sequence
    chats.second_count chats.version dispute_messages.position dispute_photos.position files.checksums files.parts files.variants
    interactions.platform_fee_basis_points interactions.refund_window_days ledger_checks.id
    ledger_entries.transfer_id ledger_transfers.id messages.first_count messages.reply_to
    messages.second_count messages.sequence notification_settings.quiet_from
    notification_settings.quiet_until attempts.number plan_photos.position
    plans.duration_minutes plans.number plans.total_meetings plans.total_reviews plans.total_stars
    post_popularity.total_likes post_search.number posts.number posts.total_likes profiles.completeness profiles.number
    profiles.total_plan profiles.total_reviews profiles.total_stars
    review_photos.position reviews.stars
    reviews.total_comments reviews.total_likes unassigned_disputes.assignments unsent_messages.sequence uploads.parts`),
};

interface Exception {
  who: readonly PersonName[];
  columns: string;
  reason: string;
}
const members = ['owner', 'party', 'reporter', 'other', 'admin', 'weakAdmin'] as const;
const states = [
  ...['accepted_at', 'cancelled_at', 'completed_at', 'creator_met_at', 'disputed_at', 'frozen_at', 'paid_at'],
  ...['admin_set_done_at', 'terms'],
];

/** What was decided of a request's money: its notice says so, and its card shows what moved since. */
const decided: Exception = {
  who: ['owner', 'party'],
  columns: 'interactions.refund_centavos interactions.released_centavos',
  reason: 'Both read the decision, whose parts these are.',
};

/** What leaves by another way although no call of `/api` shows it. */
const exceptions: Record<'document' | 'mail' | 'export', Exception[]> = {
  document: [
    decided,
    {
      who: members,
      columns: 'profiles.updated_at plans.updated_at reviews.updated_at',
      reason: 'Each document has `$updatedAt` (§3).',
    },
    {
      who: ['owner'],
      columns: 'friends.* post_likes.* profiles.friends_removed_at review_likes.* saves.* verifications.*',
      reason: 'Documents of one’s own alone (§3), which the screens show as states of a button.',
    },
    {
      who: ['reporter'],
      columns: 'review_comments.*',
      reason: 'A mute hides from lists alone; a single comment is a document.',
    },
    {
      who: ['owner', 'party'],
      columns: 'notifications.occasion',
      reason: 'The key of a line in a plan chat, which both read, names its event and the occasion.',
    },
    {
      who: ['admin'],
      columns: 'verifications.* files.id',
      reason: 'Admins read each identity check (§6), also those that are decided; never the pictures.',
    },
  ],
  mail: [
    decided,
    {
      who: ['guest'],
      columns: 'accounts.id accounts.name',
      reason:
        'The reader of an email that the owner typed: a greeting and a link, of what the profile shows.',
    },
    {
      who: ['owner'],
      columns: 'tokens.email',
      reason: 'The present email is told of the one to come, which the settings show.',
    },
  ],
  export: [
    decided,
    {
      who: ['owner'],
      columns: [
        ...[
          'account_events',
          'accounts',
          'data_exports',
          'devices',
          'files',
          'friends',
          'identities',
          'member_presence',
        ],
        ...[
          'notifications',
          'notifications/member',
          'plans',
          'post_likes',
          'profiles',
          'public_links',
          'review_comments',
          'review_likes',
          'reviews',
          'saves',
        ],
        ...['second_factors', 'sessions', 'uploads', 'verifications', 'messages'],
        ...['files/unsent', 'plans/removed'],
      ]
        .map((table) => `${table}.*`)
        .join(' '),
      reason: 'Rows of the member alone: an export has all of them.',
    },
    {
      who: ['owner'],
      columns: 'disbursements/refund.* attempts/refund.*',
      reason: 'Money to the member.',
    },
    { who: ['party'], columns: 'disbursements.* attempts.*', reason: 'Money to the member.' },
    {
      who: ['owner'],
      columns: 'tokens.email',
      reason: 'The member was notified of the email to come.',
    },
    {
      who: ['owner', 'party'],
      columns: 'meeting_proposals/answered.*',
      reason: 'Of both, who saw the proposal while it was open.',
    },
    {
      who: ['owner', 'party'],
      columns: states.map((column) => `interactions.${column}`).join(' '),
      reason: 'When a state began that both see, and the terms that both agreed to.',
    },
    {
      who: ['party'],
      columns: 'interactions.payout_waits_until friends.created_at',
      reason: 'Of the creator, who sees it until the money is paid out; of both friends.',
    },
  ],
};
/** What they have of it after a block: their own acts, as before it. */
const exceptionsAfterBlock: Exception[] = [
  {
    who: ['owner', 'party'],
    columns: 'conversations.* receipts.* posts.id posts/party.id plans/party.id reviews.id',
    reason: 'An export has the member’s own chats and likes, with the other as a name (decision 0040).',
  },
];
/** What a block itself announces to the two. */
const blockExceptions: Exception[] = [
  {
    who: ['owner', 'party'],
    columns: 'conversations.id receipts.id profiles.id profiles/party.id',
    reason: 'An open chat learns that the other is not here and that it is to be read again (decision 0048).',
  },
];

/** The columns of what a text shows and the calls do not. */
function beyond(
  road: keyof typeof exceptions,
  who: PersonName,
  [text, shown]: readonly [Shown | undefined, Shown | undefined],
  more: Exception[] = [],
): string[] {
  const permitted = [...exceptions[road], ...more]
    .filter((exception) => exception.who.includes(who))
    .flatMap(({ columns }) => columns.split(' '));
  const isPermitted = (column: string) =>
    permitted.includes(column) || permitted.includes(column.replace(/[.].*/, '.*'));
  const columns = [...(text ?? [])].filter(([mark]) => !shown?.has(mark)).map(([, column]) => column);
  return [...new Set(columns)].filter((column) => !isPermitted(column)).sort();
}

/** Columns without a marked value, neither their own nor a copy. */
async function uncoveredColumns(database: Database, marks: Marks): Promise<string[]> {
  const columns: string[] = [];
  for (const table of new Set([...personalTables.map((entry) => entry.table), ...otherTables.keys()])) {
    const rows: { row: Record<string, unknown> }[] = await database.execute(
      sql`select to_jsonb(${table}) as row from ${table}`,
    );
    for (const { name, dataType, enumValues } of Object.values(getTableColumns(table))) {
      const text = JSON.stringify(rows.map(({ row }) => row[name]));
      if (dataType !== 'boolean' && !enumValues && marks.find(text).size === 0)
        columns.push(`${getTableName(table)}.${name}`);
    }
  }
  return columns.sort();
}

/** What an event is about and what happened, such as `posts.update`. */
const eventKind = ({ data }: Frame) =>
  String(data.events[0])
    .replace(/^users[.]\w+[.](\w+)[.]\w+[.]/, '$1.')
    .replace(/^(?:databases[.]tara[.]collections[.])?(\w+)[.].*[.](\w+)$/, '$1.$2');

/** Changes that are announced. That a record is new says what its update says. */
const announcedKinds = words(`
  buckets.create buckets.delete buckets.update chatReceipts.create chatReceipts.update chats.create
  chats.update conversationOwners.update conversationReceipts.create conversationReceipts.update
  conversations.create conversations.update friendLists.update likedPosts.create likedPosts.delete
  likedReviews.create likedReviews.delete planInteractions.create planInteractions.update plans.update
  posts.delete posts.update recovery.create reviewComments.create reviewComments.delete reviews.delete reviews.update
  saves.create saves.delete users.update verifying.create verifying.delete verifying.update`);

const test = base
  .extend('roads', { scope: 'file' }, async ({ connection }, { onCleanup }) => {
    const roads = await openRoads(connection);
    onCleanup(() => roads.close());
    return roads;
  })
  .extend('walk', { scope: 'file' }, async ({ database, roads }, { onCleanup }) => {
    const { world, act } = roads;
    const uncovered = await uncoveredColumns(database, world.marks);
    const take = async (names: readonly PersonName[], road: (who: Person) => Promise<string>) => {
      const taken = new Map<PersonName, Shown>();
      for (const name of names) taken.set(name, world.marks.find(await road(world.people[name] ?? null)));
      return taken;
    };
    const exported = async (who: Person) => (who === null ? '' : roads.exported(who));
    const first = {
      shown: await take(people, roads.shown),
      document: await take(people, roads.shownDocuments),
      export: await take(people, exported),
    };
    const kinds: string[] = [];
    const listener = await roads.listen();
    onCleanup(() => listener.close());
    const events = async () => {
      const taken = new Map<PersonName, Shown>();
      for (const [name, frames] of await listener.take()) {
        taken.set(name as PersonName, world.marks.find(JSON.stringify(frames)));
        kinds.push(...frames.map(eventKind));
      }
      return taken;
    };
    const acts = exitActs(roads, listener);
    const created = await take(people, roads.createdDocuments);
    await acts.touch();
    const { jobs } = roads;
    const mails = async (occasion: string) => {
      await jobs.notifyAll(occasion);
      await jobs.mailAccount();
      await roads.askForSecrets();
      await jobs.work();
      const taken = await jobs.takeMails();
      return new Map(people.map((name) => [name, world.marks.find(taken.get(name) ?? '')]));
    };
    const before = {
      ...{ ...first, created, mail: await mails('before'), event: await events() },
      report: await take(people, roads.reported),
    };
    const columns = world.marks.labels();
    const { owner, party } = world;
    await act(owner, '/api/visibility/block', { profileId: party.profileId });
    const blocking = await events();
    await world.rename();
    // Whoever has the link of a shared plan sees both names.
    world.parameters.token?.splice(0);
    const parties = ['owner', 'party'] as const;
    const shown = await take(parties, roads.shown);
    const document = await take(parties, roads.shownDocuments);
    const createdBlocked = await take(parties, roads.createdDocuments);
    await acts.touch();
    const blocked = {
      ...{ shown, document, created: createdBlocked, mail: await mails('after'), event: await events() },
      report: await take(parties, roads.reported),
      export: await take(parties, exported),
    };
    const names = await take(people, roads.profilesShown);
    await acts.remove();
    const removed = { names, event: await events() };
    const failures = exitFailures(roads);
    await failures.refuseMails();
    await failures.refuseRows(async () => {
      await acts.touch();
      await acts.remove();
      for (const who of [owner, party]) await roads.createdDocuments(who);
      await jobs.notifyAll('refused').catch(() => {});
      await jobs.work();
    });
    await failures.refuseCalls();
    const logged = world.marks.find(roads.lines.join('\n'));
    return {
      before,
      blocking,
      blocked,
      removed,
      logged,
      uncovered,
      columns,
      kinds: [...new Set(kinds)].sort(),
    };
  });

const columnsIn = (shown: Shown | undefined) => new Set(shown?.values());

test('no column is without a value by which it is found here (threat-other-exits)', { timeout: 240_000 }, ({
  walk,
}) => {
  expect(walk.uncovered).toEqual(Object.values(uncovered).flat().sort());
});

test('the calls show each record to these people alone, and each column with its record (threat-other-exits)', ({
  walk,
}) => {
  const named = new Map(
    Object.entries(shownTo).flatMap(([audience, columns]) =>
      columns.map((column) => [column, audience] as const),
    ),
  );
  const withRecord = (column: string) => named.get(recordMark(column)) ?? 'nobody';
  const audienceOf = (column: string) =>
    people.filter((name) => columnsIn(walk.before.shown.get(name)).has(column)).join(' ') || 'nobody';
  const columns = [...walk.columns].sort();
  expect(Object.fromEntries(columns.map((column) => [column, audienceOf(column)]))).toEqual(
    Object.fromEntries(columns.map((column) => [column, named.get(column) ?? withRecord(column)])),
  );
  const needless = [...named].filter(
    ([column, audience]) =>
      !walk.columns.has(column) || (recordMark(column) !== column && audience === withRecord(column)),
  );
  expect(needless, 'named although it goes with its record, or is no column').toEqual([]);
});

test('nobody gets these columns by any road, and somebody gets each other one (threat-other-exits)', ({
  walk,
}) => {
  const shown = new Set(
    ['shown', ...roads].flatMap((road) =>
      people.flatMap((name) => [...columnsIn(walk.before[road as 'shown'].get(name))]),
    ),
  );
  const hidden = [...walk.columns].filter((column) => !column.includes('/') && !shown.has(column));
  expect(hidden.sort()).toEqual(neverShown.toSorted());
});

const roads = ['document', 'created', 'event', 'mail', 'report', 'export'] as const;
const each = <Name>(names: readonly Name[]) =>
  roads.flatMap((road) => names.map((name) => [road, name] as const));
// An event holds the document.
const exceptionsOf = (road: (typeof roads)[number]) =>
  road === 'export' || road === 'mail' ? road : 'document';

test.for(each(people))(
  'no %s shows %s more than the calls do (threat-other-exits)',
  ([road, who], { walk: { before } }) => {
    expect(beyond(exceptionsOf(road), who, [before[road].get(who), before.shown.get(who)])).toEqual([]);
  },
);

test.for(each(['owner', 'party'] as const))(
  'after a block no %s shows %s more than the calls do (threat-other-exits)',
  ([road, who], { walk: { blocked } }) => {
    const texts = [blocked[road].get(who), blocked.shown.get(who)] as const;
    const more = road === 'export' ? exceptionsAfterBlock : [];
    expect(beyond(exceptionsOf(road), who, texts, more)).toEqual([]);
  },
);

test.for(people)(
  'no event of a block shows %s more than the calls do (threat-other-exits)',
  (who, { walk }) => {
    const { blocking, before, blocked } = walk;
    const shown = blocked.shown.get(who) ?? before.shown.get(who);
    expect(beyond('document', who, [blocking.get(who), shown], blockExceptions)).toEqual([]);
  },
);

test.for(people)(
  'no event of what is deleted shows %s more than the calls did (threat-other-exits)',
  (who, { walk }) => {
    const { removed, before, blocked } = walk;
    const shown = blocked.shown.get(who) ?? before.shown.get(who);
    const known = new Map([...(shown ?? []), ...(removed.names.get(who) ?? [])]);
    expect(beyond('document', who, [removed.event.get(who), known])).toEqual([]);
  },
);

test('a change of each kind of record is announced here', ({ walk }) => {
  expect(walk.kinds).toEqual(announcedKinds);
});

test('no line of the log has anything but ids, also of what fails (threat-other-exits)', ({
  walk,
  roads,
}) => {
  const columns = [...walk.logged.values()].filter((column) => !/[._]id$/.test(column));
  expect([...new Set(columns)].sort()).toEqual([]);
  const logged = roads.lines.join('');
  for (const failure of ['request failed', 'violates check constraint', 'Failed task'])
    expect(logged).toContain(failure);
});

test('a copy of each kind of record is made by a report here', ({ walk }) => {
  const copied = [...columnsIn(walk.before.report.get('party'))];
  const texts = ['profiles.bio', 'posts.caption', 'plans.terms', 'reviews.caption', 'review_comments.body'];
  expect(copied).toEqual(expect.arrayContaining([...texts, 'messages.body']));
});

test('after a block the two see this of each other alone (threat-other-exits)', ({ walk: { blocked } }) => {
  const columnsOf = (name: PersonName) => [...columnsIn(blocked.shown.get(name))].sort();
  const owner = columnsOf('owner').filter((column) => column.includes('/party'));
  const party = columnsOf('party').filter((column) => !column.includes('/'));
  expect({ owner, party }).toEqual(shownAfterBlock);
});
