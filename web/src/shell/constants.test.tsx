import type { SessionContext } from '@tara/contract/accounts/accounts';
import { interactions } from '@tara/contract/interactions/interactions';
import { profiles } from '@tara/contract/members/profiles';
import { verification } from '@tara/contract/members/verification';
import { admin } from '@tara/contract/money/confirmations';
import { plans } from '@tara/contract/plans/plans';
import { posts } from '@tara/contract/posts/posts';
import { callUrl } from '@tara/contract/url';
import { act, cleanup, configure, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  sampleAdminSession,
  sampleCan,
  sampleChat,
  sampleMessage,
  samplePage,
  samplePicture,
  samplePost,
  sampleProfile,
  sampleRequest,
  sampleSession,
  sampleVerification,
} from '../testing/samples.ts';
import { renderApp } from '../testing/screen.tsx';
import { problem, SilentSocket, stubServer } from '../testing/stub-server.ts';
import { useToasts } from '../ui/feedback.ts';
import { stubWidth } from '../ui/testing/stub-width.ts';

const server = stubServer();
beforeAll(() => {
  configure({ asyncUtilTimeout: 20_000 });
  vi.stubGlobal('WebSocket', SilentSocket);
});
beforeEach(() => {
  sessionStorage.clear();
  useToasts.setState({ queue: [] });
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
  vi.restoreAllMocks();
});

/** Opens the app at an address, as Ana unless said otherwise (null is a guest), with these answers of the server. */
function open(
  address: string,
  answers: Record<string, unknown>,
  viewer: SessionContext | null = sampleSession('Ana'),
) {
  const guest = problem(401, 'general_unauthorized_scope');
  server.answer('GET /api/account/session', viewer ? 200 : guest.status, viewer ?? guest.body);
  for (const [path, body] of Object.entries(answers)) server.answer(`GET ${path}`, 200, body);
  return renderApp(address);
}
const ben = { params: { id: 'Ben' } };
const list = (name: string) => callUrl(interactions.interactionList, { params: { list: name } });

test.for([
  [
    '10 post cards (§9-skeletons-post-cards)',
    '/profile/Ben',
    callUrl(posts.byCreator, ben),
    'Loading posts',
    10,
  ],
  ['20 of the home feed (§9-skeletons-home-feed)', '/', callUrl(posts.feed, {}), 'Loading posts', 20],
  [
    '15 of the history (§9-skeletons-history)',
    '/profile/history/Ana',
    list('history'),
    'Loading the requests',
    15,
  ],
  [
    '30 of Plan Manager (§9-skeletons-plan-manager)',
    '/manage-plans',
    '/api/plan/manager',
    'Loading the requests',
    30,
  ],
  [
    '15 of plans (§9-skeletons-plan-list)',
    '/profile/plans/Ben',
    callUrl(plans.byCreator, ben),
    'Loading the plans',
    15,
  ],
] as const)(
  'a list that loads has as many skeletons as the specification: %s',
  async ([, address, call, label, count]) => {
    server.hold([`GET ${call}`]);
    open(address, { [callUrl(profiles.get, ben)]: sampleProfile('Ben'), [call]: samplePage([]) });
    expect((await screen.findByRole('status', { name: label })).children).toHaveLength(count);
    server.release();
  },
);

/** A text of so many characters, of which the first is never repeated. */
const textOf = (length: number, letter: string) => `${letter.toUpperCase()}${letter.repeat(length - 1)}`;

test('a bio is cut after 41 characters, with an ellipsis (§9-display-bio)', async () => {
  const people = [
    sampleProfile('Ben', { bio: textOf(41, 'a') }),
    sampleProfile('Lia', { bio: textOf(42, 'b') }),
  ];
  open('/all-users', { [callUrl(profiles.people, {})]: samplePage(people) });
  await screen.findByText(textOf(41, 'a'));
  await screen.findByText(`${textOf(41, 'b')}…`);
});

test('an address in the admin’s list is cut after 30 characters, with two dots (§9-display-admin-address, §9-display-dots)', async () => {
  const boss = sampleAdminSession('Boss');
  const requests = [30, 31].map((length, index) =>
    sampleVerification({ id: `v${index}`, address: textOf(length, 'ab'[index] ?? '') }),
  );
  open('/verify-users', { [callUrl(verification.pending, {})]: samplePage(requests) }, boss);
  await screen.findAllByText(textOf(30, 'a'));
  await screen.findByText(`${textOf(30, 'b')}..`);
});

test.for([
  ['23 characters on a large screen (§9-display-plan-title-large)', 1280, 23],
  ['14 on a small one (§9-display-plan-title-small)', 390, 14],
] as const)('the title of a request’s plan is cut after %s, with two dots', async ([, width, length]) => {
  stubWidth(width);
  const requests = [
    { ...sampleRequest({ id: 'a', planTitle: textOf(length, 'a') }), steps: [] },
    { ...sampleRequest({ id: 'b', planTitle: textOf(length + 1, 'b') }), steps: [] },
  ];
  open(
    '/confirm-plans',
    { [callUrl(admin.awaitingPlans, {})]: samplePage(requests) },
    sampleAdminSession('Boss'),
  );
  await screen.findAllByText(textOf(length, 'a'));
  await screen.findAllByText(`${textOf(length, 'b')}..`);
});

