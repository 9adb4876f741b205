import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDriver } from '@tara/server/platform/database/address';
import postgres from 'postgres';
import type { Tara } from './tara.ts';

/** Steps outside the product: waiting for jobs, reading mails, and paying at the hosted checkout. */

/**
 * Reads every 100 ms until there is something, because jobs run after the reply.
 * @throws Error after `timeoutMs`, which count from `since` when that is later.
 */
export async function waitFor<Value>(
  what: string,
  read: () => Promise<Value | null | undefined | false>,
  { timeoutMs = 60_000, since = (): number => 0 } = {},
): Promise<Value> {
  const start = Date.now();
  for (;;) {
    const value = await read();
    if (value) return value;
    if (Date.now() > Math.max(start, since()) + timeoutMs) throw new Error(`There is no ${what}.`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** The link to `path` in the newest mail to an address that has one. @throws Error when there is none within 60 s. */
export const linkInMail = (tara: Pick<Tara, 'url'>, email: string, path: string): Promise<URL> =>
  waitFor(`mail to ${email} with a link to ${path}`, async () => {
    const answer = await fetch(`${tara.url}/mailbox/messages?to=${encodeURIComponent(email)}`);
    const { messages } = (await answer.json()) as { messages: Array<{ text: string }> };
    const link = messages
      .flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? [])
      .find((url) => new URL(url).pathname === path);
    return link === undefined ? undefined : new URL(link);
  });

/** Opens the server's own database: the embedded one has its password, port and socket in its folder. */
export async function openDatabase({
  dataDir,
  databaseUrl,
}: Pick<Tara, 'dataDir' | 'databaseUrl'>): Promise<postgres.Sql> {
  const options = { max: 1, onnotice: () => undefined };
  if (databaseUrl !== null) return openDriver(databaseUrl, options);
  const folder = join(dataDir, 'postgres');
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim();
  const [, , , port, socketFolder] = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split(
    '\n',
  );
  const host = socketFolder || '127.0.0.1';
  return postgres({ host, port: Number(port), username: 'postgres', password, ...options });
}

/** Works in the server's own database, for what only time brings. */
export async function inDatabase(
  tara: Pick<Tara, 'dataDir' | 'databaseUrl'>,
  work: (sql: postgres.Sql) => Promise<void>,
): Promise<void> {
  const sql = await openDatabase(tara);
  await work(sql).finally(() => sql.end());
}

/** Pays at the hosted checkout with the test card that succeeds at once. */
export async function payByCard(checkoutUrl: string): Promise<void> {
  const { origin, pathname } = new URL(checkoutUrl);
  const form = new URLSearchParams({ number: '5555444444444457', expiry: '12/34', cvc: '123', name: 'Ben' });
  const answer = await fetch(`${origin}${pathname}/card`, {
    method: 'POST',
    headers: { origin },
    body: form,
    redirect: 'follow',
  });
  const page = await answer.text();
  if (!page.includes('Payment successful')) throw new Error(`the checkout answered ${answer.status}`);
}
