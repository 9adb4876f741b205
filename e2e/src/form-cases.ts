import type { Page } from '@playwright/test';
import { interactions } from '@tara/contract/interactions/interactions';
import { reports } from '@tara/contract/members/reports';
import { requestCases } from '@tara/contract/money/disputes';
import { plans } from '@tara/contract/plans/plans';
import { posts } from '@tara/contract/posts/posts';
import { type Person, readProfile } from './steps.ts';

interface FormCase {
  name: string;
  /** The demo account that fills it in; null for a guest. */
  who: string | null;
  path: string | ((who: Person) => Promise<string>);
  /** An invalid value for each field, by its label. */
  wrong: Record<string, string>;
  submit: string;
  /** The steps to the dialog that holds the form. */
  openDialog?: (page: Page) => Promise<void>;
  /** The checkbox that must be checked before the form is shown or can be sent. */
  tick?: string;
}

const tooLong = 'x'.repeat(5001);
/** Short ones, because the links below the field show them. */
const tooManyTags = Array.from({ length: 60 }, (_, index) => `beach${index}`).join(', ');

/** The screen of the report of the demo world. */
async function openReportPath({ client }: Person): Promise<string> {
  const { items } = await client.call(reports.open, { query: {} });
  return `/reports?open=${items[0]?.id}`;
}

/** Every form of the web; a new one is added here. */
export const forms: FormCase[] = [
  {
    name: 'sign in',
    who: null,
    path: '/sign-in',
    wrong: { Email: 'ana', Password: 'short' },
    submit: 'Sign In',
  },
  {
    name: 'sign up',
    who: null,
    path: '/sign-up',
    wrong: { Name: 'A.', Username: 'B.', Email: 'ana', Password: 'short' },
    submit: 'Submit',
  },
  {
    name: 'recovery',
    who: null,
    path: '/recovery',
    wrong: { Email: 'ana' },
    submit: 'Send the link',
  },
  {
    name: 'a new password',
    who: null,
    path: '/reset-password?userId=ana&secret=none',
    wrong: { 'New password': 'short', 'New password again': 'other' },
    submit: 'Save',
  },
  {
    name: 'the confirmation mailed again',
    who: null,
    path: '/verification-message',
    wrong: { Username: ' ' },
    submit: 'Resend email',
  },
  {
    name: 'a quick post',
    who: 'ana',
    path: '/',
    wrong: { 'Quick post': tooLong },
    submit: 'Post',
    // It opens when it is used, and its code is loaded then.
    openDialog: async (page) => {
      await page.getByLabel('Quick post').last().click();
      await page.getByRole('button', { name: 'Post', exact: true }).waitFor();
    },
  },
  {
    name: 'a new post',
    who: 'ana',
    path: '/create-post',
    wrong: { Caption: tooLong, 'Add Location (optional)': tooLong, 'Add Tags (optional)': tooManyTags },
    submit: 'Create Post',
  },
  {
    name: 'a changed post',
    who: 'ana',
    path: async (ana) => {
      const { id } = await readProfile(ana);
      const { items } = await ana.client.call(posts.byCreator, { params: { id }, query: {} });
      return `/update-post/${items[0]?.id}`;
    },
    wrong: { Caption: tooLong, 'Add Location (optional)': tooLong, 'Add Tags (optional)': tooManyTags },
    submit: 'Update Post',
  },
  {
    name: 'a plan',
    who: 'ana',
    path: async (ana) => `/profile/create-plans/${(await readProfile(ana)).id}`,
    wrong: {
      Title: 'x'.repeat(31),
      'Description (optional)': tooLong,
      'Time (optional)': 'x'.repeat(11),
      'Place (optional)': 'x'.repeat(101),
      'Price in pesos': '50',
      'Your terms': 'short',
    },
    submit: 'Create plan',
  },
  {
    name: 'a changed plan',
    who: 'ana',
    path: async (ana) => {
      const { id } = await readProfile(ana);
      const { items } = await ana.client.call(plans.byCreator, { params: { id }, query: {} });
      return `/update-plan/${items[0]?.id}`;
    },
    wrong: {
      Title: 'x'.repeat(31),
      'Description (optional)': tooLong,
      'Place (optional)': 'x'.repeat(101),
      'Price in pesos': 'much',
      'Your terms': 'short',
    },
    submit: 'Save changes',
  },
  {
    name: 'a review',
    who: 'miguel',
    path: async ({ client }) => {
      const { items } = await client.call(interactions.interactionList, {
        params: { list: 'history' },
        query: {},
      });
      return `/write-a-review/${items.find((row) => row.adminSetDone && !row.reviewSubmitted)?.id}`;
    },
    wrong: { 'Your review': tooLong, 'Location (optional)': tooLong },
    submit: 'Publish review',
  },
  {
    name: 'a dispute',
    who: 'lia',
    path: async ({ client }) => {
      const { items } = await client.call(interactions.interactionList, {
        params: { list: 'yourRequest' },
        query: {},
      });
      return `/dispute/${items.find(({ stage }) => stage === 'paid')?.id}`;
    },
    wrong: { 'What happened?': tooLong },
    submit: 'Open a dispute',
  },
  {
    name: 'a decision',
    who: 'tala',
    path: async ({ client }) => {
      const { items } = await client.call(requestCases.disputes, { query: {} });
      return `/disputes?open=${items[0]?.id}`;
    },
    wrong: { Reason: tooLong },
    submit: 'Decide',
  },
  {
    name: 'verification',
    who: 'dan',
    path: '/verifying-identity',
    wrong: { 'Birth date': '1899-12-31', Address: 'x' },
    submit: 'Send request',
    tick: 'I accept the terms and conditions',
  },
  {
    name: 'the about section',
    who: 'ana',
    path: '/update-profile?tab=info',
    wrong: {
      Bio: tooLong,
      Gender: tooLong,
      'Looking for': tooLong,
      Hobby: tooLong,
      Education: tooLong,
      'Phone number': '0'.repeat(31),
    },
    submit: 'Update',
  },
  {
    name: 'the about section before the verification',
    who: 'dan',
    path: '/update-profile?tab=info',
    wrong: { 'Birth date': '1899-12-31' },
    submit: 'Update',
  },
  {
    name: 'a profile picture',
    who: 'ana',
    path: '/update-profile',
    wrong: { Caption: tooLong },
    submit: 'Update picture',
    tick: 'Share it as a post',
  },
  {
    name: 'a report',
    who: 'ana',
    path: '/',
    openDialog: async (page) => {
      await page.getByRole('button', { name: 'More about Lia Tan' }).first().click();
      await page.getByRole('menuitem', { name: 'Report' }).click();
    },
    wrong: { 'What happened? (optional)': tooLong },
    submit: 'Send report',
  },
  {
    name: 'a warning',
    who: 'tala',
    path: openReportPath,
    wrong: { Warning: tooLong },
    submit: 'Warn',
  },
  {
    name: 'a suspension',
    who: 'tala',
    path: openReportPath,
    wrong: { 'Days of a suspension': '366' },
    submit: 'Suspend',
  },
];
