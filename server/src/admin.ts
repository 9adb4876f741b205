import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPaymongo, isOutcomeUnknown, type Paymongo } from '@tara/paymongo';
import { describePlacements, distributeConfigured, moveConfigured } from './admin-database.ts';
import { checkFiles, moveStoredFiles, rotate } from './admin-files.ts';
import { exportJournal, readJournalWords } from './admin-journal.ts';
import { Refused } from './admin-refused.ts';
import { type Config, localUrl, readConfig } from './config.ts';
import { listAdmins, resetSecondFactor, setAdmin } from './features/accounts/index.ts';
import { checkLedger } from './features/payments/index.ts';
import { settleTls } from './platform/database/address.ts';
import { readCluster } from './platform/database/cluster.ts';
import { type Connection, connect } from './platform/database/connect.ts';
import { DistributeRefused } from './platform/database/distribute.ts';
import { findRunningEmbedded, startEmbedded } from './platform/database/embedded.ts';
import { MoveRefused } from './platform/database/move/refused.ts';
import { RotationRefused } from './platform/files/documents-key.ts';
import { StoreAway } from './platform/files/store.ts';
import { forgetKey, type KeyName, keys } from './platform/keys/keys.ts';
import { quietLog } from './platform/log.ts';
import { StartRefused } from './platform/start-refused.ts';

const usage = `Usage:
  npm run admin -- grant EMAIL    makes the account an admin
  npm run admin -- revoke EMAIL   takes that back
  npm run admin -- list           lists the admins
  npm run admin -- second-factor reset EMAIL   removes an admin’s second factor, for a new one
  npm run admin -- ledger         proves the ledger and compares it with the payment provider
  npm run admin -- journal --from DAY --to DAY   writes the journal, the trial balance, earnings and losses by month, and the
                                  provider’s payments by the day they are available as CSV files; --folder FOLDER says where
  npm run admin -- files move folder store   copies the files of the data folder into the S3 store; files move store folder copies them back
  npm run admin -- files check    compares records and files, and removes files without records
  npm run admin -- documents-key rotate   encrypts identity pictures with a new key, also while Tara runs
  npm run admin -- keys forget NAME   says what is lost without the key: server, vapid or documents; with --yes the next
                                  start may have another
  npm run admin -- database move URL   copies the database into an empty Postgres of your own, while Tara is stopped;
                                  --again begins one anew that broke off
  npm run admin -- database distribute   moves the tables of chats onto the workers of a Citus cluster, also while Tara runs
  npm run admin -- database status   says where the tables of chats are, and how evenly
`;

/** The configured database: the running server's, or the embedded one started for the moment. */
async function openConfigured(): Promise<{ url: string; close(): Promise<void> }> {
  // Flags are the command's own, not the server's.
  const { databaseUrl, dataDir } = readConfig(process.env, []);
  if (databaseUrl !== undefined) return { url: await settleTls(databaseUrl), close: async () => {} };
  const running = await findRunningEmbedded(dataDir);
  if (running !== undefined) return { url: running, close: async () => {} };
  if ((await readCluster(dataDir).catch(() => undefined)) === undefined) {
    throw new Refused(`There is no database in ${dataDir} yet: start Tara once with npm start.`);
  }
  const { url, stop } = await startEmbedded({ dataDir, log: quietLog() });
  return { url, close: stop };
}

async function change({ database }: Connection, email: string, admin: boolean): Promise<string> {
  const done = await setAdmin(database, email, admin);
  if (done === 'unknown') throw new Refused(`There is no account with the email ${email}.`);
  if (done === 'unchanged')
    return `${email} ${admin ? 'is an admin already' : 'is no admin'}: nothing changed.`;
  return admin
    ? `${email} is now an admin. A running server knows at once; the person sees it at the next page load.`
    : `${email} is no longer an admin. A running server knows at once.`;
}

async function reset({ database }: Connection, email: string): Promise<string> {
  const done = await resetSecondFactor(database, email);
  if (done === 'unknown') throw new Refused(`There is no account with the email ${email}.`);
  if (done === 'unchanged') return `${email} has no second factor: nothing changed.`;
  return `${email} has no second factor any more, and sets up a new one at the next visit of an admin page. A running server knows at once.`;
}

async function list({ database }: Connection): Promise<string> {
  const admins = await listAdmins(database);
  if (admins.length === 0) return 'There is no admin yet: npm run admin -- grant EMAIL makes one.';
  return admins
    .map(
      ({ email, name, hasSecondFactor }) =>
        `${email}  ${name}${hasSecondFactor ? '' : '  (no second factor yet)'}`,
    )
    .join('\n');
}

/** The configured provider, or the sandbox of the server that runs. */
async function openProvider(config: Config = readConfig(process.env, [])): Promise<Paymongo> {
  const { payMongo, payMongoLinks: links, dataDir } = config;
  if (payMongo) return createPaymongo({ secretKey: payMongo.secretKey, baseUrl: payMongo.baseUrl, links });
  const key = await readFile(join(dataDir, 'sandbox', 'secret-key'), 'utf8').catch(() => {
    throw new Refused('The payment sandbox was never started: start Tara once with npm start.');
  });
  return createPaymongo({ secretKey: key.trim(), baseUrl: `${localUrl(config)}/sandbox`, links });
}

