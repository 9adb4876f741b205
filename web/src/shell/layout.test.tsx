import type { SessionContext } from '@tara/contract/accounts/accounts';
import { act, cleanup, configure, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { logOut, sessionQuery } from '../features/accounts/index.ts';
import { writeDraftValues } from '../lib/draft-storage.ts';
import { useOffline } from '../lib/offline.ts';
import { queryClient } from '../lib/queries.ts';
import {
  sampleAdminSession,
  sampleCan,
  samplePage,
  samplePerson,
  samplePicture,
  samplePlan,
  samplePlanDetail,
  samplePost,
  sampleProfile,
  sampleRequest,
  sampleSession,
} from '../testing/samples.ts';
import { press, renderAppAt } from '../testing/screen.tsx';
import { problem, StubSocket, stubServer } from '../testing/stub-server.ts';
import { useConfirm, useToasts } from '../ui/feedback.ts';
import { stubWidth } from '../ui/testing/stub-width.ts';
import { useNavigationMode } from './navigation.tsx';

const server = stubServer();
const FEED = 'GET /api/post/feed';

beforeAll(() => {
  configure({ asyncUtilTimeout: 20_000 });
  vi.stubGlobal('WebSocket', StubSocket);
});
beforeEach(() => {
  sessionStorage.clear();
  useToasts.setState({ queue: [] });
  server.answer(FEED, 200, samplePage([]));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** For the code of a screen on a busy machine. */
const waitFor = (check: () => void) => vi.waitFor(check, 20_000);

/** Opens the app at the last of these addresses. */
async function open(
  addresses: string[],
  session: SessionContext | null = sampleSession('Ana'),
  options: Parameters<typeof renderAppAt>[1] = {},
) {
  const { status, body } = problem(401, 'general_unauthorized_scope');
  server.answer('GET /api/account/session', session ? 200 : status, session ?? body);
  return renderAppAt(addresses, options);
}
const toasts = () =>
  useToasts.getState().queue.map(({ title, text, durationMs }) => ({ title, text, durationMs }));

const findSidebar = async () =>
  within((await screen.findByRole('button', { name: 'Log out' })).closest('aside') ?? document.body);

describe('the sidebar of wide screens', () => {
  test('has the logo, a link home (§2-sidebar-logo)', async () => {
    await open(['/']);
    const [logo] = (await findSidebar()).getAllByRole('link', { name: 'Tara, home' });
    expect(logo?.getAttribute('href')).toBe('/');
    expect(logo?.querySelector('svg')).not.toBeNull();
  });

  test('has avatar, name and @username, linking to /profile/{id} (§2-sidebar-member)', async () => {
    await open(['/'], sampleSession('Ana', { profile: { id: 'a1', name: 'Ana Cruz', username: 'ana c' } }));
    const member = (await findSidebar()).getByRole('link', { name: /@ana c/ });
    expect(member.getAttribute('href')).toBe('/profile/a1');
    expect(within(member).getByText('Ana Cruz')).toBeDefined();
    expect(within(member).getByText('@ana c')).toBeDefined();
    expect(member.querySelector('img')?.getAttribute('src')).toMatch(/^[/]x/);
  });

  test('links to / if the user has no id (§2-sidebar-no-id)', async () => {
    await open(['/'], sampleSession('Ana', { profile: { id: '' } }));
    const member = (await findSidebar()).getByRole('link', { name: /@Ana/ });
    expect(member.getAttribute('href')).toBe('/');
  });

  test('has the main navigation / Home, /explore Explore, /all-users People, /manage-plans Manage Plans, /chats Messages, /saved Saved, /create-post Create Post (§2-sidebar)', async () => {
    await open(['/']);
    const links = within((await findSidebar()).getByRole('navigation', { name: 'Main' })).getAllByRole(
      'link',
    );
    expect(links.map((link) => [link.getAttribute('href'), link.textContent])).toEqual([
      ['/', 'Home'],
      ['/explore', 'Explore'],
      ['/all-users', 'People'],
      ['/manage-plans', 'Manage Plans'],
      ['/chats', 'Messages'],
      ['/saved', 'Saved'],
      ['/create-post', 'Create Post'],
    ]);
  });

  test('has a Log out button: the page reloads after success (§2-log-out)', async () => {
    await open(['/']);
    const button = (await findSidebar()).getByRole('button', { name: 'Log out' });
    const LOG_OUT = 'DELETE /v1/account/sessions/current';
    server.answer(LOG_OUT, 204);
    server.hold([LOG_OUT]);
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
    await userEvent.click(button);
    await waitFor(() => expect(server.requests.map(({ line }) => line)).toContain(LOG_OUT));
    expect(reload).not.toHaveBeenCalled();
    server.release();
    await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  });

  test('that cannot end does not reload the page (§2-log-out)', async () => {
    await open(['/']);
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
    const { status, body } = problem(500, 'general_unknown');
    server.answer('DELETE /v1/account/sessions/current', status, body);
    await userEvent.click((await findSidebar()).getByRole('button', { name: 'Log out' }));
    await waitFor(() => expect(toasts()).toMatchObject([{ title: 'Title of general_unknown' }]));
    expect(reload).not.toHaveBeenCalled();
    // The next load expects the member, whose session goes on.
    expect(localStorage.getItem('tara-member')).not.toBeNull();
  });

  test('that ends leaves no draft and nothing unsent on this device', async () => {
    await open(['/']);
    await findSidebar();
    writeDraftValues({ key: 'request:plan', account: 'Ana' }, { place: 'Luneta' });
    localStorage.setItem(`outbox:${sampleSession('Ana').account.id}:messages:key`, 'See you at six.');
    vi.spyOn(location, 'reload').mockImplementation(() => {});
    server.answer('DELETE /v1/account/sessions/current', 204);
    const leaving = logOut();
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Log out' }));
    await leaving;
    expect(Object.keys(localStorage).filter((name) => /^(draft|outbox)/.test(name))).toEqual([]);
  });

  test('goes on where what waits to be sent would be lost and the member stays', async () => {
    await open(['/']);
    await findSidebar();
    const { id } = sampleSession('Ana').account;
    localStorage.setItem(`outbox:${id}:messages:key`, 'See you at six.');
    const leaving = logOut();
    await userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
    await leaving;
    expect(server.requests.map(({ line }) => line)).not.toContain('DELETE /v1/account/sessions/current');
    expect(localStorage.getItem(`outbox:${id}:messages:key`)).toBe('See you at six.');
    localStorage.removeItem(`outbox:${id}:messages:key`);
  });

  test('is expected by the next load until the session ends', async () => {
    const isExpected = () => localStorage.getItem('tara-member') !== null;
    await open(['/']);
    await findSidebar();
    await queryClient.fetchQuery(sessionQuery);
    expect(isExpected()).toBe(true);
    vi.spyOn(location, 'reload').mockImplementation(() => {});
    server.answer('DELETE /v1/account/sessions/current', 204);
    await logOut();
    expect(isExpected()).toBe(false);
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    expect(isExpected()).toBe(true);
    const { status, body } = problem(401, 'general_unauthorized_scope');
    server.answer('GET /api/account/session', status, body);
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    expect(isExpected()).toBe(false);
  });
});

describe('the bars of small screens', () => {
  const avatarName = { name: 'Your profile and settings' };
  const topBar = async () =>
    within((await screen.findByRole('button', avatarName)).closest('header') ?? document.body);

  test('are a bottom bar (§2-bars)', async () => {
    await open(['/']);
    const bars = await screen.findAllByRole('navigation', { name: 'Main' });
    const bottom = bars.find((bar) => bar.hasAttribute('data-bottom-bar'));
    expect(bottom?.className.split(' ').filter((name) => name.endsWith('hidden'))).toEqual(['md:hidden']);
  });

  test('are a top bar with a message button to /chats (§2-top-bar-messages)', async () => {
    await open(['/']);
    expect((await topBar()).getByRole('link', { name: 'Messages' }).getAttribute('href')).toBe('/chats');
  });

  test('are a top bar with the avatar, whose sheet leads to /profile/{id} (§2-top-bar-avatar)', async () => {
    server.answer('GET /api/profile/one/a1', 404);
    const router = await open(['/'], sampleSession('Ana', { profile: { id: 'a1' } }));
    const avatar = (await topBar()).getByRole('button', avatarName);
    expect(avatar.querySelector('img')).not.toBeNull();
    await userEvent.click(avatar);
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    await press(userEvent, /^Your profile\b/, 'link');
    await waitFor(() => expect(router.state.location.pathname).toBe('/profile/a1'));
  });

  test('have no top bar on paths containing /conversation-receipt/ (§2-top-bar-hidden)', async () => {
    const router = await open(['/']);
    await topBar();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    await router.navigate({ to: '/manage-plans/conversation-receipt/x' as never });
    await waitFor(() => expect(screen.queryByRole('button', avatarName)).toBeNull());
  });
});

/** A window of this width in pixels. */
const setWidth = (width: number) =>
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const [, from = '0'] = /min-width: ([\d.]+)rem/.exec(query) ?? [];
    const matches = width >= 16 * Number(from);
    return Object.assign(new EventTarget(), { matches, media: query }) as MediaQueryList;
  });

test('the right column of wide screens is not beside the first steps, which show people themselves', async () => {
  server.answer('GET /api/profile/people', 200, samplePage([]));
  server.answer('GET /api/plan/search', 200, samplePage([]));
  server.answer('GET /api/verification/usualTime', 200, { minutes: null });
  setWidth(1440);
  const column = () => screen.queryByRole('complementary', { name: 'More' });
  await open(['/']);
  await waitFor(() => expect(column()).not.toBeNull());
  cleanup();
  await open(['/welcome']);
  await screen.findByRole('heading', { name: 'Add your photo' });
  expect(column()).toBeNull();
});

test('the right column names people to meet beside every screen but theirs', async () => {
  const lia = sampleProfile('Lia', { picture: samplePicture });
  server.answer('GET /api/profile/people', 200, samplePage([lia]));
  setWidth(1440);
  const column = async () => within(await screen.findByRole('complementary', { name: 'More' }));
  await open(['/']);
  await (await column()).findByRole('heading', { name: 'People to meet' });
  cleanup();
  await open(['/all-users']);
  await screen.findByRole('heading', { name: 'Find Friends' });
  await (await column()).findByRole('navigation', { name: 'Extra links' });
  await screen.findByRole('link', { name: /Lia/ });
  expect(screen.queryByRole('heading', { name: 'People to meet' })).toBeNull();
});

describe('the form of the auth layout', () => {
  test('is beside a large background image (§2-auth-picture)', async () => {
    stubWidth(1280);
    await open(['/verification-message'], null);
    await screen.findByRole('textbox', { name: 'Username' });
    await waitFor(() => expect(document.querySelector('main + div svg')).not.toBeNull());
  });

  test('has no large background image beside it on small screens (§2-auth-picture-hidden)', async () => {
    stubWidth(390);
    await open(['/verification-message'], null);
    await screen.findByRole('textbox', { name: 'Username' });
    // The picture itself may be on its way; its place is there from the beginning.
    expect(document.querySelector('main + div')).toBeNull();
  });
});

test('/confirming reads secret, userId and username from the query string (§2-confirming-query)', async () => {
  const { status, body } = problem(401, 'user_invalid_token');
  server.answer('POST /api/account/readConfirmation', status, body);
  await open(['/confirming?userId=u7&secret=s7&username=ana'], null);
  expect(await screen.findByRole('textbox', { name: 'Username' })).toHaveProperty('value', 'ana');
  expect(server.requests.map(({ body: sent }) => sent)).toContainEqual({ userId: 'u7', secret: 's7' });
});

test('any other path shows ‘Page Not Found’ (§2-unknown-route, §8-unknown-route)', async () => {
  await open(['/nowhere/at/all']);
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeDefined();
});

test('any other path has a Home button (§2-unknown-route-home)', async () => {
  await open(['/nowhere/at/all']);
  await screen.findByRole('heading', { name: 'Page Not Found' });
  expect(screen.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/');
});

test('the home feed has 20 skeleton placeholders while it loads (§2-home)', async () => {
  server.hold([FEED]);
  await open(['/']);
  const loading = await screen.findByRole('status', { name: 'Loading posts' });
  expect(loading.children).toHaveLength(20);
  server.release();
  expect(await screen.findByRole('textbox', { name: 'Quick post' })).toBeDefined();
});

test('the home screen has a menu of extra links (§2-home-extra-links)', async () => {
  await open(['/']);
  await userEvent.click(await screen.findByRole('button', { name: 'Your profile and settings' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Ana' }));
  const links = within(await sheet.findByRole('navigation', { name: 'Extra links' })).getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['Your plans', 'Create a plan', 'Friend requests', 'History', 'Saved']),
  );
});

test('an error without a text of its own reads ‘Something went wrong.’ (§2-error-fallback)', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  server.answer('GET /api/post/one/p1', 500, 'no problem of the contract');
  await open(['/post/p1']);
  within(await screen.findByRole('alert')).getByText('Something went wrong.');
});

test('a post has its skeleton while it loads (§2-post)', async () => {
  const ONE = 'GET /api/post/one/p1';
  server.answer(ONE, 200, samplePost());
  server.hold([ONE]);
  await open(['/post/p1']);
  expect(await screen.findByRole('status', { name: 'Loading the post' })).toBeDefined();
  server.release();
  await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading the post' })).toBeNull());
});

const own = samplePost({ creator: samplePerson('Ana'), creatorId: 'Ana', caption: 'A morning' });

describe('deleting one’s own post', () => {
  const ask = async () => {
    server.answer('GET /api/post/one/p1', 200, own);
    const router = await open(['/post/p1']);
    await press(userEvent, 'Delete post');
    return { router, dialog: within(await screen.findByRole('dialog')) };
  };

  test('asks ‘Are you sure?’ (§2-delete-post)', async () => {
    const { dialog } = await ask();
    expect(dialog.getByRole('heading', { name: 'Are you sure?' })).toBeDefined();
  });

  test('says ‘You will not be able to change it after’ (§2-delete-post-text)', async () => {
    const { dialog } = await ask();
    expect(dialog.getByText('You will not be able to change it after')).toBeDefined();
  });

  test('leads to / after Delete (§2-delete-post-home, §7-delete-post)', async () => {
    const { router, dialog } = await ask();
    server.answer('POST /api/post/delete', 200, { status: 'ok' });
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    expect(server.requests).toContainEqual({ line: 'POST /api/post/delete', body: { postId: 'p1' } });
  });
});

describe('the post form', () => {
  const UPDATE = 'POST /api/post/update';
  const openForm = async () => {
    server.answer('GET /api/post/one/p1', 200, own);
    const router = await open(['/explore', '/update-post/p1']);
    await screen.findByRole('button', { name: 'Update Post' });
    await screen.findByRole('heading', { name: 'Update Post' });
    return router;
  };

  test('has the fields Caption, Add Profile Picture (a file), Add Location and Add Tags (§2-post-form)', async () => {
    await openForm();
    for (const label of ['Caption', /^Add Location/, /^Add Tags/])
      expect(await screen.findByRole('textbox', { name: label })).toBeDefined();
    expect(await screen.findByLabelText('Add Profile Picture')).toHaveProperty('type', 'file');
  });

  test('reads ‘Loading...’ and is disabled while pending (§2-post-form-pending)', async () => {
    await openForm();
    server.answer(UPDATE, 200, own);
    server.hold([UPDATE]);
    await press(userEvent, 'Update Post');
    const pending = await screen.findByRole('button', { name: 'Loading...' });
    expect(pending.getAttribute('aria-disabled')).toBe('true');
    server.release();
  });

  test('goes one page back by Cancel (§2-post-form-cancel)', async () => {
    const router = await openForm();
    server.answer('GET /api/post/popular', 200, samplePage([]));
    await press(userEvent, 'Cancel');
    await waitFor(() => expect(router.state.location.pathname).toBe('/explore'));
  });

  test('goes to /post/{id} after an update (§2-post-form-updated)', async () => {
    const router = await openForm();
    server.answer(UPDATE, 200, own);
    await press(userEvent, 'Update Post');
    await waitFor(() => expect(router.state.location.pathname).toBe('/post/p1'));
  });

  test('shows a toast titled ‘Please try again’ for 3 s after a failure (§2-post-form-failed, §8-post-failed, §9-toast-normal)', async () => {
    await openForm();
    const { status, body } = problem(500, 'general_unknown');
    server.answer(UPDATE, status, body);
    await press(userEvent, 'Update Post');
    await waitFor(() => expect(toasts()).toMatchObject([{ title: 'Please try again', durationMs: 3000 }]));
  });
});

async function chooseProfilePicture(): Promise<void> {
  server.answer('POST /v1/storage/buckets/images/files', 201, { $id: 'i1' });
  Object.defineProperty(HTMLImageElement.prototype, 'decode', { configurable: true, value: async () => {} });
  await open(['/update-profile']);
  const photo = new File([new Uint8Array([0xff, 0xd8, 0xff])], 'me.jpg', { type: 'image/jpeg' });
  await userEvent.upload(await screen.findByLabelText('New profile picture'), photo);
  const dialog = await screen.findByRole('dialog', { name: 'Crop your picture' });
  // A picture that the browser cannot open is sent as it was chosen.
  fireEvent.error(await vi.waitFor(() => dialog.querySelector('img') ?? expect.fail('no picture'), 20_000));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

async function writeReview(): Promise<void> {
  const request = sampleRequest({
    ...{ paid: true, accepted: true, userSetDone: true, adminSetDone: true, completed: true },
    can: sampleCan('review'),
  });
  server.answer('GET /api/plan/interaction/request', 200, request);
  await open(['/write-a-review/request'], sampleSession('Ben'));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Your review' }), 'Good');
}

test.each([
  ['Update picture', 'POST /api/profile/updatePicture', chooseProfilePicture],
  ['Update', 'POST /api/profile/updateAbout', () => open(['/update-profile?tab=info'])],
  ['Publish review', 'POST /api/review/create', writeReview],
] as const)('‘%s’ reads ‘Loading...’ and is disabled while pending', async (name, line, fillForm) => {
  const { status, body } = problem(500, 'general_unknown');
  server.answer(line, status, body);
  await fillForm();
  server.hold([line]);
  await press(userEvent, name);
  const pending = await screen.findByRole('button', { name: 'Loading...' });
  expect(pending.getAttribute('aria-disabled')).toBe('true');
  server.release();
  await screen.findByRole('button', { name });
});

const SEND = 'POST /api/plan/createInteraction';
/** Opens a plan of Ben after the list of his plans, and chooses a day. */
const openPlan = async () => {
  const plan = samplePlan({ creator: samplePerson('Ben') });
  server.answer('GET /api/plan/by/Ben', 200, samplePage([plan]));
  server.answer('GET /api/plan/one/plan', 200, samplePlanDetail({ plan }));
  const router = await open(['/profile/plans/Ben', '/profile/plan-details/plan']);
  await press(userEvent, 'Choose a day');
  return router;
};

async function proposeDay(): Promise<void> {
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await press(userEvent, 'Another day', 'radio');
  fireEvent.change(await screen.findByLabelText('Day'), { target: { value: day } });
  fireEvent.change(screen.getByLabelText('Time'), { target: { value: '18:30' } });
}

test('a request for a free plan is sent once the terms are accepted; then one is back, with the sent-plan notice (§4-send-request-terms, §4-send-request)', async () => {
  const router = await openPlan();
  const send = await screen.findByRole('button', { name: 'Send Request' });
  expect(send.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(send);
  await press(userEvent, 'Accept terms and conditions', 'checkbox');
  await proposeDay();
  server.answer(SEND, 200, sampleRequest({ price: 0, paid: true }));
  await press(userEvent, 'Send Request');
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/plans/Ben'));
  expect(toasts()).toMatchObject([{ title: 'Request sent!', text: 'Please wait for the person to respond' }]);
  expect(server.requests.filter(({ line }) => line === SEND)).toHaveLength(1);
});

test('a request that fails is not sent: the screen stays, with the basic notice (§4-send-request-failed, §8-generic)', async () => {
  const router = await openPlan();
  await press(userEvent, 'Accept terms and conditions', 'checkbox');
  await proposeDay();
  const go = vi.spyOn(router.history, 'go');
  server.answer(SEND, 502, 'the page of a proxy');
  await press(userEvent, 'Send Request');
  const basic = { title: 'Something went wrong', text: 'please try again later' };
  await waitFor(() => expect(toasts()).toMatchObject([basic]));
  expect(go).not.toHaveBeenCalled();
  expect(router.state.location.pathname).toBe('/profile/plan-details/plan');
});

test('‘Send Request’ is disabled while sending (§2-plan-request-sending)', async () => {
  await openPlan();
  await press(userEvent, 'Accept terms and conditions', 'checkbox');
  await proposeDay();
  server.answer(SEND, 200, sampleRequest({ price: 0, paid: true }));
  server.hold([SEND]);
  await press(userEvent, 'Send Request');
  const sending = await screen.findByRole('button', { name: 'Sending...' });
  expect(sending.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(sending);
  server.release();
  await waitFor(() => expect(toasts()).toMatchObject([{ title: 'Request sent!' }]));
  expect(server.requests.filter(({ line }) => line === SEND)).toHaveLength(1);
});

test('a plan that is requested again says so (§5-one-request, §8-duplicate-request) and goes back (§5-one-request-back)', async () => {
  const { status, body } = problem(409, 'interaction_already_requested');
  server.answer(SEND, status, body);
  const router = await openPlan();
  await press(userEvent, 'Accept terms and conditions', 'checkbox');
  await proposeDay();
  const reads = () => server.requests.filter(({ line }) => line === 'GET /api/plan/one/plan').length;
  const before = reads();
  await press(userEvent, 'Send Request');
  await waitFor(() => expect(toasts()).toMatchObject([{ title: 'You already made a request' }]));
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/plans/Ben'));
  // It was sent elsewhere: the plan is read again.
  await waitFor(() => expect(reads()).toBeGreaterThan(before));
});

test('confirming counts down 60 s until ‘No account found’ (§4-confirmation-countdown, §9-confirming-wait)', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  await open(['/confirming'], null);
  expect(await screen.findByRole('timer')).toHaveProperty('textContent', expect.stringContaining('60 s'));
  await act(() => vi.advanceTimersByTimeAsync(59_999));
  expect(screen.queryByRole('heading', { name: 'No account found' })).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(screen.getByRole('heading', { name: 'No account found' })).toBeDefined();
});

test('a failed sign-in after confirming shows ‘Sign in Failed. Please try again’, then goes home after 3000 ms (§4-confirmation)', async () => {
  const ana = sampleSession('Ana', { account: { emailVerification: false } });
  const confirmation = 'PUT /v1/account/verification';
  server.answer(confirmation, 200, {});
  server.hold([confirmation]);
  const router = await open([`/confirming?userId=${ana.account.id}&secret=s`], ana);
  await waitFor(() => expect(server.requests.map(({ line }) => line)).toContain(confirmation));
  const { status, body } = problem(401, 'general_unauthorized_scope');
  server.answer('GET /api/account/session', status, body);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  let toastAtMs = 0;
  const unsubscribe = useToasts.subscribe(() => {
    toastAtMs = Date.now();
  });
  server.release();
  const isTold = () =>
    expect(toasts()).toMatchObject([{ title: 'Sign in Failed. Please try again', durationMs: 3000 }]);
  // While a check waits, the time goes on by its interval.
  await vi.waitFor(isTold, { timeout: 20_000, interval: 10 });
  unsubscribe();
  await act(() => vi.advanceTimersByTimeAsync(toastAtMs + 2_999 - Date.now()));
  expect(router.latestLocation.pathname).toBe('/confirming');
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(router.latestLocation.pathname).not.toBe('/confirming');
  vi.useRealTimers();
  await waitFor(() => expect(router.state.location.pathname).toBe('/sign-in'));
});

test('a form that begins with the profile waits for the server where it has the one of last time', async () => {
  queryClient.setQueryData(sessionQuery.queryKey, sampleSession('Ana', { profile: { hobby: 'Chess' } }));
  useOffline.setState({ restored: [sessionQuery.queryKey] });
  await open(['/update-profile?tab=info'], sampleSession('Ana', { profile: { hobby: 'Diving' } }));
  expect(await screen.findByLabelText('Hobby')).toHaveProperty('value', 'Diving');
  useOffline.setState({ restored: [] });
});

test('a session that ends while a form is filled in leads to the sign-in, asks nothing, and back to the form after it', async () => {
  const router = await open(['/create-post']);
  await userEvent.type(await screen.findByLabelText('Caption'), 'Half a story');
  const { status, body } = problem(401, 'general_unauthorized_scope');
  server.answer('GET /api/account/session', status, body);
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
  await screen.findByRole('heading', { name: 'Login in to your account.' });
  expect(useConfirm.getState().isOpen).toBe(false);
  expect(router.latestLocation.href).toBe('/sign-in?redirect=%2Fcreate-post');
});

test('who sent a request to be verified before is taken one page back (§5-verification-sent)', async () => {
  server.answer('GET /api/post/popular', 200, samplePage([]));
  server.answer('GET /api/verification/usualTime', 200, { minutes: null });
  const waiting = sampleSession('Ana', { profile: { verified: null, sentVerifiedReq: true } });
  const router = await open(['/explore', '/verifying-identity'], waiting);
  await waitFor(() => expect(router.state.location.pathname).toBe('/explore'));
  expect(toasts()).toMatchObject([{ title: 'You already sent a request' }]);
});

describe('creating a plan', () => {
  const CREATE = 'POST /api/plan/create';
  /** Fills the form and presses Create plan. */
  const create = async () => {
    Object.defineProperty(HTMLImageElement.prototype, 'decode', {
      configurable: true,
      value: async () => {},
    });
    server.answer('POST /v1/storage/buckets/images/files', 201, { $id: 'i1' });
    server.answer(CREATE, 200, samplePlan());
    server.answer('GET /api/plan/by/Ana', 200, samplePage([samplePlan()]));
    const router = await open(['/profile/create-plans/Ana']);
    const cover = new File([new Uint8Array([0xff, 0xd8, 0xff])], 'sea.jpg', { type: 'image/jpeg' });
    await userEvent.upload(await screen.findByLabelText('Add photos'), cover);
    await screen.findByRole('button', { name: /^Remove / });
    const paste = async (name: string, text: string) => {
      await userEvent.click(screen.getByRole('textbox', { name }));
      await userEvent.paste(text);
    };
    await paste('Title', 'Coffee in Makati');
    await paste('Price in pesos', '250');
    await paste('Your terms', 'Be on time, and be kind to everybody.');
    await press(userEvent, 'Accept terms and conditions', 'checkbox');
    await press(userEvent, 'Create plan');
    return router;
  };

  test('is pending with ‘Creating...’ (§4-create-plan-pending)', async () => {
    server.hold([CREATE]);
    await create();
    const button = await screen.findByRole('button', { name: 'Creating...' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    server.release();
    await screen.findByRole('heading', { name: 'Your plans' });
  });

  test('goes to /profile/plans/{id} on success (§4-create-plan)', async () => {
    const router = await create();
    await waitFor(() => expect(router.state.location.pathname).toBe('/profile/plans/Ana'));
  });

  test('shows ‘You added a plan. 😎’ on success (§4-create-plan-notice, §8-plan-created)', async () => {
    await create();
    await waitFor(() => expect(toasts()).toMatchObject([{ title: 'You added a plan. 😎' }]));
  });

  test('resets the form on success (§4-create-plan-reset)', async () => {
    const router = await create();
    await screen.findByRole('heading', { name: 'Your plans' });
    await router.navigate({ to: '/profile/create-plans/$id', params: { id: 'Ana' } });
    expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveProperty('value', '');
  });
});

test('while the session is read the app says that it loads (§4-session-loading)', async () => {
  server.hold(['GET /api/account/session']);
  await open(['/confirming'], sampleSession('Ana', { account: { emailVerification: false } }));
  expect(await screen.findAllByRole('status', { name: 'Loading' })).not.toEqual([]);
  server.release();
  expect(await screen.findByRole('heading', { name: 'Check your inbox' })).toBeDefined();
});

test('the first screen is drawn once, with its data, and a later one says that it loads', async () => {
  server.hold([FEED]);
  const router = await open(['/'], sampleSession('Ana'), { firstPendingMs: 60_000 });
  await waitFor(() => expect(server.requests.map(({ line }) => line)).toContain(FEED));
  expect(screen.queryByRole('main')).toBeNull();
  server.release();
  expect(await screen.findByRole('main')).toBeDefined();
  expect(screen.queryByRole('status', { name: 'Loading posts' })).toBeNull();
  server.hold(['GET /api/post/popular']);
  void router.navigate({ to: '/explore' });
  expect(await screen.findByRole('status', { name: 'Loading posts' })).toBeDefined();
  server.release();
});

test('signing up resets the form and disables Submit on success (§4-sign-up-reset, §4-sign-up-disabled)', async () => {
  // The form stays until the next screen is there.
  await open(['/sign-up'], null, { pendingMs: 60_000 });
  for (const [label, text] of [
    ['Name', 'Ana Reyes'],
    ['Username', 'ana'],
    ['Email', 'ana@example.com'],
  ] as const)
    await userEvent.type(await screen.findByRole('textbox', { name: label }), text);
  await userEvent.type(screen.getByLabelText('Password', { selector: 'input' }), 'kape at pandesal 7');
  for (const box of screen.getAllByRole('checkbox')) await userEvent.click(box);
  server.answer('POST /api/account/signUp', 200, { id: 'ana' });
  server.answer('POST /v1/account/sessions/email', 201, {});
  server.answer('POST /v1/account/verification', 201, {});
  // The next screen waits for the session.
  server.hold(['GET /api/account/session']);
  await press(userEvent, 'Submit');
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', ''));
  for (const label of ['Username', 'Email'])
    expect(screen.getByRole('textbox', { name: label })).toHaveProperty('value', '');
  expect(screen.getByRole('button', { name: 'Submit' }).getAttribute('aria-disabled')).toBe('true');
  server.release();
});

describe('the navigation of an admin', () => {
  const boss = sampleAdminSession('Boss');
  beforeEach(() => {
    localStorage.clear();
    useNavigationMode.setState({ mode: 'normal' });
    server.answer('GET /api/admin/counts', 200, {
      ...{
        verifications: 3,
        plans: 0,
        disputes: 1,
        noAnswer: 4,
        chargebacks: 1,
        unassignedDisputes: 1,
        byHand: 2,
        reports: 2,
      },
    });
    server.answer('GET /api/verification/pending', 200, samplePage([]));
  });
  const sidebar = findSidebar;
  const bottomBar = () =>
    screen.getAllByRole('navigation').find((bar) => bar.hasAttribute('data-bottom-bar'));

  test('has the sidebar links /, /explore, /verify-users (Verify), /confirm-plans (Confirm Plans), /chats once swapped (§2-admin-sidebar)', async () => {
    useNavigationMode.setState({ mode: 'admin' });
    await open(['/'], boss);
    const bar = within((await sidebar()).getByRole('navigation', { name: 'Admin' }));
    const links = bar
      .getAllByRole('link')
      .map((link) => [link.getAttribute('href'), link.getAttribute('title')]);
    for (const link of [
      ['/', 'Home'],
      ['/explore', 'Explore'],
      ['/verify-users', 'Verify'],
      ['/confirm-plans', 'Confirm Plans'],
      ['/chats', 'Messages'],
    ])
      expect(links).toContainEqual(link);
  });

  test('is swapped by the floating button, and back (§2-admin-navigation, §6-admin-navigation)', async () => {
    await open(['/'], boss);
    expect((await sidebar()).getByRole('navigation', { name: 'Main' })).toBeDefined();
    await press(userEvent, /^Swap the navigation/);
    await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull());
    await press(userEvent, /^Swap the navigation/);
    expect((await sidebar()).getByRole('navigation', { name: 'Main' })).toBeDefined();
  });

  test('is swapped by the ArrowUp key, and back (§2-admin-arrow-up)', async () => {
    await open(['/'], boss);
    await screen.findByRole('button', { name: /^Swap the navigation/ });
    fireEvent.keyDown(document.body, { key: 'ArrowUp' });
    await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull());
    fireEvent.keyDown(document.body, { key: 'ArrowUp' });
    await waitFor(() => expect(screen.queryAllByRole('navigation', { name: 'Main' })).not.toEqual([]));
  });

  test('has no swap for members (§2-admin-navigation, §2-admin-arrow-up, §6-admin-navigation)', async () => {
    await open(['/']);
    await sidebar();
    fireEvent.keyDown(document.body, { key: 'ArrowUp' });
    expect(screen.queryByRole('button', { name: /^Swap the navigation/ })).toBeNull();
    expect(useNavigationMode.getState().mode).toBe('normal');
  });

  test('has a group ‘Admin’ with what waits, in the sidebar and in the sheet of a phone', async () => {
    await open(['/'], boss);
    const group = within(await (await sidebar()).findByRole('navigation', { name: 'Admin' }));
    await group.findByRole('link', { name: /^Verify ?3 waiting$/ });
    expect(group.getByRole('link', { name: 'Confirm Plans' }).getAttribute('href')).toBe('/confirm-plans');
    // The bar of members has none of them.
    await userEvent.click(
      await screen.findByRole('button', { name: 'Your profile and settings, 14 waiting' }),
    );
    const sheet = within(await screen.findByRole('dialog'));
    for (const name of [
      ...[/^Verify ?3 waiting$/, /^Disputes ?1 waiting$/, /^No answer ?4 waiting$/],
      // Two lists are on one page.
      /^Money ?3 waiting$/,
    ])
      expect(await sheet.findByRole('link', { name })).toBeDefined();
  });

  test('is remembered', async () => {
    await open(['/'], boss);
    await press(userEvent, /^Swap the navigation/);
    await within(bottomBar() ?? document.body).findByRole('link', { name: /^Verify ?3 waiting$/ });
    cleanup();
    vi.resetModules();
    const { useNavigationMode: reloaded } = await import('./navigation.tsx');
    expect(reloaded.getState().mode).toBe('admin');
  });

  test('is always the admin’s on admin pages', async () => {
    await open(['/verify-users'], boss);
    await screen.findByRole('heading', { name: 'Verify Users' });
    await within(bottomBar() ?? document.body).findByRole('link', { name: /^Verify ?3 waiting$/ });
    expect(bottomBar()?.getAttribute('aria-label')).toBe('Admin');
    await within(bottomBar() ?? document.body).findByRole('link', { name: /^Disputes ?1 waiting$/ });
    // What the bar has no room for is counted at the avatar.
    await screen.findByRole('button', { name: 'Your profile and settings, 8 waiting' });
    expect(screen.queryByRole('button', { name: /^Swap the navigation/ })).toBeNull();
  });

  test('is not shown to members, whose counts are not loaded', async () => {
    localStorage.setItem('tara-navigation', 'admin');
    await open(['/']);
    expect((await sidebar()).queryByRole('navigation', { name: 'Admin' })).toBeNull();
    expect(server.requests.map(({ line }) => line)).not.toContain('GET /api/admin/counts');
  });
});
