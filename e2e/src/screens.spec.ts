import type { Page } from '@playwright/test';
import { interactions } from '@tara/contract/interactions/interactions';
import { profiles } from '@tara/contract/members/profiles';
import { reports } from '@tara/contract/members/reports';
import { verification } from '@tara/contract/members/verification';
import { conversations } from '@tara/contract/messages/conversations';
import { admin as adminCalls } from '@tara/contract/money/confirmations';
import { requestCases } from '@tara/contract/money/disputes';
import { payments } from '@tara/contract/money/payments';
import { plans } from '@tara/contract/plans/plans';
import { posts } from '@tara/contract/posts/posts';
import { findViolations } from './axe.ts';
import { expect, test } from './server-fixture.ts';
import { newPerson, type Person, readProfile } from './steps.ts';

/** The addresses that a member of the demo world (null: a guest) looks at. */
interface Tour {
  who: string | null;
  paths: (who: Person) => Promise<string[]>;
}

const listHistory = async ({ client }: Person) =>
  (await client.call(interactions.interactionList, { params: { list: 'history' }, query: {} })).items;

/** A screen is added here: to the list of somebody of the demo world who sees it full. */
const tours: Record<string, Tour> = {
  guests: {
    who: null,
    paths: async () => [
      '/sign-in',
      '/sign-up',
      '/verification-message',
      '/confirming',
      '/recovery',
      '/safety',
      '/terms',
      '/privacy',
      '/invite/ended',
      '/plan/ended',
      '/unsubscribe/ended',
      '/nowhere',
    ],
  },
  'a creator, posts and people': {
    who: 'ana',
    paths: async (ana) => {
      const { id } = await readProfile(ana);
      const [post] = (await ana.client.call(posts.feed, { query: {} })).items;
      const [own] = (await ana.client.call(posts.byCreator, { params: { id }, query: {} })).items;
      const [other] = (await ana.client.call(profiles.people, { query: {} })).items;
      return [
        '/',
        '/explore',
        '/explore?search=sea',
        '/explore?show=plans',
        '/all-users',
        '/saved',
        '/earnings',
        '/settings',
        '/settings/blocked',
        '/settings/delete',
        '/settings/notifications',
        '/create-post',
        `/post/${post?.id}`,
        `/post/${own?.id}/likes`,
        `/profile/${id}`,
        `/profile/${other?.id}`,
        '/update-profile',
        '/update-profile?tab=info',
        `/profile/${id}?show=friends`,
        '/verifying-identity',
        '/welcome',
        '/welcome?step=about',
        '/welcome?step=look',
      ];
    },
  },
  'a creator, plans and chats': {
    who: 'ana',
    paths: async (ana) => {
      const { id } = await readProfile(ana);
      const { earn } = await ana.client.call(interactions.manager);
      const chat = earn.items.find(({ conversationReceipt }) => conversationReceipt);
      const listed = async (query: { requests?: 'only' } = {}) =>
        (await ana.client.call(conversations.list, { query })).items;
      const chats = [...(await listed()), ...(await listed({ requests: 'only' }))];
      const [plan] = (await ana.client.call(plans.byCreator, { params: { id } })).items;
      return [
        '/notifications',
        '/chats',
        '/chats?show=requests',
        // With pictures, expired, and a request.
        ...chats.map(({ mixId }) => `/chats/chat?mixId=${mixId}`),
        `/profile/plans/${id}`,
        `/profile/create-plans/${id}`,
        `/profile/plan-details/${plan?.id}`,
        `/update-plan/${plan?.id}`,
        '/manage-plans',
        '/manage-plans?tab=friendRequest',
        `/profile/friend-request/${id}`,
        `/profile/history/${id}`,
        `/manage-plans/conversation-receipt/${chat?.conversationReceipt}`,
      ];
    },
  },
  'a client': {
    who: 'lia',
    paths: async (lia) => {
      const { id } = await readProfile(lia);
      const [request] = await listHistory(lia);
      const movements = (await lia.client.call(payments.statement, { query: {} })).items;
      const paid = movements.flatMap(({ confirmation }) => confirmation ?? [])[0];
      return [
        `/profile/history/${id}`,
        `/confirmation/${paid?.kind}/${paid?.id}`,
        `/write-a-review/${request?.id}`,
      ];
    },
  },
  'a reviewer': {
    who: 'ben',
    paths: async (ben) => {
      const reviewed = (await listHistory(ben)).find(({ reviewId }) => reviewId);
      return [
        `/review-details/${reviewed?.reviewId}`,
        `/update-review/${reviewed?.reviewId}`,
        `/profile/plan-details/${reviewed?.planId}`,
      ];
    },
  },
  'an admin': {
    who: 'tala',
    paths: async ({ client }) => {
      const [waiting] = (await client.call(verification.pending, { query: {} })).items;
      const [fulfilled] = (await client.call(adminCalls.awaitingPlans, { query: {} })).items;
      const [reported] = (await client.call(reports.open, { query: {} })).items;
      const [disputed] = (await client.call(requestCases.disputes, { query: {} })).items;
      return [
        '/second-factor',
        '/disputes',
        `/disputes?open=${disputed?.id}`,
        `/dispute/${disputed?.id}`,
        '/no-answer',
        '/chargebacks',
        '/verify-users',
        `/verify-users?open=${waiting?.id}`,
        '/money',
        '/find-payment',
        '/find-payment?search=@ana',
        `/timeline/${fulfilled?.id}`,
        '/case-file/none',
        '/confirm-plans',
        `/confirm-plans?open=${fulfilled?.id}`,
        '/reports',
        `/reports?open=${reported?.id}`,
      ];
    },
  },
};

