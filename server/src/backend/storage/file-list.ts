import type { BucketId } from '@tara/contract/files';
import type { CollectionId } from '@tara/contract/wire/documents';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { type FileRow, files } from '../../features/files/index.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { attribute, type ReadableCollection } from '../documents/collection.ts';
import { isCounted, parseQueries, readQueries } from '../documents/queries.ts';
import { documentLists } from '../documents/read.ts';
import { readListRequest } from '../documents/sql.ts';
import { pictureAddresses } from '../pictures.ts';

/** The files of a bucket as a collection: a member lists their own, and all they may be asked by is indexed by owner. */
function bucketCollection(bucket: BucketId): ReadableCollection {
  const indexed = { indexed: true } as const;
  const own = ({ accountId }: Viewer) => and(eq(files.ownerAccountId, accountId), eq(files.bucket, bucket));
  return {
    source: {
      // Files are listed by the queries of documents, and are no collection of theirs; nothing shows this name.
      collectionId: 'files' as CollectionId,
      table: files,
      id: sql`coalesce(${files.chosenId}, ${files.id})`,
      createdAt: files.createdAt,
      updatedAt: files.updatedAt,
      parties: [],
      permissions: () => [],
      attributes: {
        name: attribute('string', files.name, indexed),
        signature: attribute('string', files.signature, indexed),
        mimeType: attribute('string', files.mimeType, indexed),
        sizeOriginal: attribute('integer', files.size, indexed),
        chunksTotal: attribute('integer', files.parts, indexed),
        chunksUploaded: attribute('integer', files.parts, indexed),
        storedId: attribute('string', files.id),
      },
    },
    readable: { list: own, one: own },
    announced: false,
  };
}

const buckets: Record<BucketId, ReadableCollection> = {
  images: bucketCollection('images'),
  messageFiles: bucketCollection('messageFiles'),
  verificationFiles: bucketCollection('verificationFiles'),
};

interface FileQuery {
  search?: string | undefined;
  total?: string | undefined;
  [name: string]: unknown;
}

/** The lists of files, by the queries of documents. */
export function fileLists(platform: Pick<Platform, 'database' | 'sharded' | 'bus' | 'config' | 'sealer'>) {
  const { database, config } = platform;
  const list = documentLists(platform);
  const pictures = pictureAddresses(platform, null);
  /** @throws Problem `general_query_invalid`, `general_cursor_not_found` */
  return async (
    viewer: Viewer,
    bucket: BucketId,
    query: FileQuery,
  ): Promise<{ total: number; files: FileRow[] }> => {
    const collection = buckets[bucket];
    const request = readListRequest(collection, viewer, parseQueries(readQueries(query)));
    const { search = '' } = query;
    const filter =
      search === ''
        ? request.filter
        : and(request.filter, sql`strpos(lower(${files.name}), lower(${search}::text)) > 0`);
    const { databaseId } = config;
    const options = { databaseId, pictures, numericSequence: false, counted: isCounted(query) };
    // A file is always whole.
    const { total, documents } = await list(
      collection,
      viewer,
      { ...request, filter, select: null },
      options,
    );
    const ids = documents.map(({ storedId }) => String(storedId));
    const rows = await database.select().from(files).where(inArray(files.id, ids));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return { total, files: ids.flatMap((id) => byId.get(id) ?? []) };
  };
}
