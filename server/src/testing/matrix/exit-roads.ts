import { buffer } from 'node:stream/consumers';
import { allCalls } from '@tara/contract/all';
import type { Call, Schema } from '@tara/contract/calls';
import { profiles } from '@tara/contract/members/profiles';
import { reports } from '@tara/contract/members/reports';
import { requestCases } from '@tara/contract/money/disputes';
import { callUrl } from '@tara/contract/url';
import { type CollectionId, collectionIds, type Document, documents } from '@tara/contract/wire/documents';
import { eq, notInArray } from 'drizzle-orm';
import yauzl from 'yauzl';
import { noVisit } from '../../features/accounts/events.ts';
import { accounts, requestLastLink } from '../../features/accounts/index.ts';
import { hashPassword } from '../../features/accounts/password.ts';
import { personalDataZip } from '../../features/personal-data/export-file.ts';
import { reports as reportRows } from '../../features/reports/index.ts';
import { encryptedStore } from '../../platform/files/encrypted.ts';
import { openLog } from '../../platform/log.ts';
import { serveAllCalls } from '../all-calls.ts';
import type { TestDatabase } from '../database.ts';
import type { TestMember } from '../features/sessions.ts';
import { testPlatform } from '../platform.ts';
import { listenToAll } from './exit-events.ts';
import { exitJobs } from './exit-jobs.ts';
import { type ExitWorld, exitWorld } from './exit-world.ts';

/** A member, or a guest. */
export type Person = TestMember | null;

const documentsKey = Buffer.alloc(32, 3);

/** The fields of an object's schema. */
export const shapeOf = (schema: Schema) =>
  (schema._zod.def as { shape?: Record<string, Schema> }).shape ?? {};

/** The values of an enumeration, also behind a default. */
function valuesOf(schema: Schema): string[] {
  const { entries, values, innerType } = schema._zod.def as {
    entries?: Record<string, string>;
    values?: string[];
    innerType?: Schema;
  };
  return entries ? Object.values(entries) : (values ?? (innerType ? valuesOf(innerType) : []));
}

/** What the calls of both APIs answer, without documents and what leads a browser on. */
const reads = Object.entries(allCalls)
  .filter(([table]) => table !== 'documents')
  .flatMap(([table, calls]) =>
    Object.entries(calls).map(([name, call]) => [`${table}.${name}`, call] as const),
  )
  .filter(([, { method, status }]) => method === 'GET' && status !== 302);

const answered = (status: number, headers: unknown, text: string) => ({
  ...{ status, text, ok: status < 400, all: `${JSON.stringify(headers)}\n${text}` },
});

/** The fields of queries by which a call shows something else. */
const chosenFields = ['search', 'token', 'requests', 'pages'];

/** Of which kind of record the parameter `id` of a call is; `call` or `table`. */
const idKinds: Record<string, string> = {
  ...{ 'personalData.download': 'export', 'profiles.get': 'profile', verification: 'verification' },
  ...{ 'posts.byCreator': 'profile', 'plans.byCreator': 'profile', 'reviews.byOwner': 'profile' },
  ...{ posts: 'post', plans: 'plan', reviews: 'review', interactions: 'request', disputes: 'request' },
  ...{ receipts: 'receipt', sharedPlans: 'request', publicLinks: 'publicLink' },
  ...{ payments: 'request', caseFiles: 'request' },
};

/** The addresses of a call with everything in its parameters that leads to something of the owner. */
function addressesOf([name, call]: (typeof reads)[number], { parameters, ids }: ExitWorld): string[] {
  const candidates = (key: string, schema: Schema) => {
    const values = valuesOf(schema);
    const kind = idKinds[name] ?? idKinds[name.split('.')[0] ?? ''] ?? '';
    const known = values.length > 0 ? values : key === 'id' ? ids[kind] : parameters[key];
    if (known === undefined) throw new Error(`${name}: exit-world.ts has no values for ${key}`);
    return known;
  };
  let params: Record<string, string>[] = [{}];
  for (const [key, schema] of Object.entries(shapeOf(call.params)))
    params = params.flatMap((chosen) =>
      candidates(key, schema).map((value) => ({ ...chosen, [key]: value })),
    );
  const queries: Record<string, string>[] = [{}];
  for (const [key, schema] of Object.entries(shapeOf(call.query)))
    if (chosenFields.includes(key) && !call.path.startsWith('/v1'))
      queries.push(...candidates(key, schema).map((value) => ({ [key]: value })));
  return params.flatMap((chosen) => queries.map((query) => callUrl(call, { params: chosen, query })));
}