/** Adds up the layout shifts of each document (0 is none). */
function watchShifts() {
  Object.assign(window, { shifted: 0 });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Array<
      PerformanceEntry & { value: number; hadRecentInput: boolean }
    >) {
      if (!entry.hadRecentInput)
        Object.assign(window, { shifted: Reflect.get(window, 'shifted') + entry.value });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** How far a page can be scrolled to the right, in px. */
const pixelsBeyond = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Loads an address once and judges it in both themes, of which only colors differ, and with text twice as large, of which
 * only sizes differ.
 */
async function judge(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(path, { waitUntil: 'domcontentloaded' });
  expect.soft(await findViolations(page), `axe on ${path}, light`).toEqual([]);
  expect.soft(await pixelsBeyond(page), `pixels beyond the right edge of ${path}`).toBeLessThanOrEqual(0);
  const shifted: number = await page.evaluate(() => Reflect.get(window, 'shifted'));
  expect.soft(shifted, `layout shift of ${path}`).toBeLessThan(0.05);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect.soft(await findViolations(page, { only: 'colors' }), `axe on ${path}, dark`).toEqual([]);
  await page.evaluate(() => {
    document.documentElement.style.setProperty('font-size', '200%');
    // What is not in view would keep the places of the smaller text.
    document.styleSheets[0]?.insertRule('* { content-visibility: visible !important; }');
  });
  expect.soft(await findViolations(page, { only: 'sizes' }), `axe on ${path}, 200 % text`).toEqual([]);
  expect
    .soft(await pixelsBeyond(page), `pixels beyond the right edge of ${path}, 200 % text`)
    .toBeLessThanOrEqual(0);
}

for (const [width, height] of [
  [390, 844],
  [1280, 800],
] as const) {
  for (const [name, { who, paths }] of Object.entries(tours)) {
    test(`every screen is sound: ${name}, ${width} px`, async ({ openDemo, demo, demoPerson }) => {
      const person = who === null ? null : await demoPerson(who);
      const page = await openDemo(person, { viewport: { width, height }, initScript: watchShifts });
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      for (const path of await paths(person ?? newPerson(demo, 'guest'))) await judge(page, path);
      expect.soft(errors, 'errors').toEqual([]);
    });
  }
}
