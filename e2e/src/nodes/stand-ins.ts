// Stand-ins for mail and payment in a process of their own, which nodes share: a mail server with the mailbox page, and
// the payment sandbox. Argument: `StandInSettings` as JSON.
import { openAccess } from '@tara/sandbox/access';
import { createMailbox } from '@tara/sandbox/mailbox';
import { createProvider } from '@tara/sandbox/provider';
import fastify from 'fastify';
import PostalMime from 'postal-mime';
import { openMailServer } from '../chaos/mail-server.ts';
import type { StandInSettings } from './services.ts';

const settings: StandInSettings = JSON.parse(process.argv[2] ?? '');
const { folder, publicUrl, port, mailPort, secretKey, webhookUrl } = settings;

const access = openAccess({ folder, always: false });
const mailbox = createMailbox({ folder, access });
const provider = createProvider({
  ...{ folder, access, secretKey },
  publicUrl: `${publicUrl}/sandbox`,
  deliverTo: ({ href }) => href === webhookUrl,
});
const app = fastify({ forceCloseConnections: true });
await app.register(mailbox.plugin, { prefix: '/mailbox' });
await app.register(provider.plugin, { prefix: '/sandbox' });
await app.listen({ port, host: '127.0.0.1' });
provider.start();
await openMailServer({
  port: mailPort,
  async keep(source, to) {
    const { from, subject = '', text = '', html = '' } = await PostalMime.parse(source);
    await mailbox.deliver({ to, from: from?.address ?? '', subject, text, html });
  },
});
console.log(`The stand-in for mail and payment is ready at http://127.0.0.1:${port}`);
