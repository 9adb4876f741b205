import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { StartRefused } from '../start-refused.ts';
import { openFolderStore } from './folder.ts';
import type { S3Store } from './s3.ts';
import { type FileStore, StoreAway, StoreFull } from './store.ts';

/** The file store of a node. */
export interface OpenFiles {
  files: FileStore;
  /** The folder that the files are in, whose disk can become full. */
  folder: string | undefined;
  isAway(): boolean;
  stop(): void;
}

/** Folder of the files of a data folder. */
export const filesFolder = (dataDir: string) => join(dataDir, 'files');

const causes = function* (error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
};

/** Sentences for what the settings of a store are refused with, by the code of the reply. */
const refusals: Record<string, string> = {
  NoSuchBucket: 'S3_BUCKET names a bucket that the store does not have.',
  InvalidBucketName: 'S3_BUCKET names a bucket that the store cannot have.',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID is not known to the store.',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY does not belong to S3_ACCESS_KEY_ID.',
  AccessDenied:
    'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY do not allow to list, write, read and delete in S3_BUCKET.',
  AuthorizationHeaderMalformed: 'S3_REGION is not the region of the store.',
  IllegalLocationConstraintException: 'S3_REGION is not the region of the store.',
  PermanentRedirect: 'S3_REGION is not the region of S3_BUCKET, or S3_ENDPOINT not its address.',
};

/** Why the store refuses the settings, in one sentence; null when it may answer in a moment. */
function explainRefusal(error: unknown): string | null {
  if (error instanceof StoreFull) return null;
  for (const cause of causes(error)) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string' && /CERT|^ERR_TLS|^ERR_SSL|^EPROTO/.test(code))
      return `S3_ENDPOINT cannot be trusted: ${cause.message.replaceAll('\n', ' ').trim()}.`;
    const metadata: { httpStatusCode?: number } | undefined = Reflect.get(cause, '$metadata');
    const status = metadata?.httpStatusCode;
    if (status === undefined || status >= 500) continue;
    const known = refusals[cause.name] ?? (status === 403 ? refusals.AccessDenied : undefined);
    return known ?? `S3_ENDPOINT does not answer as an S3 store does (${status} ${cause.name}).`;
  }
  return null;
}

/**
 * Proves the settings of a store by listing, writing, reading and deleting.
 * @returns whether it answers; @throws StartRefused when it refuses
 */
export async function proveStore(store: S3Store): Promise<boolean> {
  const key = `start/${newId()}`;
  const content = Buffer.from('Tara writes, reads and deletes this at its start.');
  try {
    for await (const _file of store.list()) break;
    await store.put(key, content);
    const bytes = await store.read(key);
    await store.delete(key);
    if (!bytes.equals(content)) throw new StartRefused('S3_ENDPOINT does not return what was written to it.');
    return true;
  } catch (error) {
    const sentence = explainRefusal(error);
    if (sentence !== null) throw new StartRefused(sentence, { cause: error });
    if (error instanceof StoreFull) return true;
    if (error instanceof StoreAway) return false;
    throw error;
  }
}

/**
 * Opens the files of a node: those of the S3 store that is configured, or those of the data folder.
 * @param options as of `openS3Store`
 */
export async function openFiles(
  { s3, dataDir }: Pick<Config, 's3' | 'dataDir'>,
  log: Log,
  options: { timeoutMs?: number } = {},
): Promise<OpenFiles> {
  if (s3 === undefined) {
    const folder = filesFolder(dataDir);
    return { files: await openFolderStore(folder), folder, isAway: () => false, stop: () => {} };
  }
  // The SDK is loaded where it is used alone.
  const [{ openS3Store }, { guardStore }] = await Promise.all([import('./s3.ts'), import('./guarded.ts')]);
  const store = openS3Store(s3, options);
  const answers = await proveStore(store).catch((error: unknown) => {
    store.close();
    throw error;
  });
  const files = guardStore(store, { log, isAway: !answers });
  return { files, folder: undefined, isAway: files.isAway, stop: files.stop };
}
