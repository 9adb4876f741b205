import { interactions } from '@tara/contract/interactions/interactions';
import { meetingFields, meetingTime } from '@tara/contract/interactions/meetings';
import { verification } from '@tara/contract/members/verification';
import { notices } from '@tara/contract/notices';
import { plans } from '@tara/contract/plans/plans';
import { fireEvent, screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import { writeDraftValues } from '../../lib/draft-storage.ts';
import {
  longText,
  longWord,
  sampleCan,
  samplePage,
  samplePerson,
  samplePlan,
  samplePlanDetail,
  sampleRequest,
  sampleSession,
  sampleTime,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply, type Sight } from '../../testing/screen.tsx';
import { dayLabel } from '../interactions/index.ts';
import { requestDraft } from './request-draft.ts';

const anaParams = { params: { id: 'Ana' } };
const benParams = { params: { id: 'Ben' } };
const one = { params: { id: 'plan' } };
const pausedPlan = samplePlan({ creator: samplePerson('Ana', { verified: null }) });

const noPlans = {
  replies: [reply(plans.byCreator, samplePage([]), benParams)],
  shows: ['No current plan is posted', ['link', 'Find other friends']] satisfies Sight[],
};

describeScreen('/_main/profile/plans/$id', {
  path: '/profile/plans/Ben',
  replies: [reply(plans.byCreator, samplePage([samplePlan({ creator: samplePerson('Ben') })]), benParams)],
  loading: 'Loading the plans',
  error: 'retry',
  full: {
    shows: [['heading', 'Plans of Ben'], ['link', /Coffee in Makati/], '6-9 pm · 2 h', 'Legazpi Village'],
    hides: [
      ['link', 'Add Plan'],
      ['link', 'History'],
    ],
  },
  empty: noPlans,
  longTexts: {
    replies: [
      reply(plans.byCreator, samplePage([samplePlan({ title: longWord, desc: longText })]), benParams),
    ],
    shows: [['link', /^Salamatpo/]],
    hides: [longText],
  },
  forbidden: guestsSignIn,
  more: {
    '/profile/plans/{id} lists the user’s plans, with the list in the query of each (§2-plans, §2-plan-details-route)':
      {
        shows: [['link', /Coffee in Makati/, '/profile/plan-details/plan?list=Ben']],
      },
    'an empty list of plans reads ‘No current plan is posted’ (§8-empty-plans)': noPlans,
    'no such member': {
      replies: [refusal(plans.byCreator, 'profile_not_found', benParams)],
      shows: ['There is no such member.'],
    },
    'one’s own: Add Plan, Friend Request and History (§6-plan-owner-links)': {
      path: '/profile/plans/Ana',
      replies: [reply(plans.byCreator, samplePage([samplePlan()]), anaParams)],
      steps: async () => {
        for (const [name, href] of [
          ['Add Plan', '/profile/create-plans/Ana'],
          ['Friend Request', '/profile/friend-request/Ana'],
          ['History', '/profile/history/Ana'],
        ] as const)
          expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe(href);
      },
      shows: [['link', 'Add Plan']],
      hides: [['link', 'Add your phone number']],
    },
    'one’s own that earned nothing yet reads ‘new’ (§3-plan-earned)': {
      path: '/profile/plans/Ana',
      replies: [reply(plans.byCreator, samplePage([samplePlan({ earned: null })]), anaParams)],
      shows: ['Earned', 'new'],
    },
    'another’s: none of them (§6-plan-owner-links)': {
      shows: [['heading', 'Plans of Ben']],
      hides: [
        ['link', 'Add Plan'],
        ['link', 'Friend Request'],
        ['link', 'History'],
      ],
    },
    'one’s own, without a phone number: a prompt leads to it (§6-phone-prompt)': {
      path: '/profile/plans/Ana',
      viewer: sampleSession('Ana', { profile: { phoneNumber: '' } }),
      replies: [reply(plans.byCreator, samplePage([]), anaParams)],
      shows: [
        ['heading', 'Your plans'],
        ['link', 'Create your first plan'],
        ['link', 'Add your phone number'],
        ['link', 'Add Plan'],
      ],
      steps: async () => {
        const link = await screen.findByRole('link', { name: 'Add your phone number' });
        expect(link.getAttribute('href')).toBe('/update-profile?tab=info');
      },
    },
  },
});

const openRequest = reply(interactions.interaction, sampleRequest({ can: sampleCan('pay') }), {
  params: { id: 'request' },
});

/** A time so many days ahead in the Philippines. */
const manila = (days: number, time: string) =>
  meetingTime(meetingFields(new Date(Date.now() + days * 86_400_000).toISOString()).day, time);

/** The weekday and date of that day, as on a button. */
function dateOf(days: number): string {
  const { weekday, date, month } = dayLabel(manila(days, '12:00').slice(0, 10));
  return `${weekday} ${date} ${month}`;
}

const openDialog = async (user: UserEvent) =>
  user.click(await screen.findByRole('button', { name: 'Choose a day' }));

async function sendRequest(user: UserEvent): Promise<void> {
  await openDialog(user);
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await user.click(await screen.findByRole('radio', { name: 'Another day' }));
  fireEvent.change(await screen.findByLabelText('Day'), { target: { value: day } });
  fireEvent.change(screen.getByLabelText('Time'), { target: { value: '18:30' } });
  await user.click(screen.getByRole('checkbox', { name: 'Accept terms and conditions' }));
  await user.click(screen.getByRole('button', { name: 'Send Request' }));
}

/** The plan of a creator whose ids, name and username differ. */
const byAnaCruz = reply(
  plans.get,
  samplePlanDetail({
    plan: samplePlan({
      creator: samplePerson('Ana Cruz', { id: 'a1', accountId: 'a2', username: 'ana c' }),
    }),
  }),
  one,
);

/** A client whom no admin has verified. */
const unverified = {
  viewer: sampleSession('Ben', { profile: { verified: null } }),
  replies: [
    reply(plans.get, samplePlanDetail({ viewerVerified: false }), one),
    reply(verification.usualTime, { minutes: 90 }),
  ],
};

describeScreen('/_main/profile/plan-details/$id', {
  path: '/profile/plan-details/plan',
  viewer: sampleSession('Ben'),
  replies: [reply(plans.get, samplePlanDetail(), one)],
  loading: 'Loading the plan',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Coffee in Makati'],
      ['link', /Ana.*identity verified.*20 reviews.*31 meetings/],
      'Be on time and be kind.',
      '6-9 pm',
      '2 h',
      'Legazpi Village',
      'held until you have met',
      ['link', /^Show on a map/, 'https://www.google.com/maps/search/?api=1&query=Legazpi+Village'],
      ['button', 'Choose a day'],
    ],
    hides: [['button', 'Send Request']],
  },
  empty: {
    replies: [refusal(plans.get, 'plan_not_found', one)],
    shows: ['There is no such plan.'],
    hides: [['button', 'Choose a day']],
  },
  longTexts: {
    replies: [
      reply(plans.get, samplePlanDetail({ plan: samplePlan({ title: longWord, desc: longText }) }), one),
    ],
    shows: [longWord, longText],
  },
  forbidden: {
    replies: [reply(plans.get, samplePlanDetail({ viewerVerified: false }), one)],
    shows: [
      'You cannot perform this action',
      ['link', 'Get verified to book', '/verifying-identity?plan=plan'],
    ],
  },
  more: {
    'a client whose verification waits reads that it waits': {
      viewer: sampleSession('Ben', { profile: { verified: null, sentVerifiedReq: true } }),
      replies: [reply(plans.get, samplePlanDetail({ viewerVerified: false }), one)],
      shows: [notices.verificationSent.title, 'please wait for the admin to confirm it.'],
      hides: [['link', 'Get verified to book']],
    },
    'who is not verified fills the request in, and is led to the verification': {
      ...unverified,
      steps: async (user) => {
        await openDialog(user);
        const place = await screen.findByLabelText('Place');
        await user.clear(place);
        await user.type(place, 'Luneta Park');
      },
      shows: [
        'Only verified members send requests',
        /stays on this device until you are verified/,
        ['link', 'Get verified to book', '/verifying-identity?plan=plan'],
      ],
      hides: [['button', 'Send Request']],
    },
    'what was filled in before is there once the member is verified, in another tab': {
      prepare: () => writeDraftValues(requestDraft('Ben', 'plan'), { time: '07:15', place: 'Luneta Park' }),
      steps: async (user) => {
        await openDialog(user);
        await screen.findByDisplayValue('Luneta Park');
        await screen.findByDisplayValue('07:15');
      },
      shows: [['button', 'Send Request']],
    },
    'what was filled in before is not sent while the verification waits': {
      ...unverified,
      viewer: sampleSession('Ben', { profile: { verified: null, sentVerifiedReq: true } }),
      prepare: () => writeDraftValues(requestDraft('Ben', 'plan'), { place: 'Luneta Park' }),
      steps: async (user) => {
        await screen.findByText(/is kept on this device\./);
        await openDialog(user);
        await user.click(await screen.findByRole('checkbox', { name: 'Accept terms and conditions' }));
        const send = await screen.findByRole('button', { name: 'Send Request' });
        expect(send.getAttribute('aria-disabled')).toBe('true');
      },
      shows: [/An admin usually answers within 2 hours\./],
    },
    'the query names the creator’s plan-list record (§2-plan-details-route)': {
      path: '/profile/plan-details/plan?list=Ana',
      shows: [['heading', 'Coffee in Makati']],
    },
    'the cover image of the plan (§2-plan-request-cover)': { shows: [['img', 'Sea']] },
    'the avatar of the plan’s creator (§2-plan-request-avatar)': {
      steps: async () => {
        const creator = await screen.findByRole('region', { name: 'The creator' });
        expect(creator.querySelector('img')?.getAttribute('src')).toMatch(/^[/]x/);
      },
      shows: [['region', 'The creator']],
    },
    'the name of the plan’s creator (§2-plan-request-name)': {
      replies: [byAnaCruz],
      shows: [['link', /^Ana Cruz/, '/profile/a1']],
    },
    'the handle of the plan’s creator (§2-plan-request-handle)': {
      replies: [byAnaCruz],
      shows: [/^@ana c ·/],
    },
    'the title of the plan (§2-plan-request-title)': { shows: [['heading', 'Coffee in Makati']] },
    'the description of the plan (§2-plan-request-description)': { shows: ['Two cups and a walk.'] },
    'the time of the plan (§2-plan-request-time)': { shows: ['Time', '6-9 pm'] },
    'the price of the plan (§2-plan-request-price)': { shows: ['Price', '₱250.00'] },
    'the own conditions of the plan’s creator (§2-plan-request-conditions)': {
      shows: ['Conditions of Ana', 'Be on time and be kind.'],
    },
    'a section of terms for every plan (§2-plan-request-terms)': {
      shows: ['Terms for every plan', /^Pay only through Tara/],
    },
    'a checkbox ‘Accept terms and conditions’ (§2-plan-request-accept)': {
      steps: openDialog,
      shows: [['checkbox', 'Accept terms and conditions']],
    },
    '‘Send Request’ is shown to others (§2-plan-request)': {
      steps: openDialog,
      shows: [['button', 'Send Request']],
    },
    '‘Send Request’ is not shown to the plan’s creator (§2-plan-request)': {
      viewer: sampleSession('Ana'),
      replies: [reply(plans.get, samplePlanDetail({ isCreator: true }), one)],
      shows: ['This is your own plan.'],
      hides: [
        ['button', 'Choose a day'],
        ['button', 'Send Request'],
      ],
    },
    '‘Send Request’ is disabled until the box is ticked (§2-plan-request-disabled)': {
      steps: async (user) => {
        await openDialog(user);
        const send = await screen.findByRole('button', { name: 'Send Request' });
        expect(send.getAttribute('aria-disabled')).toBe('true');
        await user.click(screen.getByRole('checkbox', { name: 'Accept terms and conditions' }));
        expect(send.getAttribute('aria-disabled')).not.toBe('true');
      },
      shows: [['button', 'Send Request']],
    },
    'one’s own': {
      replies: [reply(plans.get, samplePlanDetail({ isCreator: true }), one)],
      shows: [/This is your own plan/, ['link', 'See who requested it']],
      hides: [['button', 'Choose a day']],
    },
    'without a birth date (decisions §2)': {
      viewer: sampleSession('Ben', { profile: { bDay: null } }),
      shows: ['Please add your birth date', ['link', 'Go to your birth date']],
    },
    'under 18 (decisions §2)': {
      viewer: sampleSession('Ben', { profile: { bDay: new Date().toISOString().slice(0, 10) } }),
      shows: ['Plans are for members of 18 years and older', ['link', 'Go to your birth date']],
    },
    'of a creator without the verified mark': {
      replies: [reply(plans.get, samplePlanDetail({ plan: pausedPlan }), one)],
      shows: ['This plan takes no requests now', 'its creator is not verified at the moment'],
      hides: [['button', 'Choose a day']],
    },
    'one’s own, edited and closed': {
      replies: [
        reply(plans.get, samplePlanDetail({ isCreator: true }), one),
        reply(plans.close, samplePlan({ closedAt: new Date().toISOString() })),
      ],
      steps: async (user) => {
        expect((await screen.findByRole('link', { name: 'Edit plan' })).getAttribute('href')).toBe(
          '/update-plan/plan',
        );
        await user.click(screen.getByRole('button', { name: 'Close plan' }));
        const question = await screen.findByRole('dialog', { name: 'Close this plan?' });
        await user.click(within(question).getByRole('button', { name: 'Close plan' }));
      },
      shows: ['Your plan is closed', ['button', 'Open again']],
    },
    'closed by its creator': {
      replies: [
        reply(plans.get, samplePlanDetail({ plan: samplePlan({ closedAt: new Date().toISOString() }) }), one),
      ],
      shows: ['This plan takes no new requests', 'it is closed'],
      hides: [['button', 'Choose a day']],
    },
    'one’s own, without the verified mark': {
      replies: [reply(plans.get, samplePlanDetail({ plan: pausedPlan, isCreator: true }), one)],
      shows: ['This plan takes no requests now', ['link', 'Get Verified'], ['link', 'See who requested it']],
    },
    'already requested, of a creator without the verified mark': {
      replies: [
        reply(plans.get, samplePlanDetail({ plan: pausedPlan, openInteractionId: 'request' }), one),
        openRequest,
      ],
      shows: ['This plan takes no requests now', ['link', 'See your request']],
    },
    'a plan that the viewer already requested says so (§8-duplicate-request)': {
      replies: [reply(plans.get, samplePlanDetail({ openInteractionId: 'request' }), one), openRequest],
      shows: [
        'You already made a request',
        'Pay now to hold your place',
        ['list', 'Steps'],
        ['link', 'See your request'],
        ['link', 'Pay ₱250.00'],
      ],
      hides: [['button', 'Choose a day']],
    },
    'already requested, with a request that is gone': {
      replies: [
        reply(plans.get, samplePlanDetail({ openInteractionId: 'request' }), one),
        refusal(interactions.interaction, 'interaction_not_found', { params: { id: 'request' } }),
      ],
      shows: [['heading', samplePlan().title], 'You already made a request', ['link', 'See your request']],
      hides: [
        ['link', 'Pay ₱250.00'],
        ['button', 'Choose a day'],
      ],
    },
    'already requested, while the request cannot be read': {
      replies: [
        reply(plans.get, samplePlanDetail({ openInteractionId: 'request' }), one),
        refusal(interactions.interaction, 'general_unknown', { params: { id: 'request' } }),
      ],
      shows: [['heading', samplePlan().title], 'You already made a request', ['link', 'See your request']],
      hides: [
        ['link', 'Pay ₱250.00'],
        ['button', 'Choose a day'],
      ],
    },
    'sent without a day': {
      steps: async (user) => {
        await openDialog(user);
        await user.click(await screen.findByRole('checkbox', { name: 'Accept terms and conditions' }));
        await user.click(screen.getByRole('button', { name: 'Send Request' }));
        await screen.findByText('Please choose a day.');
        expect(document.activeElement).toBe(screen.getAllByRole('radio')[0]);
      },
      shows: ['Please choose a day.'],
    },
    'its reviews, before the terms': {
      replies: [
        reply(
          plans.get,
          samplePlanDetail({
            reviews: [
              {
                id: 'review',
                creator: samplePerson('Lia'),
                stars: 9,
                caption: longText,
                createdAt: sampleTime,
              },
            ],
          }),
          one,
        ),
      ],
      steps: async () => {
        const heading = await screen.findByRole('heading', { name: 'Reviews' });
        expect(
          heading.compareDocumentPosition(screen.getByText('Terms for every plan')) &
            Node.DOCUMENT_POSITION_FOLLOWING,
        ).toBeTruthy();
      },
      shows: [
        ['link', /^Review by Lia/, '/review-details/review'],
        longText,
        ['link', 'All reviews of Ana', '/profile/Ana?show=reviews'],
      ],
    },
    'the time that the plan names, days on which its creator is free at that time, and what is taken of the day':
      {
        replies: [
          reply(
            plans.get,
            samplePlanDetail({
              taken: [
                { from: manila(1, '17:30'), until: manila(1, '18:30') },
                { from: manila(2, '09:00'), until: manila(2, '11:00') },
              ],
            }),
            one,
          ),
        ],
        steps: async (user) => {
          await openDialog(user);
          expect((await screen.findByLabelText<HTMLInputElement>('Time')).value).toBe('18:00');
          const dates = screen
            .getAllByRole('radio')
            .map((radio) => radio.closest('label')?.textContent ?? '');
          expect(dates.filter((text) => text.includes(dateOf(1)))).toEqual([]);
          await user.click(screen.getByRole('radio', { name: new RegExp(dateOf(2)) }));
          await screen.findByText('Ana is booked 9:00 AM to 11:00 AM.');
          fireEvent.change(screen.getByLabelText('Time'), { target: { value: '10:00' } });
          await user.click(screen.getByRole('checkbox', { name: 'Accept terms and conditions' }));
          await user.click(screen.getByRole('button', { name: 'Send Request' }));
        },
        // What is taken stays beside the error.
        shows: ['This time is taken. Please choose another.', 'Ana is booked 9:00 AM to 11:00 AM.'],
      },
    'sent: the next step is on the same screen (§8-request-sent)': {
      replies: [
        reply(plans.get, samplePlanDetail(), one),
        reply(interactions.createInteraction, {
          ...sampleRequest({ can: sampleCan('pay') }),
          status: 'success',
        }),
        openRequest,
      ],
      steps: sendRequest,
      shows: [
        'Request sent!',
        'Please wait for the person to respond',
        'Pay now to hold your place',
        ['link', 'Pay ₱250.00'],
      ],
    },
    'sent for a time that is taken': {
      replies: [
        reply(plans.get, samplePlanDetail(), one),
        refusal(interactions.createInteraction, 'interaction_time_taken'),
      ],
      steps: sendRequest,
      shows: ['This time is taken. Please choose another.'],
    },
  },
});
