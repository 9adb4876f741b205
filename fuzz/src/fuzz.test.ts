import { createTestDatabase, type TestDatabase } from '@tara/server/testing/database';
import { insertMember, type Member } from '@tara/server/testing/members';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { productCalls } from './calls.ts';
import { openTables } from './checks/tables.ts';
import type { Finding } from './findings.ts';
import { attacks } from './inputs/attacks.ts';
import { frameCalls } from './inputs/frames.ts';
import type { ActorName } from './inputs/input.ts';
import { type Product, startProduct } from './product.ts';
import { type FuzzResult, fuzz } from './run.ts';
import { closeConnections } from './send.ts';
import { type FuzzedServer, startProcess } from './server/process.ts';
import { broken } from './testing/broken-calls.ts';
import { type Actor, guest } from './world/actors.ts';
import { Pools } from './world/pools.ts';

/** So many rounds, whatever the machine. */
const rounds = (count: number) => {
  let left = count;
  return () => left-- > 0;
};

const described = ({ findings }: FuzzResult) =>
  findings.map(({ kind, call, detail, line }) => `${kind} ${call}: ${detail}\n${line}`);

afterAll(closeConnections);

describe('the product, under a short run of every call and frame', () => {
  let database: TestDatabase;
  let product: Product;
  beforeAll(async () => {
    database = await createTestDatabase();
    product = await startProduct(database.url);
  }, 120_000);
  afterAll(async () => {
    await product.stop();
    await database.drop();
  });

  test('never fails, blocks, leaks, writes what it refuses, or answers an attack with another error', {
    timeout: 300_000,
  }, async () => {
    const result = await fuzz({
      ...product,
      calls: productCalls,
      frames: frameCalls,
      attacks,
      seed: 20_261,
      inputsPerCall: 1,
      shouldContinue: rounds(8),
    });
    expect(described(result)).toEqual([]);
    expect(result.tally.total().inputs).toBeGreaterThan(300);
  });
});

/** An actor of a server whose sessions are those of `insertMember`. */
const actorOf = (name: ActorName, { secret, accountId, email, admin }: Member): Actor => ({
  name,
  session: secret,
  owner: { accountId, privateTexts: [email], admin },
  renew: async () => {},
});

describe('a server that is broken on purpose', () => {
  let database: TestDatabase;
  let server: FuzzedServer;
  let findings: Finding[];
  beforeAll(async () => {
    database = await createTestDatabase();
    const [member, other] = await Promise.all([
      insertMember(database.database, { email: 'a@fuzz.test' }),
      insertMember(database.database, { email: 'b@fuzz.test' }),
    ]);
    server = await startProcess(new URL('./testing/broken-server.ts', import.meta.url), {
      RATE_LIMITS: 'off',
      DATABASE_URL: database.url,
    });
    const result = await fuzz({
      server,
      calls: Object.entries(broken).map(([name, call]) => ({
        name,
        call: name === 'missingAccess' ? { ...call, access: 'admin' } : call,
      })),
      frames: [],
      world: {
        actors: [guest, actorOf('member', member), actorOf('other', other)],
        pools: new Pools('http://localhost', () => ({ birthDate: '1991-01-01', phoneNumber: '' })),
      },
      tables: await openTables(database),
      seed: 7,
      inputsPerCall: 12,
      shouldContinue: rounds(5),
    });
    findings = result.findings;
  }, 180_000);
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });
  const findingsFor = (call: string) => findings.filter((finding) => finding.call === call);

  test('a 500 is found, by its smallest input', () => {
    const [finding] = findingsFor('fails').filter(({ kind }) => kind === 'status');
    expect(finding?.detail).toContain('answered 500');
    expect(finding?.line).toMatch(
      /POST '\/api\/broken\/fails' .*--data-binary '\{"note":(\[\]|\{.{0,60}\})\}'$/,
    );
  });

  test('a call that blocks the event loop is found', () => {
    expect(findingsFor('blocks').map(({ kind }) => kind)).toContain('block');
  });

  test('a field that the contract does not have is found', () => {
    const leaks = findingsFor('leaksField').filter(({ kind }) => kind === 'leak');
    expect(leaks.map(({ detail }) => detail)).toEqual([expect.stringContaining('passwordHash')]);
  });

  test('a field of another member is found, and one’s own is none', () => {
    const leaks = findingsFor('leaksOther').filter(({ kind }) => kind === 'leak');
    expect(leaks.map(({ actor, detail }) => [actor, detail])).toEqual([
      ['other', 'reply.email of another member'],
    ]);
  });

  test('a refused call that wrote is found, and what it changed', () => {
    const [finding] = findingsFor('writes');
    expect(finding).toMatchObject({ kind: 'tables', detail: expect.stringContaining('changes profiles') });
  });

  test('a call that forgets who may make it is found', () => {
    expect(findingsFor('missingAccess').map(({ kind }) => kind)).toContain('access');
  });

  test('nothing is found of a call that works', () => {
    expect(findingsFor('works')).toEqual([]);
  });
});
