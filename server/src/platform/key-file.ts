import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './error-code.ts';
import { StartRefused } from './start-refused.ts';

/**
 * A key of 32 bytes in `dataDir/name`, made at the first start and readable by its owner only.
 * @throws StartRefused when the file does not hold a key: going on with a new one would lose what the old one encrypted.
 */
export async function keyFile(dataDir: string, name: string): Promise<Buffer> {
  const path = join(dataDir, name);
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  const handle = await open(aside, 'w', 0o600);
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64')}\n`);
    await handle.sync();
    // A link fails when the key exists: an existing key is never replaced, and a crash leaves none or a whole one.
    await link(aside, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
  } finally {
    await handle.close();
    await rm(aside, { force: true });
  }
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64');
  if (key.length !== 32)
    throw new StartRefused(`${path} does not hold 32 bytes in base64; restore it from a backup.`);
  return key;
}
