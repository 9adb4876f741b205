import { randomBytes } from 'node:crypto';
import { accounts } from '@tara/contract/accounts/accounts';
import type { Call } from '@tara/contract/calls';
import { eachAboutText, profiles } from '@tara/contract/members/profiles';
import { verification } from '@tara/contract/members/verification';
import { plans } from '@tara/contract/plans/plans';
import { posts } from '@tara/contract/posts/posts';
import { expect } from 'vitest';
import { accountLimits, accountRoutes } from './features/accounts/index.ts';
import { planRoutes } from './features/plans/routes.ts';
import { postRoutes } from './features/posts/routes.ts';
import { profileRoutes } from './features/profiles/routes.ts';
import { verificationRoutes } from './features/verification/routes.ts';
import { newId } from './platform/ids.ts';
import { insertMember } from './testing/features/members.ts';
import { insertPicture } from './testing/features/pictures.ts';
import { serverTest } from './testing/test.ts';

const test = serverTest((app, platform) => {
  accountRoutes(app, platform, accountLimits(false));
  planRoutes(app, platform);
  postRoutes(app, platform);
  profileRoutes(app, platform);
  verificationRoutes(app, platform, randomBytes(32));
})
  /** Sends a call as a new member, who may create plans, with a body that is right but for what `more` changes. */
  .extend('send', { scope: 'file' }, ({ database, server }) => async (name: BodyName, more: object) => {
    const isApplicant = name === 'verification.send';
    const member = await insertMember(database, { verified: !isApplicant });
    const upload = (bucket: 'images' | 'verificationFiles') =>
      insertPicture(database, { ownerAccountId: member.accountId, bucket });
    const { call, body } = bodies[name];
    return server.call(member, call, { body: { ...(await body(upload)), ...more } });
  });

type Upload = (bucket: 'images' | 'verificationFiles') => Promise<string>;
const terms = 'We meet in a public place and share the bill.';

/** The calls of forms, each with a right body. */
const bodies = {
  'accounts.signUp': {
    call: accounts.signUp,
    body: () => ({
      ...{ name: 'Ana Cruz', username: 'ana', email: `${newId()}@example.com` },
      ...{ password: 'correct horse battery', isAdult: true, acceptsTerms: true },
    }),
  },
  'posts.create': {
    call: posts.create,
    body: async (upload: Upload) => ({
      ...{ caption: '', location: '', tags: '', imageId: await upload('images') },
    }),
  },
  'profiles.updateAbout': {
    call: profiles.updateAbout,
    body: () => ({ ...eachAboutText(() => ''), birthDate: '1995-06-15', phoneNumber: '' }),
  },
  'plans.create': {
    call: plans.create,
    body: async (upload: Upload) => ({
      ...{ title: 'Coffee', desc: '', time: '', price: 250, terms, imageId: await upload('images') },
    }),
  },
  'verification.send': {
    call: verification.send,
    body: async (upload: Upload) => ({
      ...{ idFrontId: await upload('verificationFiles'), idBackId: await upload('verificationFiles') },
      ...{ photoId: await upload('verificationFiles'), address: '1 Mabini Street' },
    }),
  },
} satisfies Record<string, { call: Call; body: (upload: Upload) => object | Promise<object> }>;
type BodyName = keyof typeof bodies;

type Row = readonly [call: BodyName, field: string, min: number, max: number, rows: string];
const lengths: readonly Row[] = [
  ['accounts.signUp', 'name', 2, 20, '§5-name-length, §9-name-length'],
  ['accounts.signUp', 'username', 2, 15, '§5-username-length, §9-username-length'],
  ['accounts.signUp', 'password', 8, 256, '§5-password-length, §9-password-length'],
  ['posts.create', 'caption', 0, 5000, '§5-caption-length, §9-caption-length'],
  ['posts.create', 'location', 0, 100, '§5-location-length, §9-location-length'],
  ['profiles.updateAbout', 'bio', 0, 255, '§5-bio-length, §9-bio-length'],
  ['profiles.updateAbout', 'gender', 0, 15, '§5-gender-length'],
  ['profiles.updateAbout', 'lookingFor', 0, 100, '§5-looking-for-length'],
  ['profiles.updateAbout', 'hobby', 0, 80, '§5-hobby-length'],
  ['profiles.updateAbout', 'education', 0, 30, '§5-education-length'],
  ['profiles.updateAbout', 'phoneNumber', 0, 30, '§5-phone-number-length'],
  ['plans.create', 'title', 1, 30, '§5-plan-title-length, §9-plan-title-length'],
  ['plans.create', 'desc', 0, 5000, '§5-plan-desc-length, §9-plan-desc-length'],
  ['plans.create', 'time', 0, 10, '§5-plan-time-length'],
  ['plans.create', 'terms', 20, 5000, '§5-plan-terms-length, §9-plan-terms-length'],
  ['verification.send', 'address', 5, 100, '§5-address-length, §9-address-length'],
];

/** A text that is no common password. */
const characters = (length: number) => 'q7wz'.repeat(length).slice(0, length);

test.for(lengths)('%s takes a %s of %i to %i characters (%s)', async ([call, field, min, max], { send }) => {
  const sent = async (length: number) => send(call, { [field]: characters(length) });
  for (const length of [min, max]) expect((await sent(length)).reply).toBeDefined();
  for (const length of [min - 1, max + 1]) {
    if (length < 0) continue;
    const { status, problem } = await sent(length);
    expect([status, problem.type]).toEqual([400, 'general_argument_invalid']);
    expect(problem.fields).toEqual({ [field]: expect.any(String) });
  }
});
