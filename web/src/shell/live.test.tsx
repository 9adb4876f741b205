import { channel } from '@tara/contract/wire/realtime';
import { act, cleanup, configure, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../lib/queries.ts';
import {
  sampleAdminSession,
  sampleCounts,
  samplePage,
  samplePerson,
  samplePlan,
  samplePlanDetail,
  sampleSession,
} from '../testing/samples.ts';
import { renderApp } from '../testing/screen.tsx';
import { StubSocket, stubServer } from '../testing/stub-server.ts';
import { useNavigationMode } from './navigation.tsx';

const SESSION = 'GET /api/account/session';
const PLAN = 'GET /api/plan/one/plan';
const server = stubServer();

beforeAll(() => {
  configure({ asyncUtilTimeout: 20_000 });
  vi.stubGlobal('WebSocket', StubSocket);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
});

test('an open plan takes no requests from the moment its creator has no verified mark (§6)', async () => {
  const answerPlan = (verified: true | null) =>
    server.answer(
      PLAN,
      200,
      samplePlanDetail({ plan: samplePlan({ creator: samplePerson('Ana', { verified }) }) }),
    );
  server.answer(SESSION, 200, sampleSession('Ben'));
  answerPlan(true);
  renderApp('/profile/plan-details/plan');
  await screen.findByRole('button', { name: 'Choose a day' });
  answerPlan(null);
  act(() => StubSocket.publish(channel.document('users', 'Ana')));
  await screen.findByText('This plan takes no requests now');
  expect(screen.queryByRole('button', { name: 'Choose a day' })).toBeNull();
});

test('an open profile of one’s own shows at once what an admin decided (§4-verification-accept)', async () => {
  const waiting = sampleSession('Ana', { profile: { verified: null, sentVerifiedReq: true } });
  server.answer(SESSION, 200, waiting);
  server.answer('GET /api/profile/one/Ana', 200, waiting.profile);
  server.answer('GET /api/post/by/Ana', 200, samplePage([]));
  renderApp('/profile/Ana');
  await userEvent.click(await screen.findByText('About'));
  expect(await screen.findByText('waiting...')).toBeDefined();
  const verified = sampleSession('Ana');
  server.answer(SESSION, 200, verified);
  server.answer('GET /api/profile/one/Ana', 200, verified.profile);
  act(() => StubSocket.publish(channel.document('users', 'Ana')));
  await vi.waitFor(() => expect(screen.queryByText('waiting...')).toBeNull());
  expect(await screen.findAllByText('Verified')).not.toEqual([]);
});

describe('what waits for the member', () => {
  beforeEach(() => server.answer('GET /api/post/feed', 200, samplePage([])));
  const COUNTS = 'GET /api/counts/own';
  const answerCounts = (conversations: number, plans = 0) =>
    server.answer(COUNTS, 200, sampleCounts({ conversations, plans, messageRequests: 5 }));
  const title = () => document.title;

  test('is counted in the navigation and in the title, and changes with each event', async () => {
    answerCounts(3, 4);
    server.answer(SESSION, 200, sampleSession('Ana'));
    renderApp('/');
    const links = await screen.findAllByRole('link', { name: /^Messages ?3 unread$/ });
    // In the sidebar and in the top bar.
    expect(links).toHaveLength(2);
    expect(await screen.findAllByRole('link', { name: /^Manage Plans ?4 waiting$/ })).toHaveLength(2);
    await vi.waitFor(() => expect(title()).toMatch(/^\(7\) .* · Tara$/));
    answerCounts(100);
    act(() => StubSocket.publish(channel.collection('chats')));
    act(() => StubSocket.publish(channel.collection('conversationOwners')));
    expect(await screen.findAllByText('99+')).toHaveLength(2);
    expect(screen.getAllByRole('link', { name: /^Messages ?more than 99 unread$/ })).toHaveLength(2);
    await vi.waitFor(() => expect(title()).toMatch(/^\(99\+\) /));
    answerCounts(0);
    act(() => StubSocket.publish(channel.collection('conversationOwners')));
    await vi.waitFor(() => expect(title()).not.toMatch(/^\(/));
    expect(screen.queryByText(/unread|waiting/)).toBeNull();
  });

  test('is counted at the bell, which follows each event and stops at 99+', async () => {
    const answerUnread = (notifications: number) =>
      server.answer(COUNTS, 200, sampleCounts({ notifications }));
    answerUnread(2);
    server.answer(SESSION, 200, sampleSession('Ana'));
    renderApp('/');
    // In the sidebar and in the top bar.
    expect(await screen.findAllByRole('link', { name: /^Notifications ?2 unread$/ })).toHaveLength(2);
    // What was merely said is no work that waits.
    expect(title()).not.toMatch(/^\(/);
    answerUnread(100);
    act(() => StubSocket.publish(channel.notifications));
    expect(await screen.findAllByText('99+')).toHaveLength(2);
    answerUnread(0);
    act(() => StubSocket.publish(channel.notifications));
    await vi.waitFor(() => expect(screen.queryByText(/unread/)).toBeNull());
  });

  test('is counted in the navigation of an admin', async () => {
    localStorage.setItem('tara-navigation', 'admin');
    useNavigationMode.setState({ mode: 'admin' });
    server.answer('GET /api/admin/counts', 200, { verifications: 0, plans: 0, reports: 0 });
    answerCounts(1);
    server.answer(SESSION, 200, sampleAdminSession('Boss'));
    renderApp('/');
    // In the sidebar and the top bar.
    await vi.waitFor(() =>
      expect(screen.getAllByRole('link', { name: /^Messages ?1 unread$/ })).toHaveLength(2),
    );
    useNavigationMode.setState({ mode: 'normal' });
    localStorage.clear();
  });
});
