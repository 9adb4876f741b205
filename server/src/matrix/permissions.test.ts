import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CollectionId, collectionIds } from '@tara/contract/documents';
import { BucketId } from '@tara/contract/files';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { files } from '../features/files/index.ts';
import { sendPicture, upload } from '../testing/block-world.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import {
  insertPeople,
  type People,
  type PersonName,
  people,
  permissionTrials,
  type Trial,
} from '../testing/permission-world.ts';
import { insertPicture } from '../testing/pictures.ts';
import { newDataDir, type Started, startServer } from '../testing/start.ts';

const page = resolve(import.meta.dirname, '../../../docs/security.md');
const [begin, end] = ['<!-- permissions: begin -->', '<!-- permissions: end -->'];

const operations = ['list', 'get', 'create', 'update', 'delete'] as const;
type Operation = (typeof operations)[number];

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof newDataDir>>;
let server: Started;
let members: People;
let trials: Record<CollectionId, Trial>;

beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), newDataDir()]);
  server = await startServer({ DATABASE_URL: database.url, DATA_DIR: folder.path }, ['--empty']);
  members = await insertPeople(database.database);
  trials = await permissionTrials(database.database, members);
}, 240_000);
afterAll(async () => {
  await server.stop();
  await Promise.all([database.drop(), folder.remove()]);
});

interface Reply {
  /** 'yes', or the type of the error. */
  outcome: string;
  body: Record<string, unknown>;
}

const documentsPath = 'databases/tara/collections';

async function ask(who: PersonName, path: string, method = 'GET', body?: object): Promise<Reply> {
  const session: Record<string, string> =
    who === 'guest' ? {} : { 'x-appwrite-session': members[who].secret };
  const reply = await fetch(`${server.url}/v1/${path}`, {
    method,
    headers: { ...session, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return readReply(reply);
}

async function readReply(reply: Response): Promise<Reply> {
  const isJson = reply.headers.get('content-type')?.includes('json') === true;
  const body = isJson ? ((await reply.json()) as Record<string, unknown>) : {};
  return { outcome: reply.ok ? 'yes' : String(body.type), body };
}

const create = (who: PersonName, collectionId: CollectionId, data: object) =>
  ask(who, `${documentsPath}/${collectionId}/documents`, 'POST', { documentId: 'unique()', data });
const update = (who: PersonName, collectionId: CollectionId, id: string, data: object) =>
  ask(who, `${documentsPath}/${collectionId}/documents/${id}`, 'PATCH', { data });

/** The newest 25 of a list. */
const newestFirst = `?queries[0]=${encodeURIComponent('{"method":"orderDesc","attribute":"$createdAt"}')}`;

/** What a person gets by an operation; records that it could change are new ones. */
async function attempt(who: PersonName, collectionId: CollectionId, operation: Operation): Promise<string> {
  const trial = trials[collectionId];
  if (operation === 'create') {
    const data = await trial.create(members[who === 'guest' ? 'other' : who]);
    return (await create(who, collectionId, data)).outcome;
  }
  const id = await trial.insert();
  if (operation === 'update') return (await update(who, collectionId, id, trial.update)).outcome;
  const path = `${documentsPath}/${collectionId}/documents`;
  if (operation === 'delete') return (await ask(who, `${path}/${id}`, 'DELETE')).outcome;
  if (operation === 'get') return (await ask(who, `${path}/${id}`)).outcome;
  const { outcome, body } = await ask(who, path + newestFirst);
  if (outcome !== 'yes') return outcome;
  return (body.documents as { $id: string }[]).some(({ $id }) => $id === id) ? 'yes' : 'not in it';
}

/** Types of errors that say nothing but no, by what stands in the table. */
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
  const used = { usedAt: new Date(), readers: readers[bucketId] };
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
        const { outcome, body } = await ask(who, path + newestFirst);
        if (outcome !== 'yes') return outcome;
        return (body.files as { $id: string }[]).some(({ $id }) => $id === usedId) ? 'yes' : 'not in it';
      },
      get: async (who) => (await ask(who, `${path}/${usedId}`)).outcome,
      view: async (who) => (await ask(who, `${path}/${usedId}/view`)).outcome,
      create: async (who) => {
        const secret = who === 'guest' ? null : members[who].secret;
        return (await readReply(await sendPicture(server.url ?? '', secret, bucketId))).outcome;
      },
      update: async (who) =>
        (await ask(who, `${path}/${await insertUnused()}`, 'PUT', { name: 'a.jpg' })).outcome,
      delete: async (who) => (await ask(who, `${path}/${await insertUnused()}`, 'DELETE')).outcome,
    };
    for (const operation of fileOperations)
      for (const who of people) record(`${bucketId} ${operation} ${who}`, await attempts[operation](who));
  },
);

it('the table of docs/security.md is what each person gets (§6-records)', () => {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rowsOf = (name: string, names: readonly string[]) =>
    names.map((operation, index) =>
      row([
        index === 0 ? `\`${name}\`` : '',
        operation,
        ...people.map((who) => results.get(`${name} ${operation} ${who}`) ?? '?'),
      ]),
    );
  const rows = [
    ...collectionIds.flatMap((collectionId) => rowsOf(collectionId, operations)),
    ...bucketIds.flatMap((bucketId) => rowsOf(bucketId, fileOperations)),
  ];
  const head = ['Collection or bucket', 'Operation', ...people];
  const table = [row(head), row(head.map(() => '---')), ...rows].join('\n');
  const text = readFileSync(page, 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  const [, after = ''] = rest.split(end);
  const written = `${before}${begin}\n\n${table}\n\n${end}${after}`;
  if (process.env.WRITE_MATRIX === '1') writeFileSync(page, written);
  else expect(text).toBe(written);
});

const foreignIds = ['userId', 'accountId', 'creatorId'] as const;
const serverFields = {
  $permissions: ['update("any")'],
  $createdAt: '2001-01-01T00:00:00.000+00:00',
  $id: 'foreign',
};

it.each(collectionIds)(
  '%s refuses foreign ids in data, and ignores what is the server’s',
  async (collectionId) => {
    const trial = trials[collectionId];
    const may = (operation: Operation) =>
      people.find((who) => results.get(`${collectionId} ${operation} ${who}`) === 'yes');
    const foreign = (name: string) =>
      name === 'accountId' ? members.other.accountId : members.other.profileId;
    const creator = may('create');
    const changer = may('update');
    const writes = [
      ...(creator && creator !== 'guest'
        ? [
            async (more: object) =>
              create(creator, collectionId, { ...(await trial.create(members[creator])), ...more }),
          ]
        : []),
      ...(changer
        ? [
            async (more: object) =>
              update(changer, collectionId, await trial.insert(), { ...trial.update, ...more }),
          ]
        : []),
    ];
    for (const write of writes) {
      for (const name of foreignIds) {
        const { outcome, body } = await write({ [name]: foreign(name) });
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
