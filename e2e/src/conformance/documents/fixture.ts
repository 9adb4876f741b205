import { accounts } from '@tara/contract/accounts/accounts';
import { blocks } from '@tara/contract/members/blocks';
import { type Person, password, signIn } from '../../steps.ts';
import type { Case } from '../cases.ts';
import type { BaseFixture, Member } from '../fixture.ts';
import { callSdk, type SdkUser } from '../sdks.ts';

/** What cases of documents begin from. */
export interface DocumentFixture {
  /** A post without a picture, made by the SDK; its id. */
  createPost(user: SdkUser, caption: string): Promise<string>;
  /** A session of the member at the product's own calls. */
  person(member: Pick<Member, 'email'>): Promise<Person>;
  profileId(member: Member): Promise<string>;
  /** Lets a member block another one. */
  blockMember(member: Member, other: Member): Promise<void>;
}

export function documentFixture({ tara }: BaseFixture): DocumentFixture {
  const fixture: DocumentFixture = {
    createPost: async (user, caption) => {
      const args = ['tara', 'posts', 'unique()', { caption }];
      const { $id } = (await callSdk(user, 'databases', 'createDocument', args)) as { $id: string };
      return $id;
    },
    person: ({ email }) => signIn(tara.url, email, password),
    profileId: async (member) =>
      (await (await fixture.person(member)).client.call(accounts.session)).profile.id,
    blockMember: async (member, other) => {
      const { client } = await fixture.person(member);
      await client.call(blocks.block, { body: { profileId: await fixture.profileId(other) } });
    },
  };
  return fixture;
}

/** Whom every collection but the three of one's own refuses. */
export const membersOnly = ['user_email_unverified', 'account_leaving'] as const;

/** For the calls that name one document. */
export const missingPost: Case = {
  outcome: 'document_not_found',
  how: 'an unknown post',
  run: async ({ member }, invoke) => invoke((await member()).user, 'tara', 'posts', 'nothing'),
};

/** What is in no database and no collection of ours; `args` are those of the call after the two. */
export const elsewhere = (...args: unknown[]): Case[] => [
  {
    outcome: 'database_not_found',
    how: 'another database',
    run: async ({ member }, invoke) => invoke((await member()).user, 'other', 'posts', ...args),
  },
  {
    outcome: 'collection_not_found',
    how: 'another collection',
    run: async ({ member }, invoke) => invoke((await member()).user, 'tara', 'other', ...args),
  },
];
