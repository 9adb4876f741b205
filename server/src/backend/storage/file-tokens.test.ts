import { account } from '@tara/contract/accounts/accounts';
import { nowDate } from '@tara/contract/clock';
import type { Document } from '@tara/contract/wire/documents';
import { eq, sql } from 'drizzle-orm';
import type { InjectOptions } from 'fastify';
import { describe, expect } from 'vitest';
import { fileTokenPeriodMs, readFileToken } from '../../features/accounts/file-tokens.ts';
import {
  accountLimits,
  accounts,
  createResolveViewer,
  makeFileToken,
  withoutFileTokens,
} from '../../features/accounts/index.ts';
import { files } from '../../features/files/index.ts';
import { posts } from '../../features/posts/index.ts';
import { blocks } from '../../features/visibility/index.ts';
import { newId } from '../../platform/ids.ts';
import { openLog } from '../../platform/log.ts';
import { openSealer } from '../../platform/seal.ts';
import { friendlyOrigin } from '../../testing/backend/backend.ts';
import { documentsKey } from '../../testing/backend/storage.ts';
import { insertBlock } from '../../testing/features/members.ts';
import { insertPicture, pictureBytes } from '../../testing/features/pictures.ts';
import { addMember, type TestMember } from '../../testing/features/sessions.ts';
import { testServer } from '../../testing/server.ts';
import { test as base } from '../../testing/test.ts';
import { accountWireRoutes } from '../account/account.ts';
import { documentRoutes } from '../documents/routes.ts';
import { backendWire } from '../wire.ts';
import { storageRoutes } from './storage.ts';

const lines: string[] = [];

/** A server with the whole wire of files and documents, and pages of another origin. */
const withOrigins = (environment: Record<string, string>) =>
  base
    .extend('environment', { scope: 'file' }, environment)
    .extend('server', { scope: 'file' }, async ({ platform: parts }, { onCleanup }) => {
      const log = openLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
      const platform = { ...parts, log };
      const limits = accountLimits(false);
      const routes = (app: Parameters<typeof backendWire>[0]) => {
        backendWire(app, platform);
        accountWireRoutes(app, platform, limits);
        storageRoutes(app, platform, documentsKey);
        documentRoutes(app, platform, limits);
      };
      const resolveViewer = createResolveViewer(platform, { rateLimits: false });
      const server = await testServer(platform, routes, resolveViewer);
      onCleanup(() => server.close());
      return server;
    })
    .extend('ana', ({ platform }) => addMember(platform, { name: 'Ana Cruz' }))
    .extend('ben', ({ platform }) => addMember(platform, { name: 'Ben Reyes' }))
    /** Stores a post of a member with a picture, and returns both ids. */
    .extend('addPost', ({ platform, database }) => async ({ accountId, profileId }: TestMember) => {
      const imageId = await insertPicture(database, { ownerAccountId: accountId, usedAt: nowDate() });
      await platform.files.put(`${imageId}/original`, await pictureBytes());
      const id = newId();
      await database.insert(posts).values({ id, creatorId: profileId, caption: 'Sea', imageId });
      return { id, imageId };
    })
    /** The post as a page or a program reads it. */
    .extend('readPost', ({ server }) => async (id: string, headers: Record<string, string>) => {
      const url = `/v1/databases/tara/collections/posts/documents/${id}`;
      return (await server.app.inject({ url, headers })).json<Document & { imageUrl: string }>();
    })
    /** Reads an address as `<img>` does: without origin, and without cookie unless given. */
    .extend('show', ({ server }) => (address: string, headers: InjectOptions['headers'] = {}) => {
      const { pathname, search } = new URL(address);
      return server.app.inject({ url: pathname + search, headers });
    });

const test = withOrigins({ ALLOWED_ORIGINS: friendlyOrigin });

const fromPage = ({ secret }: TestMember) => ({
  origin: friendlyOrigin,
  'x-fallback-cookies': JSON.stringify({ a_session_tara: secret }),
});
const asProgram = ({ secret }: TestMember) => ({ 'x-appwrite-session': secret });
const withCookie = ({ secret }: TestMember) => ({ cookie: `a_session_tara=${secret}` });
const policy = 'cross-origin-resource-policy';

