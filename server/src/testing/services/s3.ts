import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { startServing } from '@tara/proof/process';
import { startFauxqs } from 'fauxqs';
import type { S3Settings } from '../../platform/files/s3.ts';
import { findService } from './find.ts';

/** A running S3 store with an empty bucket. */
export interface TestStore {
  settings: S3Settings;
  /** Keys that the store knows and that do not open the bucket; null where it takes any keys. */
  stranger: Pick<S3Settings, 'accessKeyId' | 'secretAccessKey'> | null;
  stop(): Promise<void>;
}

async function newFolder(name: string) {
  const folder = await mkdtemp(join(tmpdir(), `tara-${name}-`));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The npm package fauxqs, in this process: it takes any keys. */
export async function openFauxqs(): Promise<TestStore> {
  const bucket = 'tara-files';
  const { port, stop } = await startFauxqs({ port: 0, logger: false, init: { buckets: [{ name: bucket }] } });
  return {
    settings: {
      ...{ endpoint: `http://127.0.0.1:${port}`, bucket, region: 'us-east-1' },
      ...{ accessKeyId: 'tester', secretAccessKey: 'testing' },
    },
    stranger: null,
    stop,
  };
}

/** Whether Swift is installed. */
export const hasSwift = findService('swift') !== null;

/** Debian's OpenStack Swift with its middleware for S3, in a process of its own. */
export async function openSwift(): Promise<TestStore> {
  const { folder, remove } = await newFolder('swift');
  const { stop, port } = await startServing(
    ['/usr/bin/python3', join(import.meta.dirname, 'run-swift.py'), folder],
    { env: { PATH: process.env.PATH } },
  );
  const settings = {
    ...{ endpoint: `http://127.0.0.1:${port}`, bucket: 'tara-files', region: 'us-east-1' },
    ...{ accessKeyId: 'test:tester', secretAccessKey: 'testing' },
  };
  const client = new S3Client({
    ...{ endpoint: settings.endpoint, region: settings.region, forcePathStyle: true },
    credentials: settings,
  });
  await client.send(new CreateBucketCommand({ Bucket: settings.bucket }));
  client.destroy();
  return {
    settings,
    stranger: { accessKeyId: 'test:reader', secretAccessKey: 'reading' },
    stop: async () => {
      await stop('SIGKILL');
      await remove();
    },
  };
}