/** A running server on the filled world, and the roads by which data leaves it. */
export async function openRoads({ database, url: databaseUrl }: TestDatabase) {
  const lines: string[] = [];
  const log = openLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
  const platform = { ...testPlatform(database, { PAYOUTS: 'manual', NOTIFICATION_MAIL_MINUTES: '0' }), log };
  const documentStore = encryptedStore(platform.files, documentsKey);
  const world = await exitWorld(database, { files: platform.files, documents: documentStore });
  const documentsKeys = async () => [documentsKey] as const;
  const { server, url, provider } = await serveAllCalls(platform, documentsKeys);

  /** A reply with all that is in it. */
  async function ask(who: Person, method: Call['method'], path: string, body?: object) {
    if (method === 'GET') {
      const { statusCode, headers, body } = await server.request(who, { method, url: path });
      return answered(statusCode, Object.entries(headers), body);
    }
    // A request that is refused before its body is read needs a socket.
    const reply = await fetch(url + path, {
      method,
      headers: {
        ...(who ? { 'x-appwrite-session': who.secret } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return answered(reply.status, [...reply.headers], await reply.text());
  }
  /** @throws Error for a refusal */
  async function act(who: Person, path: string, body: object, method: Call['method'] = 'POST') {
    const reply = await ask(who, method, path, body);
    if (!reply.ok) throw new Error(`${path}: ${reply.text}`);
    return reply;
  }

  const jobs = exitJobs(platform, { world, databaseUrl, provider, documentsKeys });

  // What is written with the end of a request is stored with its notifications, too.
  const { cancel, refund, decide } = world.endings;
  const { admin = null } = world.people;
  await act(world.owner, '/api/plan/cancelRequest', { interactionId: cancel.id, reason: cancel.note });
  await act(admin, '/api/admin/refundRequest', { interactionId: refund.id, reason: refund.note });
  await act(admin, '/api/admin/decideRequest', {
    ...{ interactionId: decide.id, outcome: 'refund', note: decide.note },
  });

  const filePaths = Object.entries(world.buckets).flatMap(([id, bucketId]) =>
    ['', '/view'].map((end) => `/v1/storage/buckets/${bucketId}/files/${id}${end}`),
  );
  const addresses = () => [
    ...reads
      .filter(([name]) => !/^storage[.](get|view|download|preview)$/.test(name))
      .flatMap((read) => addressesOf(read, world)),
    ...filePaths,
  ];
  const looks = [
    ...world.reportIds.flatMap((id) =>
      [reports.original, reports.planChat].map((call) => [call, { id }] as const),
    ),
    ...world.requestIds.map((interactionId) => [requestCases.planChat, { interactionId }] as const),
  ];

  /** What the calls show a person, but for documents. */
  async function shown(who: Person): Promise<string> {
    const texts: string[] = [];
    for (const address of addresses()) texts.push((await ask(who, 'GET', address)).all);
    for (const [call, body] of looks) texts.push((await ask(who, call.method, call.path, body)).all);
    return texts.join('\n');
  }

  /** The two parties as the calls show a person each of them. */
  async function profilesShown(who: Person): Promise<string> {
    const ids = world.ids.profile ?? [];
    const replies = ids.map((id) => ask(who, 'GET', callUrl(profiles.get, { params: { id } })));
    return (await Promise.all(replies)).map(({ all }) => all).join('\n');
  }

  const documentPath = (collectionId: CollectionId) =>
    callUrl(documents.list, { params: { databaseId: 'tara', collectionId } });

  const hundred = encodeURIComponent('{"method":"limit","values":[100]}');
  async function listDocuments(who: Person, collectionId: CollectionId) {
    const { all, ok, text } = await ask(who, 'GET', `${documentPath(collectionId)}?queries[0]=${hundred}`);
    const page: { documents: Document[] } = ok ? JSON.parse(text) : { documents: [] };
    return { all, ids: page.documents.map(({ $id }) => $id) };
  }
  const documentIds = new Map<CollectionId, Set<string>>();
  for (const collectionId of collectionIds) {
    const lists = await Promise.all(
      [world.owner, world.party].map((who) => listDocuments(who, collectionId)),
    );
    documentIds.set(collectionId, new Set(lists.flatMap(({ ids }) => ids)));
  }

  /** Documents as a person gets them: in lists, one by one, and as the reply to a change that changes nothing. */
  async function shownDocuments(who: Person): Promise<string> {
    const texts: string[] = [];
    for (const collectionId of collectionIds) {
      const path = documentPath(collectionId);
      texts.push((await listDocuments(who, collectionId)).all);
      for (const id of documentIds.get(collectionId) ?? []) {
        const one = await ask(who, 'GET', `${path}/${id}`);
        texts.push(one.all);
        if (one.ok) texts.push((await ask(who, 'PATCH', `${path}/${id}`, { data: {} })).all);
      }
    }
    return texts.join('\n');
  }

  /** The replies to what a person creates about something of the owner. */
  async function createdDocuments(who: Person): Promise<string> {
    const texts: string[] = [];
    for (const [collectionId, data] of world.creations(who)) {
      const reply = await ask(who, 'POST', documentPath(collectionId), { documentId: 'unique()', data });
      texts.push(reply.all);
    }
    return texts.join('\n');
  }

  /** What a person's reports answer, and copy: only what the person sees can be reported. */
  async function reported(who: Person): Promise<string> {
    const before = await database.select({ id: reportRows.id }).from(reportRows);
    const texts: string[] = [];
    for (const record of world.reportables)
      texts.push(
        (await ask(who, 'POST', reports.create.path, { ...record, reason: 'spam', detail: '' })).all,
      );
    const copies = await database
      .select({ recordId: reportRows.recordId, snapshot: reportRows.snapshot })
      .from(reportRows)
      .where(
        notInArray(
          reportRows.id,
          before.map(({ id }) => id),
        ),
      );
    return `${texts.join('\n')}\n${JSON.stringify(copies)}`;
  }

  /**
   * Asks for every mail and text that brings the owner a link or a code, and for a change to an email whose reader may be
   * anybody.
   */
  async function askForSecrets(): Promise<void> {
    const { owner, marks } = world;
    const isOwner = eq(accounts.id, owner.accountId);
    const [account] = await database.select().from(accounts).where(isOwner);
    const { email, phone, passwordHash } = account ?? {};
    const password = 'correct horse battery';
    await database
      .update(accounts)
      .set({ passwordHash: await hashPassword(password, owner) })
      .where(isOwner);
    const newEmail = `${marks.text('tokens.email')}@example.com`;
    await act(owner, '/v1/account/email', { email: newEmail, password }, 'PATCH');
    await database.update(accounts).set({ passwordHash }).where(isOwner);
    const url = `${platform.config.publicUrl}/sign-in`;
    const userId = 'unique()';
    await act(null, '/v1/account/recovery', { email, url });
    await act(null, '/v1/account/sessions/magic-url', { userId, email, url, phrase: true });
    await act(null, '/v1/account/tokens/email', { userId, email, phrase: true });
    await act(null, '/v1/account/tokens/phone', { userId, phone });
    await requestLastLink(platform, { email: email ?? '', visit: noVisit });
  }

  /** What is in a member's export, each file's name with it. */
  async function exported(who: TestMember): Promise<string> {
    const zip = personalDataZip(
      { database, files: platform.files, documents: documentStore },
      who,
      AbortSignal.timeout(60_000),
    );
    const archive = await yauzl.fromBufferPromise(await buffer(zip), { lazyEntries: true });
    const texts: string[] = [];
    for await (const entry of archive.eachEntry())
      texts.push(entry.fileName, String(await buffer(await archive.openReadStreamPromise(entry))));
    return texts.join('\n');
  }

  return {
    ...{ world, platform, lines, jobs, ask, act, listen: () => listenToAll(url, world, platform) },
    ...{ shown, profilesShown, shownDocuments, createdDocuments, exported, reported, askForSecrets },
    close: () => server.close(),
  };
}