describe('pictures in pages of another site', () => {
  test('are shown by the addresses in documents, which are whole and carry a token', async ({
    ana,
    ben,
    addPost,
    readPost,
    show,
  }) => {
    const { id, imageId } = await addPost(ben);
    // A browser may send our cookie with the requests of such a page as well.
    const withBoth = { ...fromPage(ana), ...withCookie(ana) };
    for (const headers of [fromPage(ana), withBoth, asProgram(ana)]) {
      const { imageUrl } = await readPost(id, headers);
      expect(imageUrl).toMatch(
        `http://localhost:3000/v1/storage/buckets/images/files/${imageId}/preview?project=tara&token=`,
      );
      for (const address of [imageUrl, imageUrl.replace('/preview', '/view'), `${imageUrl}&width=4000`]) {
        const shown = await show(address);
        expect([shown.statusCode, shown.headers[policy]]).toEqual([200, 'cross-origin']);
        expect(shown.headers['content-type']).toMatch('image/');
      }
    }
  });

  test('by our cookie are shown to pages of our own site alone, initials to all', async ({
    ana,
    addPost,
    readPost,
    show,
  }) => {
    const { id, imageId } = await addPost(ana);
    const address = `http://localhost/v1/storage/buckets/images/files/${imageId}/view`;
    const shown = await show(address, withCookie(ana));
    expect([shown.statusCode, shown.headers[policy]]).toEqual([200, 'same-site']);
    const { creator } = await readPost(id, fromPage(ana));
    const { imageUrl } = creator as { imageUrl: string };
    expect(imageUrl).toBe('http://localhost:3000/v1/avatars/initials?name=Ana%20Cruz&project=tara');
    expect((await show(imageUrl)).headers[policy]).toBe('cross-origin');
    // Another site's page that asks by script is refused by the browser, as before.
    expect((await show(address, { ...withCookie(ana), origin: 'http://evil.test' })).headers[policy]).toBe(
      'same-site',
    );
  });

  test('of SDKs that repeat each parameter are answered by the last one, on addresses of pictures alone', async ({
    server,
    ana,
    addPost,
    show,
  }) => {
    const { imageId } = await addPost(ana);
    const path = `http://localhost/v1/storage/buckets/images/files/${imageId}/preview`;
    const twice = '?width=a&output=png&project=other&width=0&output=png&project=tara';
    const shown = await show(`${path}${twice}`, asProgram(ana));
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/png']);
    expect((await show(`${path}?project=tara&project=other`, asProgram(ana))).json().type).toBe(
      'project_not_found',
    );
    const avatar = await show(
      'http://localhost/v1/avatars/initials?name=X&name=Ana&project=tara&project=tara',
    );
    expect(avatar.statusCode).toBe(200);
    // Elsewhere a repeated parameter stays what it is.
    const list = await server.app.inject({
      url: '/v1/storage/buckets/images/files?search=a&search=b',
      headers: asProgram(ana),
    });
    expect(list.json().type).toBe('general_argument_invalid');
  });
});

