import { publicLinks } from '@tara/contract/members/public-links';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { press, renderScreen } from '../../testing/screen.tsx';
import { problem, stubServer } from '../../testing/stub-server.ts';
import { useToasts } from '../../ui/feedback.ts';
import { InviteButton, SharePlanPageButton } from './PublicLinkButtons.tsx';

const server = stubServer();
const ownLine = `GET ${publicLinks.own.path}`;
const createLine = `POST ${publicLinks.create.path}`;
const revokeLine = `POST ${publicLinks.revoke.path}`;
const link = { url: 'https://tara.test/plan/link', createdAt: '2026-01-02T03:04:05.000Z' };

beforeEach(() => {
  useToasts.setState({ queue: [] });
  server.answer(createLine, 200, { link });
  server.answer(revokeLine, 200, { status: 'ok' });
});
afterEach(cleanup);

test('a link is off until it is switched on, then copied and ended', async () => {
  server.answer(ownLine, 200, { link: null });
  const user = userEvent.setup();
  await renderScreen(<InviteButton />);
  expect(server.requests).toEqual([]);
  await press(user, 'Invite friends');
  await press(user, 'Make my link');
  expect((await screen.findByLabelText<HTMLInputElement>('Your invitation')).value).toBe(link.url);
  expect(screen.getByRole('link', { name: /^See what others see/ }).getAttribute('href')).toBe(link.url);
  await press(user, 'Copy');
  await expect.poll(() => navigator.clipboard.readText()).toBe(link.url);
  await press(user, 'End this link');
  expect(server.requests.at(-1)?.line).not.toBe(revokeLine);
  await press(user, 'End it');
  await screen.findByRole('button', { name: 'Make my link' });
  expect(screen.queryByLabelText('Your invitation')).toBeNull();
  expect(useToasts.getState().queue.map(({ title }) => title)).toContain('Your invitation has ended.');
  expect(server.requests).toEqual([
    { line: ownLine },
    { line: createLine, body: {} },
    { line: revokeLine, body: {} },
  ]);
});

test('the page of a plan is that plan’s alone', async () => {
  const planLine = `${ownLine}?planId=plan`;
  server.answer(planLine, 200, { link });
  const user = userEvent.setup();
  await renderScreen(<SharePlanPageButton planId="plan" />);
  await press(user, 'Public page');
  await press(user, 'End this link');
  expect(server.requests.at(-1)?.line).not.toBe(revokeLine);
  await press(user, 'End it');
  await press(user, 'Show this plan in public');
  await screen.findByLabelText('Link to the page');
  expect(server.requests).toEqual([
    { line: planLine },
    { line: revokeLine, body: { planId: 'plan' } },
    { line: createLine, body: { planId: 'plan' } },
  ]);
});

test('while it is not known whether a link is on, none is switched on or off', async () => {
  const { status, body } = problem(403, 'general_unknown');
  server.answer(ownLine, status, body);
  const user = userEvent.setup();
  await renderScreen(<InviteButton />);
  await press(user, 'Invite friends');
  await screen.findByRole('alert');
  expect(screen.queryByRole('button', { name: 'Make my link' })).toBeNull();
  server.answer(ownLine, 200, { link: null });
  await press(user, 'Try again');
  await screen.findByRole('button', { name: 'Make my link' });
});
