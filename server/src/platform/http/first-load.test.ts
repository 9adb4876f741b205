import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testWeb } from '../../testing/web.ts';
import { firstLoadHeader } from './first-load.ts';

let web: Awaited<ReturnType<typeof testWeb>>;
let header: ReturnType<typeof firstLoadHeader>;

beforeAll(async () => {
  web = await testWeb('');
  header = firstLoadHeader(web.folder);
});
afterAll(() => web.remove());

const links = (path: string, { query = '', isSignedIn = true } = {}) =>
  (header(path, query, isSignedIn) ?? 'none')
    .split(', ')
    .map((link) => link.replace(/^<(.*)>; rel=(\w+).*$/, '$2 $1'));

describe('the first load of a page', () => {
  it('has the script of the first paint before all, then the session, what the page reads, and each of its scripts once', () => {
    expect(links('/')).toEqual([
      'preload /before-paint.js',
      'preload /api/account/session',
      'preload /api/post/feed',
      'modulepreload /assets/main.js',
      'modulepreload /assets/vendor.js',
      'modulepreload /assets/_main-tsx.js',
      'modulepreload /assets/shared.js',
      'modulepreload /assets/_main-index-tsx.js',
    ]);
  });

  it('fills the address of the record in, encoded', () => {
    expect(links('/profile/a>b, <c>')).toEqual(
      expect.arrayContaining([
        'preload /api/profile/one/a%3Eb%2C%20%3Cc%3E',
        'preload /api/post/by/a%3Eb%2C%20%3Cc%3E',
      ]),
    );
    expect(header('/post/a\r\nset-cookie: x', '', true)).not.toMatch(/[\r\n]/);
  });

  it('takes the page without parameters first, and the layouts of folders', () => {
    expect(links('/profile/plans/ana')).toContain('preload /api/plan/by/ana');
    expect(links('/verify-users/')).toEqual(
      expect.arrayContaining([
        'preload /api/verification/pending',
        'modulepreload /assets/_main-_admin-tsx.js',
      ]),
    );
  });

  it('reads nothing for a guest and for a search, and is none for an unknown page', () => {
    const reads = (path: string, options = {}) =>
      links(path, options).filter((link) => link.startsWith('preload /api/'));
    const session = ['preload /api/account/session'];
    expect(reads('/', { isSignedIn: false })).toEqual(session);
    expect(reads('/all-users', { query: 'search=ana' })).toEqual(session);
    for (const path of ['/nowhere/at/all', '/metrics', '/profile', '/chats/a/b'])
      expect([path, header(path, '', true)]).toEqual([path, null]);
  });

  it('has the pair key of a conversation, and the id of a plan chat', () => {
    const query = 'id=x&mixId=a%3Eb';
    expect(links('/chats/b', { query })).toContain('preload /api/message/conversation/a%3Eb?pages=10');
    for (const options of [{}, { query, isSignedIn: false }])
      expect(links('/chats/b', options).filter((link) => link.startsWith('preload /api/'))).toHaveLength(1);
    expect(links('/manage-plans/conversation-receipt/abc')).toContain(
      'preload /api/plan/receipt/abc?pages=3',
    );
  });

  it('has the lists that a page shows, and the record of a page of its own', () => {
    const reads = (path: string) => links(path).filter((link) => link.startsWith('preload /api/'));
    expect(reads('/money').slice(1)).toEqual([
      'preload /api/admin/moneyOverview',
      'preload /api/admin/ledgerCheck',
      'preload /api/admin/unassignedDisputes',
      'preload /api/admin/money/toPayOut',
      'preload /api/admin/money/failed',
    ]);
    expect(reads('/profile/history/ana')).toContain('preload /api/plan/interactions/history');
    expect(reads('/post/abc/likes')).toContain('preload /api/post/likers/abc');
  });

  it.each([
    '/',
    '/all-users',
    '/confirm-plans',
    '/explore',
    '/manage-plans',
    '/post/x',
    '/profile/x',
    '/profile/plan-details/x',
    '/profile/plans/x',
    '/review-details/x',
    '/saved',
    '/settings',
    '/settings/blocked',
    '/update-post/x',
    '/verify-users',
  ])('is known for %s', (path) => {
    expect(links(path).filter((link) => link.startsWith('preload /api/')).length).toBeGreaterThan(1);
  });

  it('is none where the web is not built', () => {
    expect(firstLoadHeader(`${web.folder}/nothing`)('/', '', true)).toBeNull();
  });
});
