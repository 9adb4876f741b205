import { open } from 'node:fs/promises';

/** Makes the names of a folder durable: of what was created in it, or moved into it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows opens no folders, and keeps names by itself.
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