describe('a file token (threat-file-tokens)', () => {
  test('is not in replies to our own pages, nor to a JSON web token', async ({
    server,
    ana,
    addPost,
    readPost,
  }) => {
    const { id } = await addPost(ana);
    const jwt = (await server.call(ana, account.createJwt, { body: {} })).reply.jwt;
    const own: Record<string, string>[] = [
      withCookie(ana),
      { ...withCookie(ana), 'sec-fetch-site': 'same-origin' },
      { ...asProgram(ana), 'sec-fetch-site': 'same-origin' },
      { ...asProgram(ana), origin: 'http://localhost:3000' },
      { 'x-appwrite-jwt': jwt },
      { 'x-appwrite-jwt': jwt, origin: friendlyOrigin },
    ];
    for (const headers of own) {
      const { imageUrl } = await readPost(id, headers);
      expect(imageUrl).toMatch(/\/preview\?project=tara$/);
    }
  });

  test('does not read another file, nor the same one as another session, nor anything but a file’s bytes', async ({
    server,
    ana,
    ben,
    addPost,
    readPost,
    show,
  }) => {
    const [first, second] = [await addPost(ana), await addPost(ana)];
    const { imageUrl } = await readPost(first.id, fromPage(ana));
    const other = imageUrl.replace(first.imageId, second.imageId);
    expect((await show(other)).statusCode).toBe(401);
    expect((await show(imageUrl.replace('/images/', '/messageFiles/'))).statusCode).toBe(401);
    expect((await show(imageUrl.replace(ana.sessionId, ben.sessionId))).statusCode).toBe(401);
    const token = new URL(imageUrl).searchParams.get('token') ?? '';
    const file = `/v1/storage/buckets/images/files/${first.imageId}`;
    for (const [method, url] of [
      ['GET', file],
      ['PUT', file],
      ['DELETE', file],
      ['GET', '/v1/storage/buckets/images/files'],
      ['GET', '/v1/account'],
      ['GET', `/v1/databases/tara/collections/posts/documents/${first.id}`],
    ] as const) {
      const answer = await server.app.inject({ method, url: `${url}?token=${token}` });
      expect([url, answer.statusCode]).toEqual([url, 401]);
    }
    for (const header of ['x-appwrite-session', 'x-appwrite-jwt']) {
      const answer = await server.app.inject({ url: file, headers: { [header]: token } });
      expect(answer.statusCode).toBe(401);
    }
  });

  test('shows nothing once its session has ended', async ({ server, ana, addPost, readPost, show }) => {
    const { imageUrl } = await readPost((await addPost(ana)).id, fromPage(ana));
    expect((await show(imageUrl)).statusCode).toBe(200);
    const params = { sessionId: 'current' };
    expect((await server.call(ana, account.deleteSession, { params })).status).toBe(204);
    expect((await show(imageUrl)).statusCode).toBe(401);
  });

  test('shows nothing that its member may not see now: blocked, deleted, leaving', async ({
    database,
    platform,
    ana,
    ben,
    addPost,
    readPost,
    show,
  }) => {
    const { id, imageId } = await addPost(ben);
    const { imageUrl } = await readPost(id, fromPage(ana));
    const changed = () => platform.bus.publish('viewerChanged', { accountId: ana.accountId });
    await insertBlock(database, ben, ana);
    changed();
    expect((await show(imageUrl)).json().type).toBe('storage_file_not_found');
    await database.delete(blocks);
    changed();
    expect((await show(imageUrl)).statusCode).toBe(200);
    // Suspended members read as before.
    const suspendedUntil = sql`now() + interval '1 day'`;
    await database.update(accounts).set({ suspendedUntil }).where(eq(accounts.id, ana.accountId));
    changed();
    expect((await show(imageUrl)).statusCode).toBe(200);
    await database
      .update(accounts)
      .set({ deletesAt: sql`now() + interval '1 day'` })
      .where(eq(accounts.id, ana.accountId));
    changed();
    expect((await show(imageUrl)).json().type).toBe('account_leaving');
    await database.update(accounts).set({ deletesAt: null }).where(eq(accounts.id, ana.accountId));
    await database.delete(posts).where(eq(posts.id, id));
    await database.delete(files).where(eq(files.id, imageId));
    changed();
    expect((await show(imageUrl)).json().type).toBe('storage_file_not_found');
  });

  test('shows no identity picture, not even to its owner', async ({ database, platform, ana, show }) => {
    const fileId = await insertPicture(database, {
      ...{ ownerAccountId: ana.accountId, bucket: 'verificationFiles', usedAt: nowDate() },
    });
    const { sessionId } = ana;
    const token = makeFileToken(platform.sealer, { sessionId, bucketId: 'verificationFiles', fileId });
    const path = `http://localhost/v1/storage/buckets/verificationFiles/files/${fileId}`;
    for (const what of ['view', 'download', 'preview'])
      expect((await show(`${path}/${what}?token=${token}`)).json().type).toBe('storage_file_not_found');
  });

  test('opens nothing that an admin sees as admin', async ({ database, platform, ana, show }) => {
    const admin = await addMember(platform, { labels: ['admin'] });
    const owner = { ownerAccountId: ana.accountId, bucket: 'messageFiles' as const };
    const fileId = await insertPicture(database, { ...owner, usedAt: nowDate(), readers: ['*admins'] });
    await platform.files.put(`${fileId}/original`, await pictureBytes());
    const path = `http://localhost/v1/storage/buckets/messageFiles/files/${fileId}/view`;
    expect((await show(path, withCookie(admin))).statusCode).toBe(200);
    const { sessionId } = admin;
    const token = makeFileToken(platform.sealer, { sessionId, bucketId: 'messageFiles', fileId });
    expect((await show(`${path}?token=${token}`, withCookie(admin))).statusCode).toBe(404);
  });

  test('is in no line of the log', async ({ ana, addPost, readPost, show }) => {
    const { imageUrl } = await readPost((await addPost(ana)).id, fromPage(ana));
    const token = new URL(imageUrl).searchParams.get('token') ?? '';
    lines.length = 0;
    await show(imageUrl);
    await show(imageUrl.replace('token=', 'token=x'));
    expect(lines).toHaveLength(2);
    expect(lines.join('')).not.toContain(token);
  });

  test('is taken out of what a client sends back', async ({ server, database, ana, addPost, readPost }) => {
    const { id } = await addPost(ana);
    const read = await readPost(id, fromPage(ana));
    const send = (data: object) =>
      server.app.inject({
        method: 'PATCH',
        url: `/v1/databases/tara/collections/posts/documents/${id}`,
        headers: fromPage(ana),
        payload: { data },
      });
    // The whole document, as an SDK sends it, changes nothing.
    expect((await send(read)).statusCode).toBe(200);
    expect((await send({ caption: `Look: ${read.imageUrl} and ${read.imageUrl}&width=9.` })).statusCode).toBe(
      200,
    );
    const [post] = await database.select({ caption: posts.caption }).from(posts).where(eq(posts.id, id));
    const address = read.imageUrl.replace(/&token=.*/, '');
    expect(post?.caption).toBe(`Look: ${address} and ${address}&width=9.`);
    const prefs = { avatar: read.imageUrl, list: [encodeURIComponent(read.imageUrl)] };
    const reply = await server.app.inject({
      method: 'PATCH',
      url: '/v1/account/prefs',
      headers: fromPage(ana),
      payload: { prefs },
    });
    expect(reply.json().prefs).toEqual({
      avatar: address,
      list: [`${encodeURIComponent(address)}%26token%3D`],
    });
  });
});

