import type { SessionContext } from '@tara/contract/accounts';
import { cleanup, configure, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../lib/queries.ts';
import {
  sampleAdminSession,
  samplePage,
  samplePerson,
  samplePlan,
  samplePlanDetail,
  samplePost,
  sampleRequest,
  sampleSession,
} from '../testing/samples.ts';
import { renderApp } from '../testing/screen.tsx';
import { problem, StubSocket, stubServer } from '../testing/stub-server.ts';
import { useToasts } from '../ui/feedback.ts';
import { useNavigationMode } from './navigation.tsx';

let server: Awaited<ReturnType<typeof stubServer>>;
const FEED = 'GET /api/post/feed';

beforeAll(async () => {
  configure({ asyncUtilTimeout: 20_000 });
  vi.stubGlobal('WebSocket', StubSocket);
  server = await stubServer();
  server.visit();
});
beforeEach(() => {
  server.reset();
  queryClient.clear();
  sessionStorage.clear();
  useToasts.setState({ queue: [] });
  server.answer(FEED, 200, samplePage([]));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
});
afterAll(() => server.close());

/** For the code of a screen on a busy machine. */
const waitFor = (check: () => void) => vi.waitFor(check, 20_000);

/** Opens the app at the last of these addresses. */
async function open(addresses: string[], session: SessionContext | null = sampleSession('Ana')) {
  const { status, body } = problem(401, 'general_unauthorized_scope');
  server.answer('GET /api/account/session', session ? 200 : status, session ?? body);
  return renderApp(...addresses);
}
const press = async (role: string, name: string | RegExp) =>
  userEvent.click(await screen.findByRole(role, { name }));
const toasts = () =>
  useToasts.getState().queue.map(({ title, text, durationMs }) => ({ title, text, durationMs }));

test('the sidebar shows the member and the seven links, and logs out with a reload (§2-sidebar)', async () => {
  await open(['/']);
  const aside = within(
    (await screen.findByRole('button', { name: 'Log out' })).closest('aside') ?? document.body,
  );
  expect(aside.getByText('@Ana')).toBeDefined();
  expect(aside.getByRole('link', { name: /@Ana/ }).getAttribute('href')).toBe('/profile/Ana');
  const links = within(aside.getByRole('navigation', { name: 'Main' })).getAllByRole('link');
  expect(links.map((link) => [link.getAttribute('href'), link.textContent])).toEqual([
    ['/', 'Home'],
    ['/explore', 'Explore'],
    ['/all-users', 'People'],
    ['/manage-plans', 'Manage Plans'],
    ['/chats', 'Messages'],
    ['/saved', 'Saved'],
    ['/create-post', 'Create Post'],
  ]);
  server.answer('DELETE /v1/account/sessions/current', 204);
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  await userEvent.click(aside.getByRole('button', { name: 'Log out' }));
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test('small screens have a bottom bar, and a top bar that a plan chat hides (§2-bars)', async () => {
  const router = await open(['/']);
  const avatar = await screen.findByRole('button', { name: 'Your profile and settings' });
  const top = within(avatar.closest('header') ?? document.body);
  expect(top.getByRole('link', { name: 'Messages' }).getAttribute('href')).toBe('/chats');
  const bars = screen.getAllByRole('navigation', { name: 'Main' });
  expect(bars.some((bar) => bar.hasAttribute('data-bottom-bar'))).toBe(true);
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  await router.navigate({ to: '/manage-plans/conversation-receipt/x' as never });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Your profile and settings' })).toBeNull());
});

test('any other path is not found, and leads home (§2-unknown-route, §8-unknown-route)', async () => {
  await open(['/nowhere/at/all']);
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/');
});

test('the home feed has 20 skeletons while it loads, the extra links and the quick post (§2-home)', async () => {
  server.hold([FEED]);
  await open(['/']);
  const loading = await screen.findByRole('status', { name: 'Loading posts' });
  expect(loading.children).toHaveLength(20);
  server.release();
  expect(await screen.findByRole('textbox', { name: 'Quick post' })).toBeDefined();
  await userEvent.click(screen.getByText('More for you'));
  const links = within(await screen.findByRole('navigation', { name: 'Extra links' })).getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['Your plans', 'Create a plan', 'Friend requests', 'History', 'Saved']),
  );
});

const own = samplePost({ creator: samplePerson('Ana'), creatorId: 'Ana', caption: 'A morning' });

test('one’s own post is deleted after a question, and one is home (§2-delete-post, §7-delete-post)', async () => {
  server.answer('GET /api/post/one/p1', 200, own);
  const router = await open(['/post/p1']);
  await press('button', 'Delete post');
  const dialog = within(await screen.findByRole('dialog', { name: 'Are you sure?' }));
  expect(dialog.getByText('You will not be able to change it after')).toBeDefined();
  server.answer('POST /api/post/delete', 200, { status: 'ok' });
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(server.requests).toContainEqual({ line: 'POST /api/post/delete', body: { postId: 'p1' } });
});

test('the post form says that it loads, what failed, and goes to the post or one page back (§2-post-form, §8-post-failed)', async () => {
  const UPDATE = 'POST /api/post/update';
  server.answer('GET /api/post/one/p1', 200, own);
  const router = await open(['/explore', '/update-post/p1']);
  for (const label of ['Caption', 'Add Profile Picture', /Add Location/, /Add Tags/])
    expect(await screen.findByLabelText(label)).toBeDefined();
  await screen.findByRole('heading', { name: 'Update Post' });
  const { status, body } = problem(500, 'general_unknown');
  server.answer(UPDATE, status, body);
  await press('button', 'Update Post');
  await waitFor(() => expect(toasts()).toMatchObject([{ title: 'Please try again' }]));
  server.answer(UPDATE, 200, own);
  server.hold([UPDATE]);
  await press('button', 'Update Post');
  const pending = await screen.findByRole('button', { name: 'Loading...' });
  expect(pending.getAttribute('aria-disabled')).toBe('true');
  server.release();
  await waitFor(() => expect(router.state.location.pathname).toBe('/post/p1'));
  await router.navigate({ to: '/update-post/$id', params: { id: 'p1' } });
  await press('button', 'Cancel');
  await waitFor(() => expect(router.state.location.pathname).toBe('/post/p1'));
});

test('a post with a profile picture is changed without a photo field (§2-update-post)', async () => {
  server.answer('GET /api/post/one/p1', 200, { ...own, usedDp: true });
  await open(['/update-post/p1']);
  expect(await screen.findByLabelText('Caption')).toBeDefined();
  expect(screen.queryByLabelText('Add Profile Picture')).toBeNull();
});

const SEND = 'POST /api/plan/createInteraction';
/** Opens a plan of Ben after the list of his plans. */
const openPlan = () => {
  const plan = samplePlan({ creator: samplePerson('Ben') });
  server.answer('GET /api/plan/by/Ben', 200, samplePage([plan]));
  server.answer('GET /api/plan/one/plan', 200, samplePlanDetail({ plan }));
  return open(['/profile/plans/Ben', '/profile/plan-details/plan']);
};

async function proposeDay(): Promise<void> {
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  fireEvent.change(screen.getByLabelText('Day'), { target: { value: day } });
  fireEvent.change(screen.getByLabelText('Time'), { target: { value: '18:30' } });
}

test('a request for a free plan is sent once the terms are accepted; then one is back, with a notice (§4-send-request, §2-plan-request)', async () => {
  const router = await openPlan();
  const send = await screen.findByRole('button', { name: 'Send Request' });
  expect(send.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(send);
  await press('checkbox', 'Accept terms and conditions');
  await proposeDay();
  server.answer(SEND, 200, sampleRequest({ price: 0, free: true, paid: true }));
  await press('button', 'Send Request');
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/plans/Ben'));
  expect(toasts()).toMatchObject([{ title: 'Request sent!', text: 'Please wait for the person to respond' }]);
  expect(server.requests.filter(({ line }) => line === SEND)).toHaveLength(1);
});

test('a second request says so and goes back (§5-one-request, §8-duplicate-request)', async () => {
  const { status, body } = problem(409, 'interaction_already_requested');
  server.answer(SEND, status, body);
  const router = await openPlan();
  await press('checkbox', 'Accept terms and conditions');
  await proposeDay();
  await press('button', 'Send Request');
  await waitFor(() => expect(toasts()).toMatchObject([{ title: 'You already made a request' }]));
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/plans/Ben'));
});

test('confirming waits 60 s for an account (§4-confirmation, §9-confirming-wait)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'Date'] });
  await open(['/confirming'], null);
  expect(await screen.findByRole('timer')).toHaveProperty('textContent', expect.stringContaining('60 s'));
  await vi.advanceTimersByTimeAsync(58_000);
  expect(screen.queryByRole('heading', { name: 'No account found' })).toBeNull();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await screen.findByRole('heading', { name: 'No account found' })).toBeDefined();
});

