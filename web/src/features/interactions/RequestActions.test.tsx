import { accounts } from '@tara/contract/accounts/accounts';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient, setQueryData } from '../../lib/queries.ts';
import { sampleCan, sampleRequest, sampleSession } from '../../testing/samples.ts';
import { renderScreen } from '../../testing/screen.tsx';
import { problem, stubServer } from '../../testing/stub-server.ts';
import { useToasts } from '../../ui/feedback.ts';
import { RequestActions } from './RequestActions.tsx';

const CHECK = 'POST /api/plan/checkPayment';
const server = stubServer();

beforeEach(() => {
  useToasts.setState({ queue: [] });
  setQueryData(accounts.session, {}, sampleSession('Ben'));
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
});

test('a payment that is not prepared in time can be tried again, and says why it failed (§8-payment-failure)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const request = sampleRequest({ checkoutUrl: null, can: sampleCan('pay') });
  await renderScreen(<RequestActions request={request} tab="yourRequest" checking={false} isLead />);
  expect(screen.getByRole('button', { name: /^Preparing the payment/ })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(8_000));

  const text = 'The provider is being updated.';
  server.answer(CHECK, 502, problem(502, 'payment_link_failed', { text }).body);
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await vi.waitFor(() => expect(useToasts.getState().queue.at(-1)).toMatchObject({ text }));
  expect(server.requests).toEqual([{ line: CHECK, body: { interactionId: request.id } }]);

  server.answer(CHECK, 200, { ...request, checkoutUrl: 'https://pay.example/links/x' });
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await vi.waitFor(() => expect(server.requests).toHaveLength(2));
});
