import { createTestDatabase, type TestDatabase } from '@tara/server/testing/database';
import { insertMember, type Member } from '@tara/server/testing/features/members';
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
import { type FuzzedServer, startFuzzed } from './server/process.ts';
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

  test('never fails, blocks, leaks, writes what it refuses, or answers an attack with another error (threat-unknown-inputs)', {
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

  test('makes nobody wait by a subscription, but when its filters are slow, which is found (threat-unknown-inputs)', {
    timeout: 300_000,
  }, async () => {
    const run = () =>
      fuzz({
        ...product,
        calls: [],
        frames: ['realtime subscribe'],
        seed: 5,
        inputsPerCall: 3,
        shouldContinue: rounds(5),
      });
    expect(described(await run())).toEqual([]);
    const fault = new URL('./testing/slow-filter.ts', import.meta.url).href;
    await product.server.restart({ NODE_OPTIONS: `--import=${fault}` });
    const [finding] = (await run()).findings.filter(({ kind }) => kind === 'wait');
    expect(finding?.call).toBe('realtime subscribe');
    expect(finding?.detail).toMatch(/^another member waited \d+, \d+, \d+ ms; the quiet p99 is \d+ ms;/);
    expect(finding?.line).toContain('"type":"subscribe"');
  });
});

/** An actor of a server whose sessions are those of `insertMember`. */
const actorOf = (name: ActorName, { secret, accountId, email, admin }: Member): Actor => ({
  name,
  session: secret,
  owner: { accountId, privateTexts: [email], admin },
  renew: async () => {},
});

describe('a server that is broken on purpose (threat-unknown-inputs)', () => {
  let database: TestDatabase;
  let server: FuzzedServer;
  let findings: Finding[];
  beforeAll(async () => {
    database = await createTestDatabase();
    const [member, other] = await Promise.all([
      insertMember(database.database, { email: 'a@fuzz.test' }),
      insertMember(database.database, { email: 'b@fuzz.test' }),
    ]);
    server = await startFuzzed(new URL('./testing/broken-server.ts', import.meta.url), {
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
        bystander: {
          read: async () => void (await fetch(`http://127.0.0.1:${server.port}${broken.shared.path}`)),
          change: async () => {},
          renew: async () => {},
          close: () => {},
        },
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
    const [finding] = findingsFor('blocks');
    expect(finding?.detail).toMatch(/the event loop was blocked for \d+, \d+, \d+ ms/);
  });

  test('a call that makes another member wait without any work is found, with the three waits', () => {
    const [finding] = findingsFor('holds').filter(({ kind }) => kind === 'wait');
    expect(finding?.detail).toMatch(/^another member waited \d+, \d+, \d+ ms; the quiet p99 is \d+ ms;/);
    expect(finding?.line).toContain('/api/broken/holds');
  });

  test('a call that makes another member wait once of three times is not', () => {
    expect(findingsFor('stalls')).toEqual([]);
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
