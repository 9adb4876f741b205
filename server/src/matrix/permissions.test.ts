import { nowDate } from '@tara/contract/clock';
import { BucketId } from '@tara/contract/files';
import { type CollectionId, collectionIds } from '@tara/contract/wire/documents';
import { pageSection } from '@tara/proof/page-section';
import { markdownTable } from '@tara/proof/table';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { files } from '../features/files/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { insertPicture } from '../testing/features/pictures.ts';
import { sendPicture, upload } from '../testing/matrix/block-world.ts';
import {
  type ChannelCase,
  documentsPath,
  permissionWire,
  readReply,
} from '../testing/matrix/permission-wire.ts';
import {
  insertPeople,
  type People,
  type PermissionCase,
  type PersonName,
  people,
  permissionCases,
} from '../testing/matrix/permission-world.ts';
import { newDataDir, type Started, startServer } from '../testing/start.ts';

const publishedTable = pageSection('docs/security.md', 'permissions');

const operations = ['list', 'get', 'create', 'update', 'delete'] as const;
type Operation = (typeof operations)[number];

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof newDataDir>>;
let server: Started;
let members: People;
let wire: ReturnType<typeof permissionWire>;
let cases: Record<CollectionId, PermissionCase>;

beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), newDataDir()]);
  server = await startServer({ DATABASE_URL: database.url, DATA_DIR: folder.path }, ['--empty']);
  members = await insertPeople(database.database);
  wire = permissionWire(server.url ?? '', members);
  cases = await permissionCases(database.database, members);
}, 240_000);
afterAll(async () => {
  await server.stop();
  await Promise.all([database.drop(), folder.remove()]);
});

/** The newest 25 of a list. */
const newestFirst = `?queries[0]=${encodeURIComponent('{"method":"orderDesc","attribute":"$createdAt"}')}`;

/** What a person gets by an operation; records that it could change are new ones. */
async function attempt(who: PersonName, collectionId: CollectionId, operation: Operation): Promise<string> {
  const permissionCase = cases[collectionId];
  if (operation === 'create') {
    const data = await permissionCase.create(members[who === 'guest' ? 'other' : who]);
    return (await wire.create(who, collectionId, data)).outcome;
  }
  const id = await permissionCase.insert();
  if (operation === 'update')
    return (await wire.update(who, collectionId, id, permissionCase.update)).outcome;
  const path = documentsPath(collectionId);
  if (operation === 'delete') return (await wire.ask(who, `${path}/${id}`, 'DELETE')).outcome;
  if (operation === 'get') return (await wire.ask(who, `${path}/${id}`)).outcome;
  const { outcome, body } = await wire.ask(who, path + newestFirst);
  if (outcome !== 'yes') return outcome;
  return (body.documents as { $id: string }[]).some(({ $id }) => $id === id) ? 'yes' : 'not in it';
}

/** Types of errors that mean a refusal, with their word in the table. */
const short: Record<string, string> = {
  document_not_found: '404',
  storage_file_not_found: '404',
  user_unauthorized: '401',
  general_unauthorized_scope: 'sign in',
};

const results = new Map<string, string>();
const record = (key: string, outcome: string) => {
  expect(outcome).not.toMatch(/general_unknown|general_unavailable|undefined/);
  results.set(key, short[outcome] ?? outcome);
};

it.each(collectionIds)('%s answers each person as the rules say', async (collectionId) => {
  for (const operation of operations) {
    for (const who of people)
      record(`${collectionId} ${operation} ${who}`, await attempt(who, collectionId, operation));
  }
});

const bucketIds = BucketId.options;
const fileOperations = ['list', 'get', 'view', 'create', 'update', 'delete'] as const;

/** A picture of the owner that is in use: by a post, in the chat with the party, or for a check of identity. */
async function uploadUsed(bucketId: BucketId): Promise<string> {
  const { owner, party } = members;
  const id = await upload(server.url ?? '', owner, bucketId);
  const readers = {
    images: null,
    messageFiles: [owner.accountId, party.accountId],
    verificationFiles: [],
  };
  const used = { usedAt: nowDate(), readers: readers[bucketId] };
  await database.database.update(files).set(used).where(eq(files.id, id));
  return id;
}

it.each(bucketIds)(
  '%s shows pictures in use, and changes unused ones, as the rules say',
  async (bucketId) => {
    const path = `storage/buckets/${bucketId}/files`;
    const usedId = await uploadUsed(bucketId);
    const ownerAccountId = members.owner.accountId;
    const insertUnused = () => insertPicture(database.database, { ownerAccountId, bucket: bucketId });
    const attempts: Record<(typeof fileOperations)[number], (who: PersonName) => Promise<string>> = {
      list: async (who) => {
        const { outcome, body } = await wire.ask(who, path + newestFirst);
        if (outcome !== 'yes') return outcome;
        return (body.files as { $id: string }[]).some(({ $id }) => $id === usedId) ? 'yes' : 'not in it';
      },
      get: async (who) => (await wire.ask(who, `${path}/${usedId}`)).outcome,
      view: async (who) => (await wire.ask(who, `${path}/${usedId}/view`)).outcome,
      create: async (who) =>
        (await readReply(await sendPicture(server.url ?? '', wire.secretOf(who), bucketId))).outcome,
      update: async (who) =>
        (await wire.ask(who, `${path}/${await insertUnused()}`, 'PUT', { name: 'a.jpg' })).outcome,
      delete: async (who) => (await wire.ask(who, `${path}/${await insertUnused()}`, 'DELETE')).outcome,
    };
    for (const operation of fileOperations)
      for (const who of people) record(`${bucketId} ${operation} ${who}`, await attempts[operation](who));
  },
);

