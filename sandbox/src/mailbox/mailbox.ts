import { nowMs } from '@tara/contract/clock';
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import type { Access } from '../access.ts';
import { addStyleSheet, securePages, sendPage } from '../page/security.ts';
import { listPage, mailPage, noMailPage } from './pages.ts';
import { type Mail, type OutgoingMail, openMailStore } from './store.ts';

export type Mailbox = {
  /** Register it under the prefix of the mailbox pages. */
  plugin: FastifyPluginAsync;
  /** Stores a mail; it is on disk when the promise resolves. */
  deliver(mail: OutgoingMail): Promise<Mail>;
  /** The newest mail to an address, ignoring case. */
  latest(address: string): Mail | undefined;
  /** Closes the file. Closing the server also does so. */
  close(): void;
};

// A filter that is repeated or not a string is ignored.
const Filter = z.object({ to: z.string().max(320).catch('') });
const IdParams = z.object({ id: z.string() });

/** Stores mails instead of sending them: pages for people, JSON for tests. Stores the newest 500. */
export function createMailbox({ folder, access }: { folder: string; access: Access }): Mailbox {
  const store = openMailStore(folder);

  const plugin: FastifyPluginAsync = async (app) => {
    app.addHook('onRequest', access.guard);
    securePages(app);
    addStyleSheet(app);
    app.addHook('onClose', async () => store.close());

    app.get('/', async (request, reply) => {
      const { to } = Filter.parse(request.query);
      return sendPage(reply, listPage(store.list(to), app.prefix, to));
    });

    app.get('/messages', async (request) => {
      const { to } = Filter.parse(request.query);
      return { messages: store.list(to) };
    });

    app.get('/:id', async (request, reply) => {
      const mail = store.get(IdParams.parse(request.params).id);
      return mail
        ? sendPage(reply, mailPage(mail, app.prefix))
        : sendPage(reply, noMailPage(app.prefix), 404);
    });
  };

  return {
    plugin,
    deliver: async (mail) => store.add(mail, nowMs()),
    latest: (address) => store.list(address)[0],
    close: () => store.close(),
  };
}
