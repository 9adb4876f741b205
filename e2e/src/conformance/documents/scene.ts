import { accounts } from '@tara/contract/accounts';
import { blocks } from '@tara/contract/blocks';
import { type Person, password, signIn } from '../../steps.ts';
import type { Case } from '../cases.ts';
import type { BaseScene, Member } from '../scene.ts';
import { callSdk, type SdkUser } from '../sdks.ts';

/** What cases of documents begin from. */
export interface DocumentScene {
  /** A post without a picture, made by the SDK; its id. */
  createPost(user: SdkUser, caption: string): Promise<string>;
  /** A session of the member at the product's own calls. */
  person(member: Pick<Member, 'email'>): Promise<Person>;
  profileId(member: Member): Promise<string>;
  /** Lets a member block another one. */
  blockMember(member: Member, other: Member): Promise<void>;
}

export function documentScene({ tara }: BaseScene): DocumentScene {
  const scene: DocumentScene = {
    createPost: async (user, caption) => {
      const args = ['tara', 'posts', 'unique()', { caption }];
      const { $id } = (await callSdk(user, 'databases', 'createDocument', args)) as { $id: string };
      return $id;
    },
    person: ({ email }) => signIn(tara.url, email, password),
    profileId: async (member) =>
      (await (await scene.person(member)).client.call(accounts.session)).profile.id,
    blockMember: async (member, other) => {
      const { client } = await scene.person(member);
      await client.call(blocks.block, { body: { profileId: await scene.profileId(other) } });
    },
  };
  return scene;
}

/** For the calls that name one document. */
export const missingPost: Case = {
  outcome: 'document_not_found',
  how: 'an unknown post',
  run: async ({ member }, invoke) => invoke((await member()).user, 'tara', 'posts', 'nothing'),
};
