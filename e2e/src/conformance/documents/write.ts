import assert from 'node:assert/strict';
import { documents } from '@tara/contract/wire/documents';
import { databaseCall, refusedMembers } from '../cases.ts';
import { elsewhere, membersOnly, missingPost } from './fixture.ts';

const db = 'tara';
const structure = 'document_invalid_structure';

/** Writing documents. */
export const writeCalls = [
  databaseCall(documents.create, {
    row: '§7-documents-create',
    methods: ['createDocument'],
    args: [db, 'posts', 'unique()', { caption: 'Hello' }],
    cases: [
      {
        outcome: 'success',
        how: 'makes a post, with an id of the caller or of the server; permissions have no effect',
        run: async ({ newMember }, invoke) => {
          const { user, accountId } = await newMember();
          const first = await invoke(user, db, 'posts', 'unique()', { caption: 'Hello' }, ['read("any")']);
          assert.notEqual(first.$id, 'unique()');
          assert.ok(first.$permissions.includes(`update("user:${accountId}")`));
          assert.ok(!first.$permissions.includes('read("any")'));
          const id = `own-${accountId.slice(0, 30)}`;
          const second = await invoke(user, db, 'posts', id, { caption: 'Again' });
          assert.equal(second.$id, id);
        },
      },
      {
        outcome: 'success',
        how: 'answers the lists of chats and friends, which the server made with the profile, as they are',
        run: async ({ newMember }, invoke) => {
          const { user, accountId } = await newMember();
          const lists = { conversationOwners: { conversations: [] }, friendLists: { friends: [] } };
          for (const [collection, list] of Object.entries(lists)) {
            const { $permissions } = await invoke(user, db, collection, 'unique()', list);
            assert.ok($permissions.includes(`read("user:${accountId}")`));
          }
        },
      },
      {
        outcome: 'general_argument_invalid',
        how: 'a permission that is none',
        run: async ({ member }, invoke) =>
          invoke((await member()).user, db, 'posts', 'unique()', { caption: 'Hello' }, ['read(any)']),
      },
      {
        outcome: 'general_argument_invalid',
        how: 'an id that begins with a special character',
        run: async ({ member }, invoke) =>
          invoke((await member()).user, db, 'posts', '_own', { caption: 'Hello' }),
      },
      {
        outcome: 'document_missing_data',
        how: 'data without an attribute',
        run: async ({ member }, invoke) => invoke((await member()).user, db, 'posts', 'unique()', {}),
      },
      {
        outcome: structure,
        how: 'an attribute that the collection does not have',
        run: async ({ member }, invoke) =>
          invoke((await member()).user, db, 'posts', 'unique()', { caption: 'Hello', nothing: 1 }),
      },
      {
        outcome: structure,
        how: 'a number where a text belongs',
        run: async ({ member }, invoke) =>
          invoke((await member()).user, db, 'posts', 'unique()', { caption: 5 }),
      },
      {
        outcome: structure,
        how: 'another member as creator',
        run: async ({ member }, invoke) =>
          invoke((await member()).user, db, 'posts', 'unique()', { caption: 'Hello', creatorId: 'another' }),
      },
      {
        outcome: 'document_already_exists',
        how: 'an id that has a document',
        run: async ({ member, createPost }, invoke) => {
          const { user } = await member();
          const id = await createPost(user, 'Hello');
          return invoke(user, db, 'posts', id, { caption: 'Again' });
        },
      },
      {
        outcome: 'document_not_found',
        how: 'a comment of an unknown review',
        run: async ({ member }, invoke) => {
          const comment = { reviewId: 'nothing', body: 'Hello' };
          return invoke((await member()).user, db, 'reviewComments', 'unique()', comment);
        },
      },
      ...refusedMembers([...membersOnly, 'user_suspended'], db, 'posts', 'unique()', { caption: 'Hello' }),
      ...elsewhere('unique()', { caption: 'Hello' }),
    ],
  }),
  databaseCall(documents.update, {
    row: '§7-documents-update',
    methods: ['updateDocument'],
    args: [db, 'posts', 'nothing'],
    cases: [
      {
        outcome: 'success',
        how: 'changes what is sent, and takes back the whole document as it was read',
        run: async ({ newMember, createPost }, invoke) => {
          const { user } = await newMember();
          const id = await createPost(user, 'Hello');
          const changed = await invoke(user, db, 'posts', id, { location: 'Cebu' });
          assert.deepEqual([changed.caption, changed.location], ['Hello', 'Cebu']);
          const again = await invoke(user, db, 'posts', id, { ...changed, caption: 'Goodbye' });
          assert.deepEqual([again.caption, again.location], ['Goodbye', 'Cebu']);
          assert.deepEqual(again.$createdAt, changed.$createdAt);
        },
      },
      {
        outcome: 'general_argument_invalid',
        how: 'a permission that is none',
        run: async ({ member, createPost }, invoke) => {
          const { user } = await member();
          return invoke(user, db, 'posts', await createPost(user, 'Hello'), {}, ['read(any)']);
        },
      },
      {
        outcome: 'document_missing_payload',
        how: 'neither data nor permissions',
        run: async ({ member, createPost }, invoke) => {
          const { user } = await member();
          return invoke(user, db, 'posts', await createPost(user, 'Hello'));
        },
      },
      {
        outcome: structure,
        how: 'a total that the server counts',
        run: async ({ member, createPost }, invoke) => {
          const { user } = await member();
          return invoke(user, db, 'posts', await createPost(user, 'Hello'), { totalLikes: 5 });
        },
      },
      {
        outcome: 'document_not_found',
        how: 'an unknown post',
        run: async ({ member }, invoke) =>
          invoke((await member()).user, db, 'posts', 'nothing', { caption: 'Hello' }),
      },
      {
        outcome: 'user_unauthorized',
        how: 'a post of another member',
        run: async ({ newMember, createPost, member }, invoke) => {
          const id = await createPost((await newMember()).user, 'Hello');
          return invoke((await member()).user, db, 'posts', id, { caption: 'Mine' });
        },
      },
      {
        outcome: 'user_suspended',
        how: 'a post of the member, who was suspended since',
        run: async ({ newMember, createPost, suspend, guest, signIn }, invoke) => {
          const writer = await newMember();
          const id = await createPost(writer.user, 'Hello');
          await suspend(writer.accountId);
          const user = guest();
          await signIn(user, writer.email);
          return invoke(user, db, 'posts', id, { caption: 'Goodbye' });
        },
      },
      ...refusedMembers(membersOnly, db, 'posts', 'nothing', { caption: 'Hello' }),
      ...elsewhere('nothing', { caption: 'Hello' }),
    ],
  }),
  databaseCall(documents.delete, {
    row: '§7-documents-delete',
    methods: ['deleteDocument'],
    args: [db, 'posts', 'nothing'],
    cases: [
      {
        outcome: 'success',
        how: 'deletes a post of the member, which cannot be read then',
        run: async ({ newMember, createPost }, invoke) => {
          const { user } = await newMember();
          const id = await createPost(user, 'Hello');
          await invoke(user, db, 'posts', id);
          await assert.rejects(invoke(user, db, 'posts', id), { type: 'document_not_found' });
        },
      },
      missingPost,
      {
        outcome: 'user_unauthorized',
        how: 'a post of another member',
        run: async ({ newMember, createPost, member }, invoke) => {
          const id = await createPost((await newMember()).user, 'Hello');
          return invoke((await member()).user, db, 'posts', id);
        },
      },
      ...refusedMembers([...membersOnly, 'user_suspended'], db, 'posts', 'nothing'),
      ...elsewhere('nothing'),
    ],
  }),
];
