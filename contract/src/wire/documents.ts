import * as z from 'zod/mini';
import { calls, del, get, patch, post } from '../calls.ts';
import { Id, NewId, Time } from '../fields.ts';

/** The collections of the backend service (§3). */
export const collectionIds = [
  'users',
  'posts',
  'likedPosts',
  'saves',
  'plans',
  'planInteractions',
  'conversationReceipts',
  'chatReceipts',
  'conversations',
  'chats',
  'conversationOwners',
  'verifying',
  'reviews',
  'likedReviews',
  'reviewComments',
  'friendLists',
] as const;
export type CollectionId = (typeof collectionIds)[number];

/** A document on the wire: these fields, and the attributes of its collection. */
export const Document = z.looseObject({
  $id: z.string(),
  /** A number for SDKs before the response format 1.9.0. */
  $sequence: z.union([z.string(), z.int()]),
  $collectionId: z.string(),
  $databaseId: z.string(),
  $createdAt: Time,
  $updatedAt: Time,
  $permissions: z.array(z.string()),
});
export type Document = z.infer<typeof Document>;

/** Which database and collection there are is said by the handler, in the words of the wire. */
const CollectionParams = z.object({
  databaseId: z.string().check(z.maxLength(36)),
  collectionId: z.string().check(z.maxLength(36)),
});
const DocumentParams = z.extend(CollectionParams, { documentId: Id });

/** `queries[0]`, `queries[1]` … or `queries[]`, in either syntax of the SDKs. */
const OneQuery = z.string().check(z.maxLength(4096));
const QueryText = z.union([OneQuery, z.array(OneQuery).check(z.maxLength(100))]);
const DocumentQuery = z.catchall(z.object({ 'queries[]': z.optional(QueryText) }), z.unknown());
export const ListQuery = z.extend(DocumentQuery, { total: z.optional(z.string().check(z.maxLength(16))) });

/** Longer than all attributes of any collection together; each has its own rule there. */
const dataLength = 65_536;
const Data = z
  .record(z.string(), z.unknown())
  .check(
    z.refine(
      (data) => JSON.stringify(data).length <= dataLength,
      `Must be at most ${dataLength} characters as JSON.`,
    ),
  );
/** Checked for their form; what is granted is decided by the rules of the collection (decision 0090). */
export const Permissions = z.nullish(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(100)));

const missing = ['database_not_found', 'collection_not_found'] as const;

/** The documents of the backend service (§7). What a collection holds is a table of `server/src/backend/documents/collections`. */
export const documents = calls('/v1/databases', {
  list: get('/:databaseId/collections/:collectionId/documents', {
    summary:
      'The documents of a collection that the caller may read, 25 or `limit` of them (at most 100); `total` counts up to 5,000.',
    access: 'account',
    params: CollectionParams,
    query: ListQuery,
    reply: z.object({ total: z.int(), documents: z.array(Document) }),
    errors: [
      ...missing,
      'general_query_invalid',
      'general_cursor_not_found',
      'database_query_order_null',
      'database_timeout',
    ],
  }),
  get: get('/:databaseId/collections/:collectionId/documents/:documentId', {
    summary: 'One document; of `queries` only `select` has a meaning.',
    access: 'account',
    params: DocumentParams,
    query: DocumentQuery,
    reply: Document,
    errors: ['document_not_found', ...missing, 'general_query_invalid'],
  }),
  create: post('/:databaseId/collections/:collectionId/documents', {
    // The collection says what a suspended member may end.
    whileSuspended: true,
    whileDiskFull: false,
    summary:
      'Creates a document by the rules of the product: the collection says which attributes the caller may set.',
    access: 'account',
    status: 201,
    params: CollectionParams,
    body: z.object({
      documentId: NewId,
      data: z.nullish(Data),
      permissions: Permissions,
    }),
    reply: Document,
    errors: [
      ...missing,
      'document_missing_data',
      'document_invalid_structure',
      'document_already_exists',
      'document_not_found',
    ],
  }),
  update: patch('/:databaseId/collections/:collectionId/documents/:documentId', {
    whileSuspended: true,
    whileDiskFull: false,
    summary: 'Changes the attributes of `data` that the caller may change.',
    access: 'account',
    params: DocumentParams,
    body: z.object({ data: z.nullish(Data), permissions: Permissions }),
    reply: Document,
    errors: [
      'document_not_found',
      ...missing,
      'document_missing_payload',
      'document_invalid_structure',
      'user_unauthorized',
    ],
  }),
  delete: del('/:databaseId/collections/:collectionId/documents/:documentId', {
    whileSuspended: true,
    summary: 'Deletes a document that the caller may delete.',
    access: 'account',
    status: 204,
    params: DocumentParams,
    reply: z.undefined(),
    errors: ['document_not_found', ...missing, 'user_unauthorized'],
  }),
});
