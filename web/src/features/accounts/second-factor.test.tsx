import { accounts } from '@tara/contract/accounts/accounts';
import { secondFactor } from '@tara/contract/accounts/second-factor';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { prompt, usePrompt } from '../../lib/call.ts';
import { queryClient } from '../../lib/queries.ts';
import { sampleAdminSession, sampleSession, sampleTime } from '../../testing/samples.ts';
import {
  describeScreen,
  fill,
  guestsSignIn,
  press,
  refusal,
  renderScreen,
  reply,
} from '../../testing/screen.tsx';
import { problem, stubServer } from '../../testing/stub-server.ts';
import { ConfirmSecondFactor } from './Prompts.tsx';
import { sessionQuery } from './session.ts';

const boss = sampleAdminSession('Boss');
const withState = (isSetUp: boolean) =>
  sampleAdminSession('Boss', { secondFactor: { isSetUp, validUntil: null } });
const status = (createdAt: string | null) => reply(secondFactor.status, { createdAt, recoveryCodesLeft: 9 });
const setup = reply(secondFactor.begin, {
  secret: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  uri: 'otpauth://totp/Tara:boss@example.com?secret=ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  setup: 'sealed',
});
const codes = ['abcd-efgh-ijkl-mnop', 'qrst-uvwx-yz23-4567'];
const done = reply(secondFactor.confirm, { status: 'ok' });
const loading = 'Loading your second factor';
/** The page that was wanted is loaded anew, which this environment does not do. */
const stubLeaving = () => vi.spyOn(location, 'replace').mockImplementation(() => {});
const enter = async (user: ReturnType<typeof userEvent.setup>, code: string, label = 'Code') =>
  fill(user, { [label]: code });

describeScreen('/_main/second-factor', {
  path: '/second-factor?redirect=/disputes',
  viewer: withState(true),
  replies: [status(sampleTime), done],
  loading,
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Enter your code'],
      ['textbox', 'Code'],
      ['button', 'Use a recovery code'],
      ['button', 'Continue'],
      /Ask whoever runs this server/,
    ],
  },
  empty: { steps: (user) => press(user, 'Continue'), shows: ['Enter the code.'] },
  longTexts: { none: 'It shows no text of members.' },
  forbidden: guestsSignIn,
  more: {
    'a member': { viewer: sampleSession('Ana'), endsAt: '/', shows: [['heading']] },
    'a wrong code': {
      replies: [refusal(secondFactor.confirm, 'second_factor_wrong')],
      steps: async (user) => {
        await enter(user, '123456');
        await press(user, 'Continue');
      },
      shows: [/This code is not right/],
    },
    'what has the form of no code': {
      steps: async (user) => {
        await enter(user, '12345');
        await press(user, 'Continue');
      },
      shows: ['A code has 6 digits, a recovery code 16 letters and digits.'],
    },
    'too many codes': {
      replies: [refusal(secondFactor.confirm, 'general_rate_limit_exceeded')],
      steps: async (user) => {
        await enter(user, '123456');
        await press(user, 'Continue');
      },
      shows: [/Too many attempts/],
    },
    'a right code leads on to the page that was wanted': {
      steps: async (user) => {
        await enter(user, '123 456');
        const leave = stubLeaving();
        await press(user, 'Continue');
        await waitFor(() => expect(leave).toHaveBeenCalledWith('/disputes'));
      },
      shows: [['heading', 'Second factor']],
    },
    'a recovery code': {
      steps: async (user) => {
        await press(user, 'Use a recovery code');
        await enter(user, 'abcd-efgh-ijkl-mnop', 'Recovery code');
        const leave = stubLeaving();
        await press(user, 'Continue');
        await waitFor(() => expect(leave).toHaveBeenCalledWith('/disputes'));
      },
      shows: [['heading', 'Second factor']],
    },
    'in the demo the code is shown': {
      replies: [
        reply(accounts.demo, {
          accounts: [
            {
              name: 'Boss',
              email: 'boss@example.com',
              password: 'x',
              about: 'Admin',
              portrait: null,
              code: '123456',
            },
          ],
          isFilling: false,
          providers: [],
        }),
      ],
      shows: [/In the demo there is no app/, '123456'],
    },
    'the first visit': {
      viewer: withState(false),
      replies: [status(null), setup],
      steps: (user) => press(user, 'Start'),
      shows: [
        ['heading', 'Set up your second factor'],
        ['img', 'QR code of the key'],
        'ABCD EFGH IJKL MNOP QRST UVWX YZ23 4567',
        ['link', 'Open it in your app'],
        ['textbox', 'Code'],
      ],
    },
    'a first code of five digits': {
      viewer: withState(false),
      replies: [status(null), setup],
      steps: async (user) => {
        await press(user, 'Start');
        await enter(user, '12345');
        await press(user, 'Set up');
      },
      shows: ['A code has 6 digits.'],
    },
    'a setup shows the recovery codes once, and leads on': {
      viewer: withState(false),
      replies: [status(null), setup, reply(secondFactor.setUp, { recoveryCodes: codes })],
      steps: async (user) => {
        await press(user, 'Start');
        await enter(user, '123456');
        await press(user, 'Set up');
        for (const code of codes) await screen.findByText(code);
        const download = await screen.findByRole('link', { name: 'Download' });
        expect(decodeURIComponent(download.getAttribute('href') ?? '')).toContain(codes.join('\n'));
        const leave = stubLeaving();
        await press(user, 'I have saved them');
        await waitFor(() => expect(leave).toHaveBeenCalledWith('/disputes'));
      },
      shows: [['heading', 'Second factor']],
    },
    'from the settings, once it was shown': {
      path: '/second-factor',
      viewer: boss,
      replies: [reply(secondFactor.renewRecoveryCodes, { recoveryCodes: codes })],
      steps: async (user) => {
        await screen.findByText(/Recovery codes left: 9/);
        await press(user, 'Make new recovery codes');
      },
      shows: [['heading', 'Save your recovery codes'], 'abcd-efgh-ijkl-mnop'],
    },
  },
});