test('the caption of a tile is cut after 15 characters, with two dots (§9-display-description)', async () => {
  const both = [15, 16].map((length, index) =>
    samplePost({ id: `p${index}`, caption: textOf(length, 'ab'[index] ?? '') }),
  );
  open('/explore', { [callUrl(posts.popular, {})]: samplePage(both) });
  await screen.findByText(textOf(15, 'a'));
  await screen.findByText(`${textOf(15, 'b')}..`);
});

test('the picture of a post card is asked for in the quality 30 (§9-quality-posts)', async () => {
  open('/', {
    [callUrl(posts.feed, {})]: samplePage([samplePost({ picture: { ...samplePicture, alt: 'Tall' } })]),
  });
  const picture = await screen.findByRole('img', { name: 'Tall' });
  expect(picture.getAttribute('src')).toMatch(/quality=30$/);
  expect(picture.getAttribute('srcset')).not.toMatch(/quality=(?!30 )/);
});

test('the picture of a post card is at most 800 px high (§9-post-image-height)', async () => {
  open('/', {
    [callUrl(posts.feed, {})]: samplePage([samplePost({ picture: { ...samplePicture, alt: 'Tall' } })]),
  });
  const picture = await screen.findByRole('img', { name: 'Tall' });
  const shape = picture.closest<HTMLElement>('[style*="max-height"]') ?? expect.fail('no maximum height');
  expect(shape.style.maxHeight).toBe('min(800px, 85svh)');
});

const chat = (creatorAccountId: string) => ({
  '/api/plan/receipt/AnaBen?pages=3': {
    receipt: {
      ...{
        id: 'AnaBen',
        convoId: 'AnaBen',
        interactionId: 'request',
        creatorAccountId,
        clientAccountId: 'Ben',
      },
      createdAt: '2026-01-02T03:04:05.000+00:00',
    },
    chat: sampleChat({ kind: 'receipt' }),
    interaction: sampleRequest({
      paid: true,
      accepted: true,
      conversationReceipt: 'AnaBen',
      haveConvoReceipt: true,
      can: sampleCan('sendMessage'),
    }),
    messages: { items: [sampleMessage()], hasMore: false },
  },
});
const chatAddress = '/manage-plans/conversation-receipt/AnaBen?interactionId=request';

/** Waits while faked timeouts stand: `vi.waitFor` and `expect.poll` would advance them. */
const untilWhileStopped = (isReached: () => boolean) =>
  new Promise<void>((done) => {
    const poll = setInterval(() => {
      if (!isReached()) return;
      clearInterval(poll);
      done();
    }, 10);
  });

test('who may not view a receipt is home after 1300 ms (§5-receipt-redirect, §9-forbidden-redirect)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const router = open(chatAddress, chat('Ana'), sampleSession('Lia'));
  await untilWhileStopped(() => screen.queryByText('You are taken to the home page.') !== null);
  await act(() => vi.advanceTimersByTimeAsync(1_299));
  expect(router.latestLocation.pathname).toContain('/conversation-receipt/');
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(router.latestLocation.pathname).toBe('/');
});

const unconfirmed = sampleSession('Ana', { account: { emailVerification: false } });

test.for([
  ['20 s on /confirming (§9-resend-initial-confirming)', '/confirming', unconfirmed, 20],
  ['2 s on /verification-message (§9-resend-initial-message)', '/verification-message', null, 2],
] as const)('an email can be resent after %s', async ([, address, viewer, seconds]) => {
  // The count does not go on.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  open(address, {}, viewer);
  await screen.findByRole('button', { name: `Resend email in ${seconds} s` });
});

test('people are searched for 500 ms after the last letter (§9-search-debounce)', async () => {
  const router = open('/all-users', {
    [callUrl(profiles.people, {})]: samplePage([sampleProfile('Ben')]),
    [callUrl(profiles.people, { query: { search: 'lia' } })]: samplePage([sampleProfile('Lia')]),
  });
  const box = await screen.findByRole('searchbox', { name: 'Search people by name or hobby' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  fireEvent.change(box, { target: { value: 'li' } });
  await act(() => vi.advanceTimersByTimeAsync(400));
  fireEvent.change(box, { target: { value: 'lia' } });
  await act(() => vi.advanceTimersByTimeAsync(499));
  expect(router.latestLocation.search).toEqual({});
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(router.latestLocation.search).toEqual({ search: 'lia' });
});

test('a file that a chat refuses is told for 3 s: its type (§8-file-errors, §8-file-type), or its size, above 5 MB (§8-file-size, §9-upload-general)', async () => {
  open(chatAddress, chat('Ana'));
  const form = (await screen.findByRole('textbox', { name: 'Message' })).closest('form');
  const input = form?.querySelector('input[type=file]') ?? expect.fail('no file can be chosen');
  const large = new File(['x'], 'large.jpg', { type: 'image/jpeg' });
  Object.defineProperty(large, 'size', { value: 5_242_881 });
  fireEvent.change(input, { target: { files: [large] } });
  fireEvent.change(input, { target: { files: [new File(['x'], 'a.gif', { type: 'image/gif' })] } });
  expect(useToasts.getState().queue).toMatchObject([
    { title: 'Invalid File Size', text: expect.stringContaining('(5 MB)'), durationMs: 3000 },
    { title: 'Unsupported File Type', durationMs: 3000 },
  ]);
});

test('a bubble takes at most 70 % of the width (§9-bubble-width)', async () => {
  open(chatAddress, chat('Ana'));
  const bubble = (await screen.findByText('See you at six.')).closest('[class*="max-w-"]');
  expect(bubble?.className).toContain('max-w-[70%]');
});