/** Somebody who may do this by what was recorded. */
const may = (collectionId: CollectionId, operation: Operation) =>
  people.find((who) => results.get(`${collectionId} ${operation} ${who}`) === 'yes');

/** Changes a record of the owner, by the wire; returns its id. */
async function change(collectionId: CollectionId): Promise<string> {
  const permissionCase = cases[collectionId];
  if (permissionCase.change)
    return permissionCase.change(async (...record) => {
      const { outcome, body } = await wire.create('party', ...record);
      expect(outcome, collectionId).toBe('yes');
      return String(body.$id);
    });
  const id = await permissionCase.insert();
  const changer = may(collectionId, 'update');
  const { outcome } = await (changer
    ? wire.update(changer, collectionId, id, permissionCase.update)
    : wire.ask('owner', `${documentsPath(collectionId)}/${id}`, 'DELETE'));
  expect(outcome, collectionId).toBe('yes');
  return id;
}

/** By the rows of the table. */
const channels: Record<string, ChannelCase> = {
  ...Object.fromEntries(
    collectionIds.map((id) => [
      id,
      { channel: `databases.tara.collections.${id}.documents`, change: () => change(id) },
    ]),
  ),
  ...Object.fromEntries(
    bucketIds.map((bucketId) => {
      const path = `storage/buckets/${bucketId}/files`;
      const rename = async () => {
        const id = await uploadUsed(bucketId);
        expect((await wire.ask('owner', `${path}/${id}`, 'PUT', { name: 'b.jpg' })).outcome).toBe('yes');
        return id;
      };
      return [bucketId, { channel: `buckets.${bucketId}.files`, change: rename }];
    }),
  ),
  account: {
    channel: 'account',
    change: async () => {
      expect((await wire.ask('owner', 'account/prefs', 'PATCH', { prefs: { a: 1 } })).outcome).toBe('yes');
      return members.owner.accountId;
    },
  },
};

it('each channel announces the owner’s records to each person as the rules say', () =>
  wire.hearChanges(channels, (name, who, heard) => record(`${name} event ${who}`, heard ? 'yes' : 'no')));

it('the table of docs/security.md is what each person gets', async () => {
  const rowsOf = (name: string, names: readonly string[]) =>
    names.map((operation, index) => [
      index === 0 ? `\`${name}\`` : '',
      operation,
      ...people.map((who) => results.get(`${name} ${operation} ${who}`) ?? '?'),
    ]);
  const rows = [
    ...collectionIds.flatMap((collectionId) => rowsOf(collectionId, [...operations, 'event'])),
    ...bucketIds.flatMap((bucketId) => rowsOf(bucketId, [...fileOperations, 'event'])),
    ...rowsOf('account', ['event']),
  ];
  const head = ['Collection, bucket, channel', 'Operation', ...people];
  const table = markdownTable(head, rows);
  if (process.env.WRITE_MATRIX === '1') await publishedTable.write(table);
  else expect(await publishedTable.read()).toBe(table);
});

const foreignIds = ['userId', 'accountId', 'creatorId'] as const;
const foreignFields = (): Record<(typeof foreignIds)[number], string> => ({
  ...{ userId: members.other.profileId, creatorId: members.other.profileId },
  accountId: members.other.accountId,
});
const serverFields = {
  $permissions: ['update("any")'],
  $createdAt: '2001-01-01T00:00:00.000+00:00',
  $id: 'foreign',
};

it.each(collectionIds)(
  '%s refuses foreign ids in data, and ignores what is the server’s',
  async (collectionId) => {
    const permissionCase = cases[collectionId];
    const creator = may(collectionId, 'create');
    const changer = may(collectionId, 'update');
    const writes = [
      ...(creator && creator !== 'guest'
        ? [
            async (more: object) =>
              wire.create(creator, collectionId, {
                ...(await permissionCase.create(members[creator])),
                ...more,
              }),
          ]
        : []),
      ...(changer
        ? [
            async (more: object) =>
              wire.update(changer, collectionId, await permissionCase.insert(), {
                ...permissionCase.update,
                ...more,
              }),
          ]
        : []),
    ];
    for (const write of writes) {
      for (const name of foreignIds) {
        const { outcome, body } = await write({ [name]: foreignFields()[name] });
        expect([outcome, String(body.message)]).toEqual([
          'document_invalid_structure',
          expect.stringContaining(name),
        ]);
      }
      const { outcome, body } = await write(serverFields);
      expect(outcome).toBe('yes');
      for (const [name, value] of Object.entries(serverFields)) expect(body[name]).not.toEqual(value);
    }
  },
);

it.each(bucketIds)('%s ignores foreign fields of an upload and a change', async (bucketId) => {
  const { party } = members;
  const foreign = { ...foreignFields(), ...serverFields };
  const created = await readReply(await sendPicture(server.url ?? '', party.secret, bucketId, foreign));
  const path = `storage/buckets/${bucketId}/files/${created.body.$id}`;
  const changed = await wire.ask('party', path, 'PUT', { name: 'b.jpg', ...foreign });
  for (const { outcome, body } of [created, changed]) {
    expect(outcome).toBe('yes');
    for (const [name, value] of Object.entries(foreign)) expect(body[name]).not.toEqual(value);
  }
  const id = String(created.body.$id);
  expect(await database.database.select().from(files).where(eq(files.id, id))).toMatchObject([
    { ownerAccountId: party.accountId, name: 'b.jpg' },
  ]);
});
