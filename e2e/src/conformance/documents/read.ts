import assert from 'node:assert/strict';
import { collectionIds, documents } from '@tara/contract/wire/documents';
import { databaseCall, refusedMembers } from '../cases.ts';
import { callSdk, readsSequenceAsText } from '../sdks.ts';
import { elsewhere, membersOnly, missingPost } from './fixture.ts';

const db = 'tara';

/** Reading documents: lists with queries, and one document. */
export const readCalls = [
  databaseCall(documents.list, {
    row: '§7-documents-list',
    methods: ['listDocuments'],
    args: [db, 'posts'],
    cases: [
      {
        outcome: 'success',
        how: 'lists posts of a member in pages, by a filter, an order, a limit and a cursor',
        run: async ({ newMember, createPost, profileId, query }, invoke) => {
          const member = await newMember();
          const creator = await profileId(member);
          const ids: string[] = [];
          for (const caption of ['one', 'two', 'three']) ids.unshift(await createPost(member.user, caption));
          const queries = [query.equal('creatorId', creator), query.orderDesc('$createdAt'), query.limit(2)];
          const first = await invoke(member.user, db, 'posts', queries);
          assert.deepEqual([first.total, first.documents.map(({ $id }) => $id)], [3, ids.slice(0, 2)]);
          const after = [...queries, query.cursorAfter(ids[1])];
          const second = await invoke(member.user, db, 'posts', after);
          assert.deepEqual(
            second.documents.map(({ $id }) => $id),
            ids.slice(2),
          );
        },
      },
      {
        outcome: 'success',
        how: 'finds posts by a word of the caption',
        run: async ({ newMember, createPost, query }, invoke) => {
          const { user, accountId } = await newMember();
          const word = `word${accountId.replace(/[^a-z0-9]/g, '').slice(0, 12)}`;
          const id = await createPost(user, `A ${word} by the sea`);
          const hits = await invoke(user, db, 'posts', [query.search('caption', word)]);
          assert.deepEqual(
            hits.documents.map(({ $id }) => $id),
            [id],
          );
        },
      },
      {
        outcome: 'success',
        how: 'lists each of the 16 collections of a member, and `getDocument` answers what the list has',
        run: async ({ payingMember, query }, invoke) => {
          const { user } = await payingMember();
          const filled: string[] = [];
          for (const collection of collectionIds) {
            const page = await invoke(user, db, collection, [query.limit(5)]);
            const [first] = page.documents;
            if (first === undefined) continue;
            filled.push(collection);
            assert.equal(first.$collectionId, collection);
            const read = await callSdk(user, 'databases', 'getDocument', [db, collection, first.$id]);
            assert.deepEqual(read, first);
          }
          const own = ['users', 'plans', 'planInteractions', 'conversationReceipts', 'friendLists'];
          assert.deepEqual(
            own.filter((collection) => !filled.includes(collection)),
            [],
          );
        },
      },
      {
        outcome: 'general_argument_invalid',
        how: '101 queries',
        run: async ({ member, query }, invoke) =>
          invoke((await member()).user, db, 'posts', Array<string>(101).fill(query.limit(1))),
      },
      {
        outcome: 'general_query_invalid',
        how: 'an attribute that the collection does not have',
        run: async ({ member, query }, invoke) =>
          invoke((await member()).user, db, 'posts', [query.equal('nothing', ['x'])]),
      },
      {
        outcome: 'general_query_invalid',
        how: 'an attribute without an index',
        run: async ({ member, query }, invoke) =>
          invoke((await member()).user, db, 'posts', [query.equal('location', ['Cebu'])]),
      },
      {
        outcome: 'general_query_invalid',
        how: 'a text that is no query',
        run: async ({ member }, invoke) => invoke((await member()).user, db, 'posts', ['drop table posts']),
      },
      {
        outcome: 'general_cursor_not_found',
        how: 'a cursor after an unknown post',
        run: async ({ member, query }, invoke) =>
          invoke((await member()).user, db, 'posts', [query.cursorAfter('nothing')]),
      },
      {
        outcome: 'database_query_order_null',
        how: 'a cursor after a request without the attribute that orders',
        run: async ({ payingMember, query }, invoke) => {
          const { user } = await payingMember();
          const { documents } = await invoke(user, db, 'planInteractions');
          const id = documents[0]?.$id;
          const queries = [query.orderDesc('adminSetDone'), query.cursorAfter(id)];
          return invoke(user, db, 'planInteractions', queries);
        },
      },
      ...refusedMembers(membersOnly, db, 'posts'),
      ...elsewhere(),
    ],
  }),
  databaseCall(documents.get, {
    row: '§7-documents-get',
    methods: ['getDocument'],
    args: [db, 'posts', 'nothing'],
    cases: [
      {
        outcome: 'success',
        how: 'reads a post of another member, with its creator',
        run: async ({ sdk, newMember, createPost, profileId, member }, invoke) => {
          const writer = await newMember();
          const id = await createPost(writer.user, 'Hello');
          const post = await invoke((await member()).user, db, 'posts', id);
          assert.deepEqual([post.$id, post.$collectionId, post.$databaseId], [id, 'posts', db]);
          assert.match(post.$createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
          assert.equal(typeof post.$sequence, readsSequenceAsText(sdk) ? 'string' : 'number');
          const { caption, creator } = post as { caption?: string; creator?: { $id: string } };
          assert.deepEqual([caption, creator?.$id], ['Hello', await profileId(writer)]);
        },
      },
      {
        outcome: 'general_query_invalid',
        how: 'a limit, which means nothing of one document',
        parameter: 'queries',
        run: async ({ member, createPost, query }, invoke) => {
          const { user } = await member();
          return invoke(user, db, 'posts', await createPost(user, 'Hello'), [query.limit(1)]);
        },
      },
      missingPost,
      {
        outcome: 'document_not_found',
        how: 'a post of a member who blocked the reader',
        run: async ({ newMember, createPost, blockMember }, invoke) => {
          const [writer, reader] = [await newMember(), await newMember()];
          const id = await createPost(writer.user, 'Hello');
          await blockMember(writer, reader);
          return invoke(reader.user, db, 'posts', id);
        },
      },
      ...refusedMembers(membersOnly, db, 'posts', 'nothing'),
      ...elsewhere('nothing'),
    ],
  }),
];