test('whose session ended while confirming sees a notice, and is home after 3000 ms (§4-confirmation)', async () => {
  const ana = sampleSession('Ana', { account: { emailVerification: false } });
  const confirmation = 'PUT /v1/account/verification';
  server.answer(confirmation, 200, {});
  server.hold([confirmation]);
  const router = await open([`/confirming?userId=${ana.account.id}&secret=s`], ana);
  await waitFor(() => expect(server.requests.map(({ line }) => line)).toContain(confirmation));
  const { status, body } = problem(401, 'general_unauthorized_scope');
  server.answer('GET /api/account/session', status, body);
  server.release();
  await waitFor(() =>
    expect(toasts()).toMatchObject([{ title: 'Sign in Failed. Please try again', durationMs: 3000 }]),
  );
  await waitFor(() => expect(router.state.location.pathname).toBe('/sign-in'));
});

describe('the navigation of an admin (§2-admin-navigation)', () => {
  const boss = sampleAdminSession('Boss');
  beforeEach(() => {
    localStorage.clear();
    useNavigationMode.setState({ mode: 'normal' });
    server.answer('GET /api/admin/counts', 200, {
      ...{ verifications: 3, plans: 0, disputes: 1, noAnswer: 4, chargebacks: 1, reports: 2 },
    });
    server.answer('GET /api/verification/pending', 200, samplePage([]));
  });
  const sidebar = async () =>
    within((await screen.findByRole('button', { name: 'Log out' })).closest('aside') ?? document.body);
  const bottomBar = () =>
    screen.getAllByRole('navigation').find((bar) => bar.hasAttribute('data-bottom-bar'));

  test('has a group ‘Admin’ with what waits, in the sidebar and in the menu of a phone', async () => {
    await open(['/'], boss);
    const group = within(await (await sidebar()).findByRole('navigation', { name: 'Admin' }));
    await group.findByRole('link', { name: /^Verify ?3 waiting$/ });
    expect(group.getByRole('link', { name: 'Confirm Plans' }).getAttribute('href')).toBe('/confirm-plans');
    // The bar of members has none of them.
    await userEvent.click(await screen.findByRole('button', { name: 'More, 11 waiting' }));
    for (const name of ['Verify (3)', 'Disputes (1)', 'No answer (4)'])
      expect(await screen.findByRole('menuitem', { name })).toBeDefined();
  });

  test('is remembered', async () => {
    await open(['/'], boss);
    await press('button', /^Swap the navigation/);
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
    // What the bar has no room for is counted at the menu.
    await screen.findByRole('button', { name: 'More, 5 waiting' });
    expect(screen.queryByRole('button', { name: /^Swap the navigation/ })).toBeNull();
  });

  test('is not shown to members, whose counts are not loaded', async () => {
    localStorage.setItem('tara-navigation', 'admin');
    await open(['/']);
    expect((await sidebar()).queryByRole('navigation', { name: 'Admin' })).toBeNull();
    expect(server.requests.map(({ line }) => line)).not.toContain('GET /api/admin/counts');
  });
});
