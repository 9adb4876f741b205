import type { DatabaseSync } from 'node:sqlite';
import { drawBytes } from '@tara/contract/random';
import { z } from 'zod';
import { openDatabase } from '../private-folder.ts';

/** A mail to store. */
export type OutgoingMail = { to: string; from: string; subject: string; text?: string; html?: string };

const Mail = z.object({
  id: z.string(),
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** Time in ms. */
  at: z.number(),
});
export type Mail = z.infer<typeof Mail>;

/** Older mails are deleted. */
export const MAX_MAILS = 500;

const SCHEMA = `
create table if not exists mails (
  seq integer primary key autoincrement,
  id text not null unique,
  "to" text not null collate nocase,
  "from" text not null,
  subject text not null,
  text text not null,
  html text not null,
  at integer not null
);
create index if not exists mails_to on mails ("to", seq);`;

/** The newest mails, in `<folder>/mailbox.sqlite`. */
export function openMailStore(folder: string) {
  const database: DatabaseSync = openDatabase(folder, 'mailbox.sqlite', SCHEMA);
  const insert = database.prepare(
    'insert into mails (id, "to", "from", subject, text, html, at) values (?, ?, ?, ?, ?, ?, ?)',
  );
  const prune = database.prepare('delete from mails where seq <= (select max(seq) from mails) - ?');
  const all = database.prepare('select * from mails order by seq desc');
  const to = database.prepare('select * from mails where "to" = ? order by seq desc');
  const one = database.prepare('select * from mails where id = ?');

  return {
    add(outgoing: OutgoingMail, at: number): Mail {
      const mail: Mail = {
        id: Buffer.from(drawBytes(12)).toString('base64url'),
        to: outgoing.to.trim(),
        from: outgoing.from,
        subject: outgoing.subject,
        text: outgoing.text ?? '',
        html: outgoing.html ?? '',
        at,
      };
      insert.run(mail.id, mail.to, mail.from, mail.subject, mail.text, mail.html, mail.at);
      prune.run(MAX_MAILS);
      return mail;
    },
    /** Newest first. */
    list(address?: string): Mail[] {
      return Mail.array().parse(address ? to.all(address.trim()) : all.all());
    },
    get(id: string): Mail | undefined {
      return Mail.optional().parse(one.get(id));
    },
    close(): void {
      if (database.isOpen) database.close();
    },
  };
}
