import { nowDate, nowMs } from '@tara/contract/clock';
import { profiles as profileCalls } from '@tara/contract/members/profiles';
import { posts as calls } from '@tara/contract/posts/posts';
import { callUrl } from '@tara/contract/url';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { webRoutes } from '../../platform/http/web.ts';
import { newId } from '../../platform/ids.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { insertPicture, pictureBytes } from '../../testing/features/pictures.ts';
import { serverTest } from '../../testing/test.ts';
import { testWeb } from '../../testing/web.ts';
import { accounts } from '../accounts/index.ts';
import { profileRoutes } from '../profiles/index.ts';
import { reports } from '../reports/index.ts';
import { postRoutes } from './routes.ts';
import { describePostPage } from './shared.ts';
import { posts } from './tables.ts';

const index =
  '<html><head><title>Tara</title><meta name="description" content="Make friends."></head><body></body></html>';

const test = serverTest(async (app, platform) => {
  const web = await testWeb(index);
  postRoutes(app, platform);
  profileRoutes(app, platform);
  await webRoutes(app, web.folder, { publicUrl: 'https://tara.test', describe: describePostPage(platform) });
  app.addHook('onClose', () => web.remove());
})
  .extend('ana', ({ database }) => insertMember(database, { name: 'Ana Private', sharesPosts: true }))
  .extend('post', { scope: 'file' }, ({ database, platform }) => async (creator: Member, caption: string) => {
    const imageId = await insertPicture(database, {
      ownerAccountId: creator.accountId,
      usedAt: nowDate(),
      variants: [],
    });
    await platform.files.put(`${imageId}/original`, await pictureBytes());
    const id = newId();
    await database.insert(posts).values({ id, creatorId: creator.profileId, caption, imageId });
    return id;
  })
  .extend('page', { scope: 'file' }, ({ server }) => async (path: string) => {
    const response = await server.request(null, { method: 'GET', url: path });
    const content = (name: string) =>
      new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(response.body)?.[1];
    return { response, content };
  })
  .extend(
    'picture',
    { scope: 'file' },
    ({ server }) =>
      async (id: string) =>
        server.request(null, { method: 'GET', url: callUrl(calls.sharedPicture, { params: { id } }) }),
  );

const products = { title: 'Tara', description: 'Make friends.', image: 'https://tara.test/share.png' };

test('decisions §2: a shared post shows its picture and the first 100 characters to guests', async ({
  platform,
  ana,
  post,
  page,
  picture,
}) => {
  const id = await post(ana, `${'🌴'.repeat(60)}\n${'x'.repeat(60)}`);
  const { response, content } = await page(`/post/${id}`);
  expect(response.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-cache',
  });
  expect(content('og:title')).toBe('A post on Tara');
  expect(content('og:description')).toBe(`${'🌴'.repeat(60)} ${'x'.repeat(39)}…`);
  expect(content('twitter:image')).toBe(content('og:image'));
  expect(content('og:url')).toBe(`https://tara.test/post/${id}`);
  expect(content('og:image')).toBe(`${platform.config.publicUrl}/api/post/shared/${id}/picture`);
  expect(response.body).not.toContain('Ana Private');
  const seen = await picture(id);
  expect(seen.statusCode).toBe(200);
  expect(seen.headers).toMatchObject({
    'cache-control': 'public, max-age=300',
    'content-type': 'image/jpeg',
  });
});

test('a caption of 100 characters is shared whole, without dots', async ({ ana, post, page }) => {
  const caption = `${'x'.repeat(99)}.`;
  const { content } = await page(`/post/${await post(ana, caption)}`);
  expect(content('og:description')).toBe(caption);
});

test('sharing is off by default, and its creator switches it on and off (threat-shared-posts)', async ({
  database,
  server,
  post,
  page,
  picture,
}) => {
  const ben = await insertMember(database);
  const id = await post(ben, 'Hidden words');
  const share = (sharesPosts: boolean) =>
    server.call(ben, profileCalls.updateSharing, { body: { sharesPosts } });
  const expectProduct = async () => {
    const { response, content } = await page(`/post/${id}`);
    expect(content('og:title')).toBe(products.title);
    expect(content('og:description')).toBe(products.description);
    expect(content('og:image')).toBe(products.image);
    expect(response.body).not.toContain('Hidden words');
    expect((await picture(id)).statusCode).toBe(404);
  };
  await expectProduct();
  expect((await share(true)).reply.sharesPosts).toBe(true);
  expect((await page(`/post/${id}`)).content('og:description')).toBe('Hidden words');
  expect((await picture(id)).statusCode).toBe(200);
  expect((await share(false)).reply.sharesPosts).toBe(false);
  await expectProduct();
});

