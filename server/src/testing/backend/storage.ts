import { randomBytes } from 'node:crypto';
import type { BucketId } from '@tara/contract/files';
import { eq } from 'drizzle-orm';
import { storageRoutes } from '../../backend/storage/storage.ts';
import { attachFile, files as rows } from '../../features/files/index.ts';
import { quietLog } from '../../platform/log.ts';
import { insertMember, type Member } from '../features/members.ts';
import type { TestServer } from '../server.ts';
import { serverTest } from '../test.ts';

/** Encrypts the identity pictures of these tests. */
export const documentsKey = randomBytes(32);

/** Uploads as a browser's form does. */
export async function sendFile(
  server: TestServer,
  who: Member | null,
  { bytes, bucket = 'images', name = 'sea.jpg', fileId, headers, permissions = [] }: Sent,
) {
  const form = new FormData();
  if (fileId !== undefined) form.append('fileId', fileId);
  if (bytes) form.append('file', new Blob([Uint8Array.from(bytes)], { type: 'image/jpeg' }), name);
  for (const permission of permissions) form.append('permissions[]', permission);
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const payload = Buffer.from(await request.arrayBuffer());
  const response = await server.request(who, {
    method: 'POST',
    url: `/v1/storage/buckets/${bucket}/files`,
    headers: { 'content-type': request.headers.get('content-type') ?? '', ...headers },
    payload,
  });
  return { status: response.statusCode, body: response.json() };
}

/** Tests of the storage calls: Ana and Ben, and how files are sent, seen and used. */
export const test = serverTest((app, platform) => storageRoutes(app, platform, documentsKey))
  .extend('ana', ({ database }) => insertMember(database, { name: 'Ana' }))
  .extend('ben', ({ database }) => insertMember(database, { name: 'Ben' }))
  .extend(
    'send',
    { scope: 'file' },
    ({ server }) =>
      (who: Member | null, sent: Sent) =>
        sendFile(server, who, sent),
  )
  .extend(
    'view',
    { scope: 'file' },
    ({ server }) =>
      (who: Member, id: string, { bucket = 'images', query = '' } = {}) =>
        server.request(who, {
          url: `/v1/storage/buckets/${bucket}/files/${id}/${query === '' ? 'view' : `preview?${query}`}`,
        }),
  )
  .extend(
    'use',
    { scope: 'file' },
    ({ database }) =>
      (id: string, owner: Member, bucket: BucketId = 'images', readers?: string[]) =>
        database.transaction((transaction) =>
          attachFile(transaction, { id, ownerAccountId: owner.accountId, bucket, readers }),
        ),
  )
  .extend(
    'countFiles',
    { scope: 'file' },
    ({ database }) =>
      (owner: Member) =>
        database.$count(rows, eq(rows.ownerAccountId, owner.accountId)),
  );

export interface Sent {
  bytes?: Buffer;
  bucket?: string;
  name?: string;
  fileId?: string;
  headers?: Record<string, string>;
  permissions?: string[];
}

/** What a task is given. */
export const helpers = { log: quietLog(), attempt: 1, maxAttempts: 1, signal: new AbortController().signal };
