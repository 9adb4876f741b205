import { type BannedRequest, type Report, reports } from '@tara/contract/members/reports';
import { posts } from '@tara/contract/posts/posts';
import { screen } from '@testing-library/react';
import {
  longText,
  longWord,
  sampleAdminSession,
  sampleMessage,
  samplePage,
  samplePerson,
  sampleSession,
} from '../../testing/samples.ts';
import { describeScreen, refusal, reply } from '../../testing/screen.tsx';

const time = '2026-01-02T03:04:05.000+00:00';
const boss = sampleAdminSession('Boss');
const report = (part: Partial<Report> = {}): Report => ({
  id: 'r1',
  kind: 'post',
  recordId: 'p1',
  reason: 'harassment',
  detail: 'It is about me.',
  reporter: samplePerson('Ana'),
  member: samplePerson('Ben'),
  snapshot: { title: 'Cebu', text: 'Something rude', imageUrl: null, createdAt: time },
  ...{ hasOriginal: false, hasPlanChat: false },
  earlierDecisions: 0,
  createdAt: time,
  ...part,
});
const banned: BannedRequest = {
  ...{ id: 'i1', planTitle: 'Dive', stage: 'ready', price: 250, client: 'Ana', creator: 'Ben' },
  ...{ banned: 'creator', updatedAt: time },
};
const open = (...items: Report[]) => reply(reports.open, samplePage(items));
const requests = (...items: BannedRequest[]) => reply(reports.bannedRequests, samplePage(items));

describeScreen('/_main/_admin/reports', {
  path: '/reports?open=r1',
  viewer: boss,
  replies: [open(report()), requests(banned)],
  loading: 'Loading the list',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Harassment or threats'],
      'It is about me.',
      'Something rude',
      ['button', 'Dismiss'],
      ['button', 'Remove the record'],
      ['button', 'Suspend'],
      ['button', 'Warn'],
      ['button', 'Ban'],
      'Dive',
      '₱250.00 · paid and accepted · banned: creator',
    ],
  },
  empty: { replies: [open(), requests()], shows: ['List is clean good job 👍'], hides: ['Dive'] },
  longTexts: {
    replies: [open(report({ detail: longWord, member: samplePerson(longWord) })), requests()],
    shows: [longWord],
  },
  forbidden: {
    viewer: sampleSession('Ana'),
    replies: [reply(posts.feed, samplePage([]))],
    endsAt: '/',
    shows: ['No current post'],
  },
  more: {
    'a reported message': {
      replies: [open(report({ kind: 'message', snapshot: { ...report().snapshot, title: '' } })), requests()],
      shows: [/^Message by/, 'Something rude', ['button', 'Ban'], ['button', 'Remove the record']],
      hides: [
        ['button', 'Show the original'],
        ['button', 'Open the plan chat'],
      ],
    },
    'opens the plan chat of a reported message when an admin asks for it': {
      replies: [
        open(report({ kind: 'message', recordId: 'm1', hasPlanChat: true })),
        requests(),
        reply(reports.planChat, {
          items: [sampleMessage({ id: 'm1', body: 'Pay me directly' })],
          hasMore: true,
        }),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Open the plan chat' }));
      },
      shows: ['Pay me directly', 'This message was reported.', ['button', 'Show older messages']],
      hides: [['button', 'Open the plan chat']],
    },
    'does not open the plan chat about one’s own report': {
      replies: [
        open(report({ kind: 'message', hasPlanChat: true, reporter: samplePerson('Boss') })),
        requests(),
      ],
      shows: ['This is about you. Another admin has to decide it.'],
      hides: [['button', 'Open the plan chat']],
    },
    'shows what a message said before it was taken back when an admin asks for it': {
      replies: [
        open(report({ kind: 'message', hasOriginal: true })),
        requests(),
        reply(reports.original, { text: 'Pay me directly', imageUrl: null }),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Show the original' }));
      },
      shows: ['Pay me directly'],
      hides: [['button', 'Show the original']],
    },
    'shows no decisions about one’s own report': {
      replies: [open(report({ reporter: samplePerson('Boss') }))],
      shows: ['This is about you. Another admin has to decide it.'],
      hides: [['button', 'Dismiss']],
    },
    'asks before a ban, and takes the report off the list': {
      replies: [reply(reports.decide, { status: 'ok' })],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Ban' }));
        await screen.findByText(/is signed out everywhere/);
        const [confirmButton] = (await screen.findAllByRole('button', { name: 'Ban' })).slice(-1);
        if (confirmButton) await user.click(confirmButton);
      },
      shows: ['The report is decided.', 'List is clean good job 👍'],
    },
    'sends no warning without its text, and no suspension of too many days': {
      steps: async (user) => {
        const days = await screen.findByLabelText('Days of a suspension');
        await user.clear(days);
        await user.type(days, '366');
        await user.click(screen.getByRole('button', { name: 'Suspend' }));
        await user.click(screen.getByRole('button', { name: 'Warn' }));
      },
      shows: ['Must be 1 to 365.', 'Please write the warning.'],
      hides: ['Are you sure?'],
    },
    'keeps the report when the decision fails': {
      replies: [refusal(reports.decide, 'general_argument_invalid')],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
        await screen.findByRole('dialog', { name: 'Are you sure?' });
        const [confirmButton] = (await screen.findAllByRole('button', { name: 'Dismiss' })).slice(-1);
        if (confirmButton) await user.click(confirmButton);
      },
      shows: ['Some of the values are not valid.', 'Something rude'],
    },
    'shows a long record': {
      replies: [open(report({ snapshot: { title: '', text: longText, imageUrl: null, createdAt: time } }))],
      shows: [longText],
    },
  },
});
