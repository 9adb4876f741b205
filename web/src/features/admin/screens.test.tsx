import { verification } from '@tara/contract/members/verification';
import { adminMoney } from '@tara/contract/money/admin-money';
import { type AwaitingPlan, admin } from '@tara/contract/money/confirmations';
import { posts } from '@tara/contract/posts/posts';
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, vi } from 'vitest';
import {
  longText,
  longWord,
  sampleAdminSession,
  sampleCan,
  samplePage,
  samplePerson,
  sampleRequest,
  sampleSession,
  sampleVerification,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const boss = sampleAdminSession('Boss');
const membersGoHome = {
  viewer: sampleSession('Ana'),
  replies: [reply(posts.feed, samplePage([]))],
  endsAt: '/',
  shows: ['No current post'],
};
const one = { params: { id: 'verification' } };
/** Accepts the request that is open. */
const accept = async (user: UserEvent) => {
  await user.click(await screen.findByRole('button', { name: 'Accept' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Accept' }));
};
const links = { idFront: '/front', idBack: '/back', photo: '/photo' };

const noRequests = {
  replies: [reply(verification.pending, samplePage([]))],
  shows: ['List is clean good job 👍'],
};

describeScreen('/_main/_admin/verify-users', {
  path: '/verify-users',
  viewer: boss,
  replies: [reply(verification.pending, samplePage([sampleVerification()]))],
  loading: 'Loading the list',
  error: 'retry',
  full: {
    shows: [['heading', 'Verify Users'], ['link', /Ben/], 'Choose a request'],
    hides: [['button', 'Accept']],
  },
  empty: noRequests,
  longTexts: {
    replies: [
      reply(
        verification.pending,
        samplePage([sampleVerification({ creator: samplePerson(longWord), address: longText })]),
      ),
    ],
    shows: [['link', new RegExp(longWord)]],
    hides: [longText],
  },
  forbidden: membersGoHome,
  more: {
    'a guest': guestsSignIn,
    'a member is sent from /verify-users to / (§2-guard-admins)': membersGoHome,
    'the list of Verify Users (§2-verify-users)': {
      shows: [
        ['heading', 'Verify Users'],
        ['link', /Ben/, '/verify-users?open=verification'],
      ],
    },
    'Verify Users without a request reads ‘List is clean good job 👍’ (§8-empty-admin-lists)': noRequests,
    'the detail of Verify Users: one request with its pictures (§2-verify-users-detail)': {
      path: '/verify-users?open=verification',
      replies: [reply(verification.pictures, links, one)],
      steps: async () => {
        for (const [label, address] of [
          ['Front of ID', '/front'],
          ['Back of ID', '/back'],
          ['Photo of Ben', '/photo'],
        ]) {
          const button = await screen.findByRole('button', { name: `${label}, open full screen` });
          expect(button.querySelector('img')?.getAttribute('src')).toBe(address);
        }
      },
      shows: [
        ['heading', /Ben/],
        '12 Mabini Street, Cebu City',
        '15 June 1995',
        ['button', 'Correct the birth date'],
        ['button', 'Front of ID, open full screen'],
        ['button', 'Accept'],
        ['button', 'Decline'],
      ],
    },
    'one without a birth date': {
      path: '/verify-users?open=verification',
      replies: [
        reply(verification.pending, samplePage([sampleVerification({ birthDate: null })])),
        reply(verification.pictures, links, one),
        reply(verification.correctBirthDate, { status: 'ok' }),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Enter the birth date' }));
        await user.type(await screen.findByLabelText('Birth date'), '1998-07-19');
        await user.click(screen.getByRole('button', { name: 'Save' }));
      },
      shows: [
        'Not set yet.',
        'The birth date of Ben is set.',
        'To accept, enter the birth date from the ID first.',
      ],
    },
    'by keys, while the list has the focus': {
      replies: [reply(verification.pictures, links, one)],
      steps: async (user) => {
        const row = await screen.findByRole('link', { name: /Ben/ });
        // The focus is outside the list.
        await user.keyboard('j');
        expect(document.activeElement).toBe(document.body);
        row.focus();
        await user.keyboard('k{Enter}');
        await screen.findByRole('button', { name: 'Accept' });
        const ask = async (key: string, name: string, text: RegExp) => {
          await user.keyboard(key);
          const dialog = within(await screen.findByRole('dialog', { name }));
          dialog.getByText(text);
          await user.click(dialog.getByRole('button', { name: 'Cancel' }));
          await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
        };
        await ask('d', 'Decline Ben?', /will be deleted/);
        expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Decline' }));
        await ask('a', 'Are you sure?', /is shown as verified/);
      },
      shows: [['button', 'Accept']],
    },
    'with the keys switched off': {
      path: '/verify-users?open=verification',
      replies: [reply(verification.pictures, links, one)],
      steps: async (user) => {
        await user.click(await screen.findByRole('checkbox', { name: /^Use keys in this list/ }));
        screen.getByRole('link', { name: /^Ben.*12 Mabini/ }).focus();
        await user.keyboard('a');
        localStorage.clear();
      },
      shows: [['button', 'Accept']],
      hides: [['dialog', 'Are you sure?']],
    },
    'with keys of a dialog over the list': {
      path: '/verify-users?open=verification',
      replies: [reply(verification.pictures, links, one)],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Correct the birth date' }));
        (await screen.findByRole('button', { name: 'Close' })).focus();
        await user.keyboard('a');
      },
      shows: [['dialog', 'Birth date of Ben']],
      hides: [['dialog', 'Are you sure?']],
    },
    'pictures that cannot be read': {
      path: '/verify-users?open=verification',
      replies: [refusal(verification.pictures, 'verification_not_found', one)],
      shows: ['There is no such verification request.', ['button', 'Try again']],
    },
    'an accepted request leaves (§4-verification-leaves, §8-verification-decision-leaves) with its notice (§8-verification-decision)':
      {
        path: '/verify-users?open=verification',
        replies: [reply(verification.pictures, links, one), reply(verification.accept, { status: 'ok' })],
        steps: accept,
        shows: ['Ben is verified.', 'List is clean good job 👍'],
        hides: [['button', 'Accept']],
      },
    'an acceptance is asked about, and may be taken back': {
      path: '/verify-users?open=verification',
      replies: [reply(verification.pictures, links, one), reply(verification.accept, { status: 'ok' })],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Accept' }));
        const dialog = within(await screen.findByRole('dialog'));
        await dialog.findByText(/You will not be able to change it after/);
        await user.click(dialog.getByRole('button', { name: 'Cancel' }));
      },
      shows: [['button', 'Accept']],
      hides: ['Ben is verified.'],
    },
    'a declined request leaves (§4-verification-leaves, §8-verification-decision-leaves) with its notice (§8-verification-decision)':
      {
        path: '/verify-users?open=verification',
        replies: [reply(verification.pictures, links, one), reply(verification.decline, { status: 'ok' })],
        steps: async (user) => {
          await user.click(await screen.findByRole('button', { name: 'Decline' }));
          const dialog = within(await screen.findByRole('dialog', { name: 'Decline Ben?' }));
          await user.selectOptions(
            dialog.getByRole('combobox', { name: 'Reason' }),
            'A picture cannot be read',
          );
          await user.type(dialog.getByRole('textbox'), 'The back, please.');
          await user.click(dialog.getByRole('button', { name: 'Decline' }));
        },
        shows: ['The request of Ben was declined.', 'List is clean good job 👍'],
        hides: [['button', 'Accept']],
      },
    'a request that somebody else decided meanwhile leaves with the dialog (§8-verification-decision-leaves)':
      {
        path: '/verify-users?open=verification',
        replies: [
          reply(verification.pictures, links, one),
          refusal(verification.decline, 'verification_not_found'),
        ],
        steps: async (user) => {
          await user.click(await screen.findByRole('button', { name: 'Decline' }));
          const dialog = within(await screen.findByRole('dialog', { name: 'Decline Ben?' }));
          await user.selectOptions(
            dialog.getByRole('combobox', { name: 'Reason' }),
            'A picture cannot be read',
          );
          await user.click(dialog.getByRole('button', { name: 'Decline' }));
        },
        shows: ['There is no such verification request.', 'List is clean good job 👍'],
        hides: [['dialog', 'Decline Ben?']],
      },
    'a decline that fails keeps the dialog and what was written, with the basic notice (§8-verification-decision-failed)':
      {
        path: '/verify-users?open=verification',
        replies: [reply(verification.pictures, links, one), refusal(verification.decline, 'general_unknown')],
        steps: async (user) => {
          await user.click(await screen.findByRole('button', { name: 'Decline' }));
          const dialog = within(await screen.findByRole('dialog', { name: 'Decline Ben?' }));
          await user.selectOptions(dialog.getByRole('combobox', { name: 'Reason' }), 'Something else');
          await user.type(dialog.getByRole('textbox'), 'The back, please.');
          await user.click(dialog.getByRole('button', { name: 'Decline' }));
          await screen.findByText('Something went wrong');
          dialog.getByDisplayValue('The back, please.');
        },
        shows: [['dialog', 'Decline Ben?']],
      },
    'a request is declined with a reason, and with words where none of the list fits': {
      path: '/verify-users?open=verification',
      replies: [reply(verification.pictures, links, one)],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Decline' }));
        const dialog = within(await screen.findByRole('dialog', { name: 'Decline Ben?' }));
        await user.click(dialog.getByRole('button', { name: 'Decline' }));
        await dialog.findByText('Please choose a reason.');
        await user.selectOptions(dialog.getByRole('combobox', { name: 'Reason' }), 'Something else');
        await user.click(dialog.getByRole('button', { name: 'Decline' }));
      },
      shows: ['Please say what is missing.', ['dialog', 'Decline Ben?']],
    },
    'a request that cannot be accepted leaves (§4-verification-leaves, §8-verification-decision-leaves) with the basic notice (§8-verification-decision-failed, §8-call-failure)':
      {
        path: '/verify-users?open=verification',
        replies: [reply(verification.pictures, links, one), refusal(verification.accept, 'general_unknown')],
        steps: accept,
        shows: ['Something went wrong', 'List is clean good job 👍'],
        hides: [['button', 'Accept']],
      },
    'one’s own request': {
      path: '/verify-users?open=verification',
      replies: [
        reply(
          verification.pending,
          samplePage([sampleVerification({ userId: 'Boss', creator: samplePerson('Boss') })]),
        ),
        reply(verification.pictures, links, one),
      ],
      shows: ['This is about you. Another admin has to decide it.'],
      hides: [['button', 'Accept']],
    },
  },
});

const confirmPlan = async (user: UserEvent) => {
  await user.click(await screen.findByRole('button', { name: 'Confirm' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Are you sure?' }));
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
};

const time = '2026-01-02T03:04:05.000+00:00';
const isOwn = 'This is about you. Another admin has to decide it.';
const fulfilled: AwaitingPlan = {
  ...sampleRequest({ paid: true, accepted: true, userSetDone: true, referenceNumber: 'R-1' }),
  can: sampleCan('confirm', 'refund'),
  steps: [
    { step: 'requested', at: time },
    { step: 'creatorMet', at: time },
  ],
};

const noPlans = {
  replies: [reply(admin.awaitingPlans, samplePage([]))],
  shows: ['List is clean good job 👍'],
};

describeScreen('/_main/_admin/confirm-plans', {
  path: '/confirm-plans',
  viewer: boss,
  replies: [reply(admin.awaitingPlans, samplePage([fulfilled]))],
  loading: 'Loading the list',
  error: 'retry',
  full: {
    shows: [['heading', 'Confirm Plans'], ['link', /Coffee in Makati/], 'Choose a plan'],
    hides: [['button', 'Confirm']],
  },
  empty: noPlans,
  longTexts: {
    replies: [reply(admin.awaitingPlans, samplePage([{ ...fulfilled, planTitle: longWord }]))],
    shows: [/^Salamatpo/],
  },
  forbidden: membersGoHome,
  more: {
    'a guest': guestsSignIn,
    'a member is sent from /confirm-plans to / (§2-guard-admins)': membersGoHome,
    'the list of Confirm Plans (§2-confirm-plans)': {
      shows: [
        ['heading', 'Confirm Plans'],
        ['link', /Coffee in Makati/, '/confirm-plans?open=request'],
      ],
    },
    'Confirm Plans without a plan reads ‘List is clean good job 👍’ (§8-empty-admin-lists)': noPlans,
    'the detail of Confirm Plans: one plan (§2-confirm-plans-detail)': {
      path: '/confirm-plans?open=request',
      shows: [['button', 'Confirm'], 'R-1', 'The client sent the request', 'The creator said that they met'],
      hides: [/may still object/, 'Open the plan chat'],
    },
    'a plan to which the client may still object': {
      path: '/confirm-plans?open=request',
      replies: [
        reply(
          admin.awaitingPlans,
          samplePage([{ ...fulfilled, objectUntil: '2026-01-04T03:04:05.000+00:00' }]),
        ),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Confirm' }));
        await screen.findByText('Confirm before the client’s time is over?');
        await user.click(await screen.findByRole('button', { name: 'Go on' }));
        const dialog = within(await screen.findByRole('dialog', { name: 'Are you sure?' }));
        await user.click(dialog.getByRole('button', { name: 'Cancel' }));
      },
      shows: [/^The client may still object until/, ['button', 'Confirm']],
    },
    'a confirmed plan leaves with its notice (§4-interaction-confirmed-leaves)': {
      path: '/confirm-plans?open=request',
      replies: [reply(admin.confirmPlans, { status: 'ok' })],
      steps: confirmPlan,
      shows: ['Plan confirmed', 'List is clean good job 👍'],
    },
    'a refunded plan leaves with its notice': {
      path: '/confirm-plans?open=request',
      replies: [reply(adminMoney.refundRequest, { status: 'ok' })],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Refund' }));
        const dialog = within(await screen.findByRole('dialog', { name: 'Refund' }));
        await user.type(dialog.getByLabelText('Reason'), 'Both asked for it');
        await user.click(dialog.getByRole('button', { name: 'Refund' }));
      },
      shows: ['The request is refunded.', 'List is clean good job 👍'],
    },
    'a plan that another admin has confirmed reads ‘Failed to confirm plan’ (§7-api-confirm-plans-failed)': {
      path: '/confirm-plans?open=request',
      replies: [refusal(admin.confirmPlans, 'plan_confirm_failed')],
      steps: confirmPlan,
      shows: ['Failed to confirm plan'],
    },
    'a confirmation that any other reason refuses reads ‘Failed to confirm plan’ (§7-api-confirm-plans-failed)':
      {
        path: '/confirm-plans?open=request',
        replies: [refusal(admin.confirmPlans, 'interaction_not_found')],
        steps: confirmPlan,
        shows: ['Failed to confirm plan', 'please try again later'],
      },
    'a plan that cannot be confirmed (§8-plan-confirm-failed)': {
      path: '/confirm-plans?open=request',
      replies: [refusal(admin.confirmPlans, 'general_unknown')],
      steps: confirmPlan,
      shows: ['Failed to confirm plan', 'please try again later'],
    },
    'one’s own plan': {
      path: '/confirm-plans?open=request',
      replies: [
        reply(
          admin.awaitingPlans,
          samplePage([{ ...fulfilled, creatorAccountId: 'Boss', can: { ...sampleCan(), confirm: isOwn } }]),
        ),
      ],
      shows: [isOwn],
      hides: [['button', 'Confirm']],
    },
  },
});
