import { createHmac } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import type { Config } from '../../config.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { isMissing } from '../error-code.ts';
import { openKeyring } from '../files/documents-key.ts';
import type { Keyring } from '../files/encrypted.ts';
import { keyFile } from '../key-file.ts';
import { StartRefused } from '../start-refused.ts';
import { keyChecks } from './tables.ts';

/** The keys that all nodes of a database share: where each is, and what is lost with it. */
export const keys = {
  server: {
    variable: 'SERVER_KEY',
    file: 'server.key',
    loss: 'Mails and texts that wait to be sent, exports of members’ data, known devices, and codes and sign-ins under way are lost; admins need a recovery code, or second-factor reset.',
  },
  vapid: {
    variable: 'VAPID_PRIVATE_KEY',
    file: 'vapid.key',
    loss: 'Members get no notifications on their devices until they open Tara there.',
  },
  documents: {
    variable: 'DOCUMENTS_KEY',
    file: 'documents.key',
    loss: 'Identity pictures that were encrypted by it are lost. To change the key without a loss, use documents-key rotate.',
  },
} as const;

export type KeyName = keyof typeof keys;

/** The keys of this node are not those that its database was used with. */
class UnknownKey extends StartRefused {
  override readonly name = 'UnknownKey';
}

const remedy = (name: KeyName, path: string) =>
  `Set ${keys[name].variable} to that key, or restore ${path} from a backup. If it is lost, npm run admin -- keys forget ${name} says what is lost with it.`;

/** What the database stores of a key: it proves the key, and nothing can be computed from it. */
const checkValue = (name: KeyName, key: Buffer) =>
  createHmac('sha256', key).update(`check value of the ${name} key`).digest();

type Configured = Pick<Config, 'serverKey' | 'vapidPrivateKey' | 'documentsKey' | 'dataDir' | 's3'>;

/** The keys of this node. */
export interface Keys {
  readonly server: Buffer;
  readonly vapid: Buffer;
  readonly documents: Keyring;
}

/**
 * Opens the keys of the environment, or of the files in `dataDir`, which the first start makes.
 * @throws UnknownKey when the database was used with others
 */
export function openKeys(config: Configured, database: Database): Promise<Keys> {
  const { dataDir, serverKey, vapidPrivateKey } = config;
  return database.transaction(async (transaction) => {
    // Of nodes that start together for the first time one decides.
    await transaction.execute(sql`lock table ${keyChecks} in share row exclusive mode`);
    const single = async (name: 'server' | 'vapid', configured: Buffer | undefined) => {
      const known = await readChecks(transaction, name);
      if (!configured && known.length > 0) await requireFile(name, dataDir);
      const key = configured ?? (await keyFile(dataDir, keys[name].file));
      await check(transaction, name, { known, own: [key], isStored: true, dataDir });
      return key;
    };
    return {
      server: await single('server', serverKey),
      vapid: await single('vapid', vapidPrivateKey),
      documents: await openDocumentsKeys(transaction, config),
    };
  });
}

/**
 * A key file is rotated without the database while files are in a folder, so check values are stored of the variable, and of the
 * file where a store may have several nodes.
 */
async function openDocumentsKeys(
  transaction: Transaction,
  { dataDir, documentsKey, s3 }: Configured,
): Promise<Keyring> {
  const known = await readChecks(transaction, 'documents');
  if (!documentsKey && known.length > 0) await requireFile('documents', dataDir);
  const keyring = await openKeyring(documentsKey, dataDir);
  await check(transaction, 'documents', {
    ...{ known, own: await keyring(), isStored: (documentsKey ?? s3) !== undefined, dataDir },
  });
  return keyring;
}

/**
 * Stores the keys of a rotation that begins, so that the database knows the new one before anything is encrypted with it.
 * @throws UnknownKey when the database was used with others
 */
export function noteDocumentsKeys(
  { database, dataDir }: { database: Database; dataDir: string },
  own: readonly Buffer[],
): Promise<void> {
  return database.transaction(async (transaction) => {
    const known = await readChecks(transaction, 'documents');
    await check(transaction, 'documents', { known, own, isStored: true, dataDir });
  });
}

async function readChecks(transaction: Transaction, name: KeyName): Promise<Buffer[]> {
  const rows = await transaction
    .select({ value: keyChecks.value })
    .from(keyChecks)
    .where(eq(keyChecks.name, name));
  return rows.map(({ value }) => value);
}

/** @throws UnknownKey when there is none: a new one would be made that is not the one that was used */
async function requireFile(name: KeyName, dataDir: string): Promise<void> {
  const path = join(dataDir, keys[name].file);
  await access(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new UnknownKey(`This database was used with a key that is not here. ${remedy(name, path)}`);
  });
}

interface Check {
  readonly known: readonly Buffer[];
  /** The key of this node, and those that open what is older. */
  readonly own: readonly Buffer[];
  readonly isStored: boolean;
  readonly dataDir: string;
}

/** @throws UnknownKey when none of the own keys is known; what is known is those of the last start then. */
async function check(
  transaction: Transaction,
  name: KeyName,
  { known, own, isStored, dataDir }: Check,
): Promise<void> {
  const values = own.map((key) => checkValue(name, key));
  if (known.length > 0 && !values.some((value) => known.some((one) => one.equals(value)))) {
    throw new UnknownKey(
      `This database was used with another ${name} key. ${remedy(name, join(dataDir, keys[name].file))}`,
    );
  }
  await transaction.delete(keyChecks).where(eq(keyChecks.name, name));
  if (isStored) await transaction.insert(keyChecks).values(values.map((value) => ({ name, value })));
}

/** Lets the next start store the key that it has, whichever it is. @returns whether one was known */
export async function forgetKey(database: Database, name: KeyName): Promise<boolean> {
  const rows = await database.delete(keyChecks).where(eq(keyChecks.name, name)).returning();
  return rows.length > 0;
}