test.for([
  ['a suspended member, until that is over', 'suspendedUntil'],
  ['a banned member', 'blockedAt'],
  ['a member who leaves', 'deletesAt'],
] as const)(
  'nothing is shown of a post of %s',
  async ([_name, column], { database, ana, post, page, picture }) => {
    const id = await post(ana, 'Hidden words');
    const set = (time: Date | null) =>
      database
        .update(accounts)
        .set({ [column]: time })
        .where(eq(accounts.id, ana.accountId));
    await set(new Date(nowMs() + 60_000));
    expect((await page(`/post/${id}`)).content('og:description')).toBe(products.description);
    expect((await picture(id)).statusCode).toBe(404);
    await set(column === 'suspendedUntil' ? new Date(nowMs() - 60_000) : null);
    expect((await page(`/post/${id}`)).content('og:description')).toBe('Hidden words');
    expect((await picture(id)).statusCode).toBe(200);
  },
);

test('nothing is shown of a post of a member about whom a report waits', async ({
  database,
  ana,
  post,
  page,
  picture,
}) => {
  const id = await post(ana, 'Hidden words');
  const ben = await insertMember(database);
  const snapshot = { title: '', text: '', imageUrl: null, createdAt: '2026-01-02T03:04:05.000Z' };
  const report = { id: newId(), kind: 'member', recordId: ana.profileId, reason: 'spam', snapshot } as const;
  await database.insert(reports).values({ ...report, reporterId: ben.profileId, memberId: ana.profileId });
  expect((await page(`/post/${id}`)).content('og:description')).toBe(products.description);
  expect((await picture(id)).statusCode).toBe(404);
  await database.update(reports).set({ decision: 'dismiss', decidedAt: nowDate() });
  expect((await page(`/post/${id}`)).content('og:description')).toBe('Hidden words');
  expect((await picture(id)).statusCode).toBe(200);
});

test('a caption stays text in the page, and a post that does not exist shows the product (threat-shared-posts)', async ({
  ana,
  post,
  page,
  picture,
}) => {
  const { response, content } = await page(`/post/${await post(ana, `"><script>alert('$&')</script>&`)}`);
  expect(response.body).not.toContain('<script>');
  expect(content('og:description')).toBe(
    '&#34;&#62;&#60;script&#62;alert(&#39;$&#38;&#39;)&#60;/script&#62;&#38;',
  );
  for (const id of ['nothing', "'--", 'x'.repeat(40)]) {
    const { content, response } = await page(`/post/${encodeURIComponent(id)}`);
    expect(response.statusCode).toBe(200);
    expect(content('og:title') ?? 'Tara').toBe(products.title);
    expect((await picture(id)).statusCode).toBeGreaterThanOrEqual(400);
  }
  expect((await page('/')).response.body).toBe(index);
});

test('a post with the empty caption and initials for a picture shows the product’s', async ({
  database,
  ana,
  page,
  picture,
}) => {
  const id = newId();
  await database.insert(posts).values({ id, creatorId: ana.profileId, usedDp: true });
  const { content } = await page(`/post/${id}`);
  expect(content('og:description')).toBe(products.description);
  expect(content('og:image')).toBe(products.image);
  expect((await picture(id)).statusCode).toBe(404);
});

test('only a member sets whether their posts are shared, and to nothing but yes or no', async ({
  server,
  ana,
}) => {
  const { problem } = await server.call(null, profileCalls.updateSharing, { body: { sharesPosts: true } });
  expect(problem).toMatchObject({ code: 401, type: 'general_unauthorized_scope' });
  const wrong = await server.call(ana, profileCalls.updateSharing, { body: { sharesPosts: 'yes' } as never });
  expect(wrong.problem).toMatchObject({ code: 400, type: 'general_argument_invalid' });
  expect(wrong.problem.fields).toHaveProperty('sharesPosts');
});
