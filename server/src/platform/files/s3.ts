import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { hasCode } from '../error-code.ts';
import { checkKey, FileNotFound, type FileStore, StoreAway, StoreFull } from './store.ts';

/** The bucket of an S3 store, and the keys that open it. */
export interface S3Settings {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A file store in the bucket of an S3 store. */
export interface S3Store extends FileStore {
  /** Asks whether the bucket answers. @throws StoreAway */
  probe(): Promise<void>;
  /** Removes the parts of uploads that began before and never ended, as those of a crash; returns how many uploads. */
  abortUploads(before: Date): Promise<number>;
  close(): void;
}

/** Bytes of one part of a file whose length is not known; at least 5 MiB, by the rules of S3. */
const partSizeBytes = 8 * 1024 * 1024;

/** HTTP status by which the store answered; undefined when it did not. */
export const statusOf = (error: unknown): number | undefined => {
  const metadata: unknown = Reflect.get(Object(error), '$metadata');
  return (metadata as { httpStatusCode?: number } | undefined)?.httpStatusCode;
};

/** What the store said, in the words of the interface. */
function translate(error: unknown, key: string): unknown {
  const status = statusOf(error);
  const name = error instanceof Error ? error.name : '';
  if (name === 'NoSuchKey' || (status === 404 && name !== 'NoSuchBucket'))
    return new FileNotFound(`There is no file ${key}.`, { cause: error });
  if (status === 507 || /quota|storage.?full|insufficient.?storage/i.test(name))
    return new StoreFull(`There is no room for ${key}.`, { cause: error });
  if (error instanceof RangeError || (error instanceof TypeError && status === undefined)) return error;
  return new StoreAway(`The file store did not answer for ${key}.`, { cause: error });
}

/** Whether a connection that was kept open had ended: the same request may work on another one. */
const isStaleConnection = (error: unknown) => hasCode(error, 'ECONNRESET', 'EPIPE');

/**
 * Opens the bucket of an S3 store. Nothing is asked of the store but what each of them can: no checksums in trailers, no
 * conditional writes.
 * @param options `timeoutMs`: time in which the store has to go on sending or taking bytes; `attempts`: how often a request is sent
 * that fails, with growing pauses.
 */
export function openS3Store(
  { endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings,
  { timeoutMs = 1_200, attempts = 1 }: { timeoutMs?: number; attempts?: number } = {},
): S3Store {
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Names of buckets as parts of host names are known to few stores beside Amazon's, which takes both.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: Math.min(1_000, timeoutMs),
      socketTimeout: timeoutMs,
      httpAgent: { maxSockets: 64 },
      httpsAgent: { maxSockets: 64 },
    },
  });
  const Bucket = bucket;

  async function ask<Result>(key: string, request: () => Promise<Result>): Promise<Result> {
    try {
      return await request().catch((error: unknown) => {
        if (isStaleConnection(error)) return request();
        throw error;
      });
    } catch (error) {
      throw translate(error, key);
    }
  }

  async function putStream(key: string, content: Readable): Promise<void> {
    let sourceError: unknown;
    content.once('error', (error) => {
      sourceError = error;
    });
    const upload = new Upload({
      client,
      params: { Bucket, Key: key, Body: content },
      partSize: partSizeBytes,
      queueSize: 1,
    });
    try {
      await upload.done();
    } catch (error) {
      // What fills the stream must end, too.
      content.destroy();
      throw sourceError ?? translate(error, key);
    }
  }

  return {
    async put(key, content) {
      const Key = checkKey(key);
      if (content instanceof Readable) return putStream(key, content);
      const ContentMD5 = createHash('md5').update(content).digest('base64');
      await ask(key, () => client.send(new PutObjectCommand({ Bucket, Key, Body: content, ContentMD5 })));
    },
    async read(key, range) {
      const Key = checkKey(key);
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body } = await ask(key, () =>
        client
          .send(new GetObjectCommand({ Bucket, Key, ...(Range ? { Range } : {}) }))
          .catch((error: unknown) => {
            // The range is behind the end: nothing is there, as in a folder.
            if (range && statusOf(error) === 416) return { Body: undefined };
            throw error;
          }),
      );
      // What breaks off is not asked for again: both times together would be longer than the limit.
      const bytes = await Body?.transformToByteArray().catch((error: unknown) => {
        throw translate(error, key);
      });
      return Buffer.from(bytes ?? []);
    },
    async delete(key) {
      const Key = checkKey(key);
      await ask(key, () => client.send(new DeleteObjectCommand({ Bucket, Key }))).catch((error: unknown) => {
        if (!(error instanceof FileNotFound)) throw error;
      });
    },
    async exists(key) {
      const Key = checkKey(key);
      try {
        await ask(key, () => client.send(new HeadObjectCommand({ Bucket, Key })));
        return true;
      } catch (error) {
        if (error instanceof FileNotFound) return false;
        throw error;
      }
    },
    async *list() {
      try {
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
          for (const { Key = '', Size = 0 } of Contents) yield { key: Key, sizeBytes: Size };
        }
      } catch (error) {
        throw translate(error, 'the list');
      }
    },
    requireAvailable: () => {},
    async probe() {
      await ask('a probe', () => client.send(new HeadBucketCommand({ Bucket }))).catch((error: unknown) => {
        throw error instanceof FileNotFound
          ? new StoreAway('The bucket is gone.', { cause: error.cause })
          : error;
      });
    },
    async abortUploads(before) {
      let count = 0;
      try {
        let page: Partial<ListMultipartUploadsCommandOutput> = {};
        do {
          const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
          page = await client.send(new ListMultipartUploadsCommand({ Bucket, KeyMarker, UploadIdMarker }));
          for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
            if (Initiated === undefined || Initiated >= before) continue;
            await client
              .send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
              .catch((error: unknown) => {
                // It ended meanwhile.
                if (statusOf(error) !== 404) throw error;
              });
            count += 1;
          }
        } while (page.IsTruncated);
      } catch (error) {
        throw translate(error, 'unfinished uploads');
      }
      return count;
    },
    close: () => client.destroy(),
  };
}
