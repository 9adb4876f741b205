import { type CollectionId, collectionIds, documents } from '@tara/contract/wire/documents';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AccountLimits, mailUnaskedLink, readVisit } from '../../features/accounts/index.ts';
import type { DocumentChange } from '../../platform/documents.ts';
import { admit, serve } from '../../platform/http/serve.ts';
import { requireNotSuspended, type Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { carriesFileTokens, pictureAddresses } from '../pictures.ts';
import type { Collection, ReadDocument } from './collection.ts';
import { collections } from './collections/all.ts';
import { selectAttributes } from './present.ts';
import { isCounted, parseQueries, readQueries } from './queries.ts';
import {
  documentLists,
  findDocument,
  findRecord,
  type ReadContext,
  readLastState,
  type StoredRecord,
} from './read.ts';
import { parseListRequest, readListRequest } from './sql.ts';
import { asWire, changedData, checkPermissions, readData, requireGrant, writeLimits } from './write.ts';

const asMember = {
  access: 'member',
  recentPassword: null,
  recentSecondFactor: false,
  whileSuspended: true,
} as const;

const isCollection = (id: string): id is CollectionId => collectionIds.some((known) => known === id);

/** @throws Problem `collection_not_found` */
function collectionOf(id: string): Collection {
  const collection = isCollection(id) ? collections[id] : undefined;
  if (collection === undefined) throw new Problem('collection_not_found');
  return collection;
}

/** Whether the SDK reads `$sequence` as a number: one before the response format 1.9.0. */
function hasNumericSequence({ headers }: FastifyRequest): boolean {
  const format = /^1\.(\d+)/.exec(String(headers['x-appwrite-response-format']));
  return format !== null && Number(format[1]) < 9;
}

/**
 * Reads a changed record for an event of the realtime wire: a deleted one as it was. Null when it does not exist for the
 * viewer.
 */
export async function readRecord(
  context: ReadContext,
  change: DocumentChange,
  viewer: Viewer,
): Promise<StoredRecord | null> {
  const collection = collections[change.collection];
  if (change.change === 'delete') return readLastState(context.database, collection, change.last, viewer);
  const { spread } = collection;
  const key = spread?.records === 'workers' ? spread.keyOf(change.document) : undefined;
  return findRecord(context, collection, change.id, viewer, key);
}

/** Binds the documents calls of the backend service (§7). */
export function documentRoutes(
  app: FastifyInstance,
  platform: Platform,
  limits: Pick<AccountLimits, 'remindersByAccount' | 'messagesFromStrangers'>,
): void {
  const { config } = platform;
  const list = documentLists(platform);
  const limitOf = writeLimits(config.rateLimits, platform.openCounter);

  /** @throws Problem `database_not_found`, `collection_not_found` */
  const open = (params: { databaseId: string; collectionId: string }) => {
    if (params.databaseId !== config.databaseId) throw new Problem('database_not_found');
    return collectionOf(params.collectionId);
  };
  const form = (request: FastifyRequest) => {
    const session = carriesFileTokens(request, config) ? request.viewer?.sessionId : undefined;
    return {
      databaseId: config.databaseId,
      numericSequence: hasNumericSequence(request),
      pictures: pictureAddresses(platform, session ?? null),
    };
  };
  /** @throws Problem `document_not_found` */
  const find = async (collection: Collection, id: string, viewer: Viewer, request: FastifyRequest) => {
    const document = await findDocument(platform, collection, id, viewer, form(request));
    if (document === null) throw new Problem('document_not_found');
    return document;
  };
  /** What the server sets of a new document; other records are read only for what was sent beside that. */
  const readSets = async (
    { source, create: { fields, sets, relatedSets, findExisting } }: Collection,
    viewer: Viewer,
    sent: Record<string, unknown>,
    request: FastifyRequest,
  ) => {
    const own = sets?.(viewer, sent) ?? {};
    const isRefused = (known: Record<string, unknown>[]) =>
      Object.keys(changedData(sent, known)).some((name) => !Object.hasOwn(fields.shape, name));
    const read: ReadDocument = async (collectionId, id) =>
      (typeof id === 'string' &&
        (await findDocument(platform, collections[collectionId], id, viewer, form(request)))) ||
      {};
    if (!isRefused([own])) return [own];
    const known = [own, (await relatedSets?.(sent, read)) ?? {}];
    if (findExisting === undefined || !isRefused(known)) return known;
    const document = await read(source.collectionId, await findExisting(platform, viewer, sent));
    // What the creation itself reads is left to it.
    const rest = Object.entries(document).filter(([name]) => !Object.hasOwn(fields.shape, name));
    return [...known, Object.fromEntries(rest)];
  };
  const contextOf = (request: FastifyRequest) => ({ ...platform, visit: readVisit(request) });

  /**
   * Admits members. Who is refused for an unconfirmed email is mailed the link, at most once an hour: not every app has a
   * screen that asks for it.
   */
  const admitMember = async (viewer: Viewer, request: FastifyRequest) => {
    if (!viewer.emailVerified && (await limits.remindersByAccount.allows(viewer.accountId)))
      await mailUnaskedLink(platform, viewer.accountId, limits, readVisit(request));
    admit(asMember, viewer);
  };
  const admitReader = async ({ whileUnconfirmed }: Collection, viewer: Viewer, request: FastifyRequest) => {
    const isOwn = whileUnconfirmed === true && !viewer.emailVerified && viewer.deletesAt === null;
    if (!isOwn) await admitMember(viewer, request);
  };

  serve(app, documents.list, async ({ viewer, params, query, request }) => {
    const collection = open(params);
    await admitReader(collection, viewer, request);
    const listRequest = parseListRequest(collection, viewer, readQueries(query));
    return list(collection, viewer, listRequest, { ...form(request), counted: isCounted(query) });
  });

  serve(app, documents.get, async ({ viewer, params, query, request }) => {
    const collection = open(params);
    await admitReader(collection, viewer, request);
    const queries = parseQueries(readQueries(query), { only: 'select' });
    const { select } = readListRequest(collection, viewer, queries);
    return selectAttributes(await find(collection, params.documentId, viewer, request), select);
  });

  serve(
    app,
    documents.create,
    async ({ viewer, params, body, request }) => {
      const collection = open(params);
      const { create } = collection;
      if (create.unconfirmed !== true) await admitMember(viewer, request);
      if (create.whileSuspended !== true) requireNotSuspended(viewer);
      checkPermissions(body.permissions);
      const sent = body.data ?? {};
      if (Object.keys(sent).length === 0) throw new Problem('document_missing_data');
      const data = readData(create.fields, sent, await readSets(collection, viewer, sent, request));
      await limitOf(collection.source, 'create', create.perMinute).consume(viewer.accountId);
      const documentId = body.documentId === 'unique()' ? null : body.documentId;
      const id = await asWire(() =>
        create.run(contextOf(request), viewer, { data: data as never, documentId }),
      );
      return find(collection, id, viewer, request);
    },
    { perMinute: 120 },
  );

  serve(
    app,
    documents.update,
    async ({ viewer, params, body, request }) => {
      const collection = open(params);
      await admitMember(viewer, request);
      const { update } = collection;
      const { data: sent, permissions } = body;
      if (!sent && !permissions) throw new Problem('document_missing_payload');
      checkPermissions(permissions);
      const document = await find(collection, params.documentId, viewer, request);
      requireGrant(viewer, document, 'update');
      if (!update) throw new Problem('user_unauthorized');
      const data = readData(update.fields, sent ?? {}, [document]);
      const { whileSuspended = [] } = update;
      if (!Object.keys(data).every((name) => whileSuspended.includes(name))) requireNotSuspended(viewer);
      if (Object.keys(data).length === 0) return document;
      await limitOf(collection.source, 'update', update.perMinute).consume(viewer.accountId);
      await asWire(() => update.run(contextOf(request), viewer, { data: data as never, document }));
      return find(collection, params.documentId, viewer, request);
    },
    { perMinute: 120 },
  );

  serve(
    app,
    documents.delete,
    async ({ viewer, params, request }) => {
      const collection = open(params);
      await admitMember(viewer, request);
      const { delete: removal } = collection;
      if (removal?.whileSuspended !== true) requireNotSuspended(viewer);
      const document = await find(collection, params.documentId, viewer, request);
      requireGrant(viewer, document, 'delete');
      if (!removal) throw new Problem('user_unauthorized');
      await limitOf(collection.source, 'delete', removal.perMinute).consume(viewer.accountId);
      await asWire(() => removal.run(contextOf(request), viewer, document));
      return undefined;
    },
    { perMinute: 60 },
  );
}
