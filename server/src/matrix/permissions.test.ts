import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CollectionId, collectionIds } from '@tara/contract/documents';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import {
  insertPeople,
  type People,
  type PersonName,
  people,
  permissionTrials,
  type Trial,
} from '../testing/permission-world.ts';
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

async function ask(who: PersonName, path: string, method = 'GET', body?: object): Promise<Reply> {
  const session: Record<string, string> =
    who === 'guest' ? {} : { 'x-appwrite-session': members[who].secret };
  const reply = await fetch(`${server.url}/v1/databases/tara/collections/${path}`, {
    method,
    headers: { ...session, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await reply.text();
  const read = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { outcome: reply.ok ? 'yes' : String(read.type), body: read };
}

const create = (who: PersonName, collectionId: CollectionId, data: object) =>
  ask(who, `${collectionId}/documents`, 'POST', { documentId: 'unique()', data });
const update = (who: PersonName, collectionId: CollectionId, id: string, data: object) =>
  ask(who, `${collectionId}/documents/${id}`, 'PATCH', { data });

/** What a person gets by an operation; records that it could change are new ones. */
async function attempt(who: PersonName, collectionId: CollectionId, operation: Operation): Promise<string> {
  const trial = trials[collectionId];
  if (operation === 'create') {
    const data = await trial.create(members[who === 'guest' ? 'other' : who]);
    return (await create(who, collectionId, data)).outcome;
  }
  const id = await trial.insert();
  if (operation === 'update') return (await update(who, collectionId, id, trial.update)).outcome;
  if (operation === 'delete') return (await ask(who, `${collectionId}/documents/${id}`, 'DELETE')).outcome;
  if (operation === 'get') return (await ask(who, `${collectionId}/documents/${id}`)).outcome;
  const newest = encodeURIComponent('{"method":"orderDesc","attribute":"$createdAt"}');
  const { outcome, body } = await ask(who, `${collectionId}/documents?queries[0]=${newest}`);
  if (outcome !== 'yes') return outcome;
  return (body.documents as { $id: string }[]).some(({ $id }) => $id === id) ? 'yes' : 'not in it';
}

/** Types of errors that say nothing but no, by what stands in the table. */
const short: Record<string, string> = {
  document_not_found: '404',
  user_unauthorized: '401',
  general_unauthorized_scope: 'sign in',
};

const results = new Map<string, string>();

it.each(collectionIds)(
  '%s answers each person alike each time, whoever may do what',
  async (collectionId) => {
    for (const operation of operations) {
      for (const who of people) {
        const outcome = await attempt(who, collectionId, operation);
        expect(outcome).not.toMatch(/general_unknown|general_unavailable|undefined/);
        results.set(`${collectionId} ${operation} ${who}`, short[outcome] ?? outcome);
      }
    }
  },
);

it('the table of docs/security.md is what each person gets (§6-records)', () => {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rows = collectionIds.flatMap((collectionId) =>
    operations.map((operation) =>
      row([
        operation === 'list' ? `\`${collectionId}\`` : '',
        operation,
        ...people.map((who) => results.get(`${collectionId} ${operation} ${who}`) ?? '?'),
      ]),
    ),
  );
  const head = ['Collection', 'Operation', ...people];
  const table = [row(head), row(head.map(() => '---')), ...rows].join('\n');
  const text = readFileSync(page, 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  const [, after = ''] = rest.split(end);
  const written = `${before}${begin}\n\n${table}\n\n${end}${after}`;
  if (process.env.WRITE_MATRIX === '1') writeFileSync(page, written);
  else expect(text).toBe(written);
});

const foreignIds = ['userId', 'accountId', 'creatorId'] as const;
const ofServer = {
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
      const { outcome, body } = await write(ofServer);
      expect(outcome).toBe('yes');
      for (const [name, value] of Object.entries(ofServer)) expect(body[name]).not.toEqual(value);
    }
  },
);