async function ledger({ database }: Connection): Promise<string> {
  try {
    const config = readConfig(process.env, []);
    const provider = await openProvider(config);
    const { counts, differences } = await checkLedger({ database, provider, config });
    const compared = Object.entries(counts).map(([name, count]) => `  ${name}: ${count}`);
    const lines = differences.map(({ rule, subject, text }) => `  ${subject}: ${text} (${rule})`);
    if (differences.length > 0) {
      throw new Refused(['The ledger does not add up.', ...lines, 'Compared:', ...compared].join('\n'));
    }
    return ['The ledger adds up, and the provider says the same. Compared:', ...compared].join('\n');
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    throw new Refused(
      'The payment provider does not answer, so nothing could be compared. The sandbox answers while Tara runs.',
    );
  }
}

const isKeyName = (name: string | undefined): name is KeyName =>
  name !== undefined && Object.hasOwn(keys, name);

async function forget({ database }: Connection, name: KeyName, isMeant: boolean): Promise<string> {
  const { loss, variable } = keys[name];
  if (!isMeant)
    throw new Refused(
      `${loss}\nNothing was changed: npm run admin -- keys forget ${name} --yes lets Tara start with another key.`,
    );
  const wasKnown = await forgetKey(database, name);
  if (!wasKnown) return `The database knows no ${name} key: nothing changed.`;
  return `The next start may have another ${name} key (${variable}, or a new file in DATA_DIR), which the database knows from then on. ${loss}`;
}

/** The words `forget NAME`, in any order with `--yes`. */
function findForget(words: string[]): ((connection: Connection) => Promise<string>) | null {
  const [verb, name, ...more] = words.filter((word) => word !== '--yes');
  if (verb !== 'forget' || !isKeyName(name) || more.length > 0) return null;
  return (connection) => forget(connection, name, words.includes('--yes'));
}

function commandOf(words: string[]): ((connection: Connection) => Promise<string>) | null {
  const [name, email, ...more] = words;
  if (name === 'journal') {
    const wanted = readJournalWords(words.slice(1));
    return wanted && ((connection) => exportJournal(connection, wanted, openProvider));
  }
  if (name === 'keys') return findForget(words.slice(1));
  if (name === 'second-factor') {
    const [verb, address, ...rest] = words.slice(1);
    if (verb !== 'reset' || address === undefined || rest.length > 0) return null;
    return (connection) => reset(connection, address);
  }
  const phrase = words.slice(1).join(' ');
  if (name === 'files') {
    if (phrase === 'check') return checkFiles;
    if (phrase === 'move folder store') return (connection) => moveStoredFiles(connection, 'folder');
    return phrase === 'move store folder' ? (connection) => moveStoredFiles(connection, 'store') : null;
  }
  if (name === 'documents-key') return phrase === 'rotate' ? rotate : null;
  if (more.length > 0) return null;
  if (name === 'list' && email === undefined) return list;
  if (name === 'ledger' && email === undefined) return ledger;
  if (name !== 'grant' && name !== 'revoke') return null;
  return email === undefined ? null : (connection) => change(connection, email, name === 'grant');
}

/** The command `database move URL`, in any order with `--again`; null for other words. */
function findMove(words: string[], say: (text: string) => void): (() => Promise<string>) | null {
  const again = words.includes('--again');
  const [name, verb, address, ...more] = words.filter((word) => word !== '--again');
  if (name !== 'database' || verb !== 'move' || address === undefined || more.length > 0) return null;
  return () => moveConfigured(address, again, say);
}

/** The commands about where tables are; null for other words. */
function findPlacing(words: string[], say: (text: string) => void): (() => Promise<string>) | null {
  const phrase = words.join(' ');
  if (phrase === 'database distribute') return () => distributeConfigured(say);
  return phrase === 'database status' ? describePlacements : null;
}

/** Does one command and says what it did. @returns the exit code */
export async function runAdmin(args: string[], say: (text: string) => void = console.log): Promise<number> {
  // What is in an S3 store is compared with its records.
  if (args.join(' ') === 'documents-key rotate' && !process.env.S3_ENDPOINT)
    return report(say, () => rotate(null));
  const own = findMove(args, say) ?? findPlacing(args, say);
  if (own !== null) return report(say, own);
  const command = commandOf(args);
  if (command === null) {
    say(usage);
    return 2;
  }
  return report(say, async () => {
    const opened = await openConfigured();
    const connection = connect(opened.url, { size: 1, lasts: true });
    try {
      const [table] = await connection.sql`select to_regclass('accounts') is not null as there`;
      if (table?.there !== true) throw new Refused('The database is empty: start Tara once with npm start.');
      return await command(connection);
    } finally {
      await connection.close();
      await opened.close();
    }
  });
}

/** Says what a command did, or why it did nothing. */
async function report(say: (text: string) => void, command: () => Promise<string>): Promise<number> {
  try {
    say(await command());
    return 0;
  } catch (error) {
    const expected = [Refused, StartRefused, RotationRefused, StoreAway, MoveRefused, DistributeRefused].some(
      (type) => error instanceof type,
    );
    if (!(expected && error instanceof Error)) throw error;
    say(error.message);
    return 1;
  }
}

if (import.meta.main) {
  // At its exit it stops an embedded database that was started for the command.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  process.exitCode = await runAdmin(process.argv.slice(2));
}
