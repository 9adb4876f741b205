import { publicPages } from '@tara/contract/public-pages';
import { expect } from 'vitest';
import { serverTest } from '../../testing/test.ts';
import { testWeb } from '../../testing/web.ts';
import { describePublicPage } from './public-pages.ts';
import { webRoutes } from './web.ts';

const index =
  '<html><head><title>Tara</title><meta name="description" content="Friends."></head><body><noscript>Script.</noscript></body></html>';

const test = serverTest(async (app) => {
  const web = await testWeb(index);
  const describe = async (path: string) => describePublicPage(path);
  await webRoutes(app, web.folder, { publicUrl: 'https://tara.test', describe });
  app.addHook('onClose', () => web.remove());
});

test.for(Object.entries(publicPages))(
  '/%s shows a visitor without a session and without scripts its whole text',
  async ([path, { title, sections }], { server }) => {
    const { body, statusCode } = await server.request(null, { method: 'GET', url: `/${path}` });
    expect(statusCode).toBe(200);
    expect(body).toContain(`<title>${title} · Tara</title>`);
    expect(body).toContain(`<noscript><h1>${title}</h1>`);
    for (const { heading } of sections) expect(body).toContain(`<h2>${heading}</h2>`);
  },
);

test('a text cannot become markup, and another page says nothing of its own (threat-stored-xss)', async ({
  server,
}) => {
  const { body } = await server.request(null, { method: 'GET', url: '/privacy/' });
  expect(body).toContain('photo’s file');
  expect(body).not.toContain('<script');
  expect((await server.request(null, { method: 'GET', url: '/explore' })).body).toBe(index);
});

test('a page that a link of an email or of a member leads to is kept out of search engines', () => {
  for (const path of ['/unsubscribe/token', '/shared-plan', '/shared-plan/'])
    expect(describePublicPage(path), path).toMatchObject({ isPrivate: true });
  expect(describePublicPage('/unsubscribe')).toBeNull();
});
