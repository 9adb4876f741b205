import { accounts } from '@tara/contract/accounts/accounts';
import type { Interaction } from '@tara/contract/interactions/interactions';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { queryClient, setQueryData } from '../../lib/queries.ts';
import { sampleRequest, sampleSession } from '../../testing/samples.ts';
import { renderScreen } from '../../testing/screen.tsx';
import { RequestCard } from './RequestCard.tsx';
import { requestLook, requestSteps } from './request-look.ts';

const ready = { paid: true, accepted: true };
const ended = (cancelReason: Interaction['cancelReason']) => ({ cancelled: true, cancelReason });

describe('the look of a request', () => {
  it.each([
    [{}, 'requested'],
    [{ paid: true }, 'paid'],
    [{ paid: true, price: 0 }, 'requested'],
    [{ accepted: true }, 'accepted'],
    [ready, 'all set'],
    [{ ...ready, frozen: true }, 'paused'],
    [{ ...ready, userSetDone: true }, 'fulfilled'],
    [{ ...ready, disputed: true }, 'problem'],
    [{ ...ready, userSetDone: true, completed: true }, 'completed'],
    [ended('declined'), 'declined'],
    [ended('withdrawn'), 'withdrawn'],
    [ended('cancelled'), 'cancelled'],
    [ended('unpaid'), 'expired'],
    [ended('unanswered'), 'expired'],
    [ended('time_taken'), 'expired'],
    [ended('refunded'), 'refunded'],
    [{ ...ended('charged_back'), frozen: true }, 'charged back'],
    [ended(null), 'cancelled'],
  ] as const)('of %o is ‘%s’', (state, label) => {
    expect(requestLook(sampleRequest(state)).label).toBe(label);
  });

  it('never differs by its colour alone', () => {
    const states = [{}, { paid: true }, { accepted: true }, ready, { ...ready, frozen: true }];
    const reasons = ['declined', 'withdrawn', 'cancelled', 'unpaid', 'charged_back'] as const;
    const looks = [...states, ...reasons.map(ended)].map((state) => requestLook(sampleRequest(state)).label);
    expect(new Set(looks).size).toBe(looks.length);
  });
});

describe('the steps of a request', () => {
  const stepsOf = (state: Parameters<typeof sampleRequest>[0]) =>
    requestSteps(sampleRequest(state)).map(({ label, state }) => `${label} ${state}`);
  it('are requested, paid, accepted, met and reviewed', () => {
    expect(stepsOf({})).toEqual([
      'Requested done',
      'Paid next',
      'Accepted later',
      'Met later',
      'Reviewed later',
    ]);
  });
  it('have the acceptance first where it came before the payment', () => {
    expect(stepsOf({ accepted: true }).slice(1, 3)).toEqual(['Accepted done', 'Paid next']);
  });
  it('have no payment for a free plan', () => {
    expect(stepsOf({ price: 0, paid: true })).toEqual([
      ...['Requested done', 'Accepted next', 'Met later', 'Reviewed later'],
    ]);
  });
  it.each([{ disputed: true }, { frozen: true }])('are stopped by %o', (stop) => {
    expect(stepsOf({ ...ready, ...stop })[3]).toBe('Met problem');
  });
});

describe('the moment of a payment', () => {
  beforeEach(() => void setQueryData(accounts.session, {}, sampleSession('Ben')));
  afterEach(() => {
    cleanup();
    queryClient.clear();
    vi.restoreAllMocks();
  });
  const card = (isReturn: boolean) => (
    <RequestCard request={sampleRequest({ paid: true })} isReturn={isReturn}>
      {null}
    </RequestCard>
  );
  const ship = () => document.querySelector('.animate-sail-in');

  test('is shown once to somebody who comes back from paying', async () => {
    await renderScreen(card(true));
    await vi.waitFor(() => expect(ship()).not.toBeNull());
    const moment = document.querySelector('.animate-moment') ?? document.body;
    // jsdom has no AnimationEvent with a name.
    fireEvent(
      moment,
      Object.assign(new Event('animationend', { bubbles: true }), { animationName: 'moment' }),
    );
    expect(ship()).toBeNull();
  });
  test('is not shown for a request that was paid before', async () => {
    await renderScreen(card(false));
    await screen.findByText('paid');
    expect(ship()).toBeNull();
  });
  test('is not shown to somebody who prefers no motion', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (media) =>
        Object.assign(new EventTarget(), {
          matches: media.includes('reduced-motion'),
          media,
        }) as MediaQueryList,
    );
    await renderScreen(card(true));
    await screen.findByText('paid');
    expect(ship()).toBeNull();
  });
});
