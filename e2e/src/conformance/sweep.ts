import { sdkCalls } from './calls.ts';
import type { Case, SdkCall } from './cases.ts';

/** The calls that are made with every version of the SDKs: those that apps make most. */
const sweepNames: readonly string[] = [
  'POST /account',
  'POST /account/sessions/email',
  'GET /account',
  'GET /account/prefs',
  'PATCH /account/prefs',
  'PATCH /account/name',
  'GET /account/sessions',
  'GET /account/sessions/{sessionId}',
  'DELETE /account/sessions/{sessionId}',
  'POST /account/jwt',
  'POST /account/verification',
  'POST /account/recovery',
  'GET /databases/{databaseId}/collections/{collectionId}/documents',
  'GET /databases/{databaseId}/collections/{collectionId}/documents/{documentId}',
  'POST /databases/{databaseId}/collections/{collectionId}/documents',
  'PATCH /databases/{databaseId}/collections/{collectionId}/documents/{documentId}',
  'DELETE /databases/{databaseId}/collections/{collectionId}/documents/{documentId}',
  'POST /storage/buckets/{bucketId}/files',
  'GET /storage/buckets/{bucketId}/files',
  'GET /storage/buckets/{bucketId}/files/{fileId}',
  'PUT /storage/buckets/{bucketId}/files/{fileId}',
  'DELETE /storage/buckets/{bucketId}/files/{fileId}',
  'GET /storage/buckets/{bucketId}/files/{fileId}/view',
  'GET /storage/buckets/{bucketId}/files/{fileId}/preview',
  'subscribe to a conversation',
];

/** Each of these calls with its first success. @throws Error when there is no such call. */
export const sweepCalls: readonly { call: SdkCall; cases: readonly Case[] }[] = sweepNames.map((name) => {
  const call = sdkCalls.find((one) => one.name === name);
  const success = call?.cases.find(({ outcome }) => outcome === 'success');
  if (call === undefined || success === undefined) throw new Error(`There is no ${name}.`);
  return { call, cases: [success] };
});