describe('the dialog before what needs a recent code', () => {
  const server = stubServer();
  let confirmed: Promise<boolean>;
  beforeEach(async () => {
    queryClient.setQueryData(sessionQuery.queryKey, boss);
    await renderScreen(<ConfirmSecondFactor />);
    act(() => {
      confirmed = prompt('code');
    });
    await screen.findByRole('dialog', { name: 'Enter your code' });
  });
  afterEach(() => {
    act(() => usePrompt.getState().answer(false));
    cleanup();
  });

  test('a right code answers it and closes it', async () => {
    server.answer(done.line, 200, { status: 'ok' });
    await userEvent.type(screen.getByLabelText('Code'), '123456{Enter}');
    expect(await confirmed).toBe(true);
    expect(server.requests.filter(({ line }) => line === done.line)).toEqual([
      { line: done.line, body: { code: '123456' } },
    ]);
  });

  test('a wrong code is shown at the field, and the dialog stays', async () => {
    const { status: code, body } = problem(400, 'second_factor_wrong');
    server.answer(done.line, code, body);
    await userEvent.type(screen.getByLabelText('Code'), '123456{Enter}');
    await screen.findByText('Title of second_factor_wrong');
    expect(usePrompt.getState().asks).toBe('code');
  });

  test('phones offer the code and the keys of numbers', () => {
    const field = screen.getByLabelText('Code');
    expect([field.getAttribute('autocomplete'), field.getAttribute('inputmode')]).toEqual([
      'one-time-code',
      'numeric',
    ]);
  });

  test('Escape cancels', async () => {
    await userEvent.type(screen.getByLabelText('Code'), '{Escape}');
    await waitFor(async () => expect(await confirmed).toBe(false));
  });
});
