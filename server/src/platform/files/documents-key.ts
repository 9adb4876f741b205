import { keyFile } from '../key-file.ts';

/** The key that encrypts documents: the configured one, or one made at the first start (`dataDir/documents.key`). */
export async function documentsKey(configured: Buffer | undefined, dataDir: string): Promise<Buffer> {
  return configured ?? keyFile(dataDir, 'documents.key');
}
