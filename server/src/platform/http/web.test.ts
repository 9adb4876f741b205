import { expect } from 'vitest';
import { testServer } from '../../testing/server.ts';
import { serverTest } from '../../testing/test.ts';
import { testWeb } from '../../testing/web.ts';
import { webRoutes } from './web.ts';

const index = '<!doctype html><title>Tara</title>';

const test = serverTest(async (app) => {
  const web = await testWeb(index);
  await webRoutes(app, web.folder);
  app.addHook('onClose', () => web.remove());
});

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('answers each page of the router with the page, whatever the caller accepts', async ({ server }) => {
  for (const url of ['/', '/explore', '/explore/', '/post/abc/likes', '/profile/abc?tab=plans', '/sign-in']) {
    for (const headers of [{}, browser]) {
      const { statusCode, body } = await server.request(null, { method: 'GET', url, headers });
      expect([url, statusCode, body]).toEqual([url, 200, index]);
    }
  }
});

const noPages = [
  ...[
    '/metrics',
    '/robots.txt',
    '/sitemap.xml',
    '/favicon.foo',
    '/.env',
    '/.git/config',
    '/.vite/manifest.json',
  ],
  ...[
    '/wp-login.php',
    '/unknown',
    '/unknown/deep/path',
    '/profile',
    '/index.php',
    '/server-status',
    '/%2e%2e/x',
  ],
  ...['/assets/none.js', '/assets/../.vite/manifest.json', '/healthz/x', '/api', '/docs/none'],
];

test.for(noPages)('never answers %s with the page', async (url, { server }) => {
  for (const method of ['GET', 'HEAD'] as const) {
    const { statusCode, body } = await server.request(null, { method, url });
    expect(statusCode).toBe(404);
    expect(body).not.toContain('<title>');
    expect(body).not.toContain('src/routes');
  }
});

test('shows a person who opens an unknown address the not-found screen, with status 404', async ({
  server,
}) => {
  const unknown = await server.request(null, { method: 'GET', url: '/unknown', headers: browser });
  expect([unknown.statusCode, unknown.body]).toEqual([404, index]);
  const file = await server.request(null, { method: 'GET', url: '/robots.txt', headers: browser });
  expect([file.statusCode, file.json().type]).toEqual([404, 'general_route_not_found']);
});

test('a page whose meta cannot be read is served, and kept out of search engines', async ({ platform }) => {
  const web = await testWeb(index);
  const failing = await testServer(platform, (app) =>
    webRoutes(app, web.folder, {
      publicUrl: 'https://tara.test',
      describe: async () => {
        throw new Error('no database');
      },
    }),
  );
  const { statusCode, headers } = await failing.request(null, {
    method: 'GET',
    url: '/plan/abc',
    headers: browser,
  });
  expect([statusCode, headers['x-robots-tag']]).toEqual([200, 'noindex, nofollow']);
  await failing.close();
  await web.remove();
});