describe('the value of a file token', () => {
  const sealer = openSealer(Buffer.alloc(32, 1));
  const named = { sessionId: 'session-1', bucketId: 'images', fileId: 'sea' };
  const hourMs = 3600_000;
  const start = 40_000 * fileTokenPeriodMs;

  test('is the same for all reads of an hour, and is good for 12 to 24 hours', () => {
    for (let hour = 0; hour < 24; hour++) {
      const madeAt = start + hour * hourMs;
      const token = makeFileToken(sealer, named, madeAt);
      expect(makeFileToken(sealer, named, madeAt + hourMs - 1)).toBe(token);
      const isGood = (afterMs: number) =>
        readFileToken(sealer, { ...named, token }, madeAt + afterMs) === named.sessionId;
      expect([isGood(0), isGood(12 * hourMs), isGood(24 * hourMs + 1)]).toEqual([true, true, false]);
    }
  });

  test('is none of another key, in another form, or from the future', () => {
    const token = makeFileToken(sealer, named, start);
    const read = (sent: string, now = start) => readFileToken(sealer, { ...named, token: sent }, now);
    expect(read(token)).toBe(named.sessionId);
    expect(read(token, start - 1)).toBeNull();
    expect(readFileToken(openSealer(Buffer.alloc(32, 2)), { ...named, token }, start)).toBeNull();
    for (const sent of ['', '.', '..', 'x.y.z', `${token}.`, token.toUpperCase(), token.slice(0, -4)])
      expect(read(sent)).toBeNull();
  });

  test('is found wherever it stands in a text', () => {
    const token = makeFileToken(sealer, named, start);
    expect(withoutFileTokens(`a?token=${token}`)).toBe('a');
    expect(withoutFileTokens(`a?token=${token}&b=1`)).toBe('a?b=1');
    expect(withoutFileTokens(`a?b=1&token=${token}&c=2`)).toBe('a?b=1&c=2');
    expect(withoutFileTokens({ deep: [`${token}`], number: 1, none: null })).toEqual({
      ...{ deep: [''], number: 1, none: null },
    });
    expect(withoutFileTokens('a.b.c and 1.2.3')).toBe('a.b.c and 1.2.3');
  });
});

const closed = withOrigins({ ALLOWED_ORIGINS: '' });
closed(
  'without ALLOWED_ORIGINS pictures are shown to our own pages alone',
  async ({ ana, addPost, show }) => {
    const { imageId } = await addPost(ana);
    const path = `http://localhost/v1/storage/buckets/images/files/${imageId}/view`;
    expect((await show(path, withCookie(ana))).headers[policy]).toBe('same-origin');
    expect((await show('http://localhost/v1/avatars/initials?name=A')).headers[policy]).toBe('same-origin');
  },
);
