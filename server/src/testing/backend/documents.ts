import type { CollectionId, Document } from '@tara/contract/wire/documents';
import { expect } from 'vitest';
import { addMember, type TestMember } from '../features/sessions.ts';
import { backendTest, friendlyOrigin } from './backend.ts';
import { openBrowser } from './browser.ts';

interface DocumentPage {
  total: number;
  documents: Document[];
}

/** The documents of the test server by one of the official SDKs, signed in as a member. */
export interface SdkDocuments {
  /** Writes queries in the syntax of the SDK. Give single values: SDK 13 does not know lists from outside its context. */
  query: Pick<
    typeof import('appwrite-13').Query,
    | 'equal'
    | 'notEqual'
    | 'lessThan'
    | 'greaterThan'
    | 'between'
    | 'isNull'
    | 'isNotNull'
    | 'search'
    | 'startsWith'
    | 'select'
    | 'orderAsc'
    | 'orderDesc'
    | 'limit'
    | 'offset'
    | 'cursorAfter'
    | 'cursorBefore'
  >;
  list(collection: CollectionId, queries?: string[]): Promise<DocumentPage>;
  get(collection: CollectionId, id: string, queries?: string[]): Promise<Document>;
  create(collection: CollectionId, id: string, data: object, permissions?: string[]): Promise<Document>;
  update(collection: CollectionId, id: string, data?: object, permissions?: string[]): Promise<Document>;
  delete(collection: CollectionId, id: string): Promise<unknown>;
}

const databaseId = 'tara';

/** What an SDK answers comes from a context of its own: a copy equals what a test expects. */
const own = async <Value>(answer: Promise<Value>): Promise<Value> => JSON.parse(JSON.stringify(await answer));

/** What is used of the class of either SDK. */
export interface SdkDatabases {
  listDocuments(databaseId: string, collection: string, queries?: string[]): Promise<DocumentPage>;
  getDocument(databaseId: string, collection: string, id: string, queries?: string[]): Promise<Document>;
  createDocument(
    databaseId: string,
    collection: string,
    id: string,
    data: object,
    permissions?: string[],
  ): Promise<Document>;
  updateDocument(
    databaseId: string,
    collection: string,
    id: string,
    data?: object,
    permissions?: string[],
  ): Promise<Document>;
  deleteDocument(databaseId: string, collection: string, id: string): Promise<unknown>;
}

interface Loaded {
  sdk: {
    Client: new () => { setEndpoint(url: string): { setProject(id: string): object } };
    Databases: new (client: never) => object;
    Query: object;
  };
  cookies: Map<string, string>;
}

const openWith =
  (open: () => Loaded) =>
  (url: string, { secret }: Pick<TestMember, 'secret'>): SdkDocuments => {
    const { sdk, cookies } = open();
    cookies.set('a_session_tara', secret);
    const client = new sdk.Client().setEndpoint(`${url}/v1`).setProject('tara');
    const databases = new sdk.Databases(client as never) as SdkDatabases;
    return {
      query: sdk.Query as SdkDocuments['query'],
      list: (...args) => own(databases.listDocuments(databaseId, ...args)),
      get: (...args) => own(databases.getDocument(databaseId, ...args)),
      create: (...args) => own(databases.createDocument(databaseId, ...args)),
      update: (...args) => own(databases.updateDocument(databaseId, ...args)),
      delete: (...args) => databases.deleteDocument(databaseId, ...args),
    };
  };

/** The SDKs that the documents are tested with, for `describe.each`. */
export const sdks = [
  ['SDK 13.0.2', openWith(() => openBrowser('appwrite-13', { origin: friendlyOrigin }))],
  ['SDK 27.0.0', openWith(() => openBrowser('appwrite-27', { origin: friendlyOrigin }))],
] as const;

/** What an SDK throws. */
export const refused = (code: number, type: string, message: unknown = expect.any(String)) =>
  expect.objectContaining({ code, type, message });

/** Tests of documents: Ana, Ben and Cora, who are signed in. */
export const documentsTest = (parts?: Parameters<typeof backendTest>[1]) =>
  backendTest(undefined, parts)
    .extend('ana', { scope: 'file' }, ({ connection }) => addMember(connection, { name: 'Ana Cruz' }))
    .extend('ben', { scope: 'file' }, ({ connection }) => addMember(connection, { name: 'Ben Reyes' }))
    .extend('cora', { scope: 'file' }, ({ connection }) => addMember(connection, { name: 'Cora Lim' }));

/** A document without the tokens in addresses of pictures, which are those of each reader. */
export const withoutTokens = <Value>(document: Value): Value =>
  JSON.parse(JSON.stringify(document).replaceAll(/&token=[^"&]*/g, ''));
