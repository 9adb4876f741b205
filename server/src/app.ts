import { join } from 'node:path';
import { allCalls } from '@tara/contract/all';
import { createPaymongo, type Paymongo } from '@tara/paymongo';
import type { Access } from '@tara/sandbox/access';
import type { FastifyInstance } from 'fastify';
import { connectRealtime } from './backend/realtime/protocol.ts';
import { initials } from './backend/storage/avatars.ts';
import { backendWire } from './backend/wire.ts';
import { type Config, localUrl, migrationsFolder, webFolder } from './config.ts';
import { type DemoContext, fillDemoWorld } from './demo/fill.ts';
import { demoPortraitRoute } from './demo/portraits.ts';
import { bindCalls, jobHandlers } from './feature-list.ts';
import {
  accountLimits,
  createResolveViewer,
  refuseDemoAccounts,
  type SmsSender,
  watchAccounts,
} from './features/accounts/index.ts';
import { repairEntries } from './features/messages/index.ts';
import { startPayments } from './features/payments/index.ts';
import { describePostPage } from './features/posts/index.ts';
import { describePublicLinkPage } from './features/public-links/index.ts';
import { openBus } from './platform/bus.ts';
import { openDatabase } from './platform/database/open.ts';
import { watchDisk } from './platform/disk.ts';
import type { Topics } from './platform/documents.ts';
import { openFolderStore } from './platform/files/folder.ts';
import { describePublicPage } from './platform/http/public-pages.ts';
import { collectRoutes, describeApi, referenceRoutes } from './platform/http/reference.ts';
import { createHttpServer, healthRoutes } from './platform/http/server.ts';
import { webRoutes } from './platform/http/web.ts';
import { type Jobs, startJobs } from './platform/jobs/start.ts';
import { openKeys } from './platform/keys/keys.ts';
import type { Log } from './platform/log.ts';
import { type Mailer, openLocalMailer, openSmtpMailer } from './platform/mail/mailer.ts';
import type { Platform } from './platform/platform.ts';
import { openPushSender } from './platform/push.ts';
import { openSealer } from './platform/seal.ts';
import { schedule } from './platform/tasks.ts';
import { vapidKeys } from './platform/vapid.ts';
import { runAs } from './platform/work.ts';

/** The external services as this node reaches them: the real ones, or the sandbox in its place. */
interface ExternalServices {
  mailer: Mailer;
  /** Null where the mailbox page, which shows texts, is not loaded. */
  sms: SmsSender | null;
  provider: Paymongo;
  /** Addresses of the pages of the sandbox, with the token that opens them. */
  pages: string[];
  /** Begins what the sandbox does by itself; called once the server listens. */
  start(): void;
  stop(): Promise<void>;
  /** The newest mail to an address; null where mails are really sent. */
  latestMail: DemoContext['latestMail'] | null;
}

/** Where the parts of the sandbox keep their files, and who may open their pages. */
interface SandboxFolder {
  folder: string;
  access: Access;
}

/** The mailbox's folder, and who may open its pages: this machine only, while no setting points to another. */
async function openSandboxFolder({
  dataDir,
  production,
  host,
  publicUrl,
  trustProxy,
}: Config): Promise<SandboxFolder> {
  const { isLoopbackName, openAccess } = await import('@tara/sandbox/access');
  const folder = join(dataDir, 'sandbox');
  const names = [host, new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')];
  const always = production || trustProxy > 0 || !names.every(isLoopbackName);
  return { folder, access: openAccess({ folder, always }) };
}

/** The mailbox page, in place of a mail server. */
async function openMailbox({ mailFrom }: Config, sandboxFolder: SandboxFolder, app: FastifyInstance) {
  const { createMailbox } = await import('@tara/sandbox/mailbox');
  const mailbox = createMailbox(sandboxFolder);
  await app.register(mailbox.plugin, { prefix: '/mailbox' });
  const mailer = openLocalMailer(mailFrom, async (mail) => void (await mailbox.deliver(mail)));
  const sms: SmsSender = {
    send: async ({ to, text }) =>
      void (await mailbox.deliver({ to, from: 'Tara', subject: 'Text message', text })),
  };
  return { mailer, sms, latestMail: mailbox.latest };
}

/** With the real provider configured the sandbox is not even loaded. */
async function openExternalServices(
  config: Config,
  log: Log,
  app: FastifyInstance,
): Promise<ExternalServices> {
  if (config.production && !config.payMongo) {
    log.warn('PAYMONGO_SECRET_KEY is not set: payments go through the sandbox, and no real money moves');
  }
  if (config.production && !config.smtpUrl) {
    log.warn('SMTP_URL is not set: mails are not sent, they are stored for the mailbox page');
  }
  const { smtpUrl, mailFrom: from, payMongo } = config;
  if (smtpUrl && payMongo) {
    const mailer = openSmtpMailer({ url: smtpUrl, from });
    const { secretKey, baseUrl } = payMongo;
    const provider = createPaymongo({ secretKey, baseUrl, links: config.payMongoLinks });
    return {
      mailer,
      sms: null,
      provider,
      pages: [],
      latestMail: null,
      start: () => {},
      stop: async () => mailer.close(),
    };
  }
  const sandboxFolder = await openSandboxFolder(config);
  const { mailer, sms, latestMail } = smtpUrl
    ? { mailer: openSmtpMailer({ url: smtpUrl, from }), sms: null, latestMail: null }
    : await openMailbox(config, sandboxFolder, app);
  const { createProvider } = await import('@tara/sandbox/provider');
  const sandbox = createProvider({
    ...sandboxFolder,
    publicUrl: `${config.publicUrl}/sandbox`,
    deliverTo: ({ href }) => href === webhookUrl(config),
    log,
  });
  await app.register(sandbox.plugin, { prefix: '/sandbox' });
  const baseUrl = `${localUrl(config)}/sandbox`;
  const page = (name: string, prefix: string) =>
    `${name}: ${config.publicUrl}${sandboxFolder.access.entry(prefix)}`;
  return {
    mailer,
    sms,
    provider: createPaymongo({ secretKey: sandbox.secretKey, baseUrl, links: config.payMongoLinks }),
    latestMail,
    pages: [...(smtpUrl ? [] : [page('Mailbox', '/mailbox')]), page('Payment sandbox', '/sandbox')],
    start: () => sandbox.start(),
    stop: async () => {
      await sandbox.stop();
      mailer.close();
    },
  };
}

/** Where the provider delivers to: the sandbox to this process, the real one to our public address. */
const webhookUrl = (config: Config) =>
  `${config.payMongo ? config.publicUrl : localUrl(config)}/api/payment/webhook`;

/** Web Push, signed by this key. Push services may write to the sender of the mails. */
function openPush({ mailFrom, pushHosts: hosts }: Config, privateKey: Buffer): Platform['push'] {
  const keys = vapidKeys(privateKey);
  const subject = `mailto:${/[^\s<>]+@[^\s<>]+/.exec(mailFrom)?.[0] ?? mailFrom}`;
  return { send: openPushSender({ keys, subject, hosts }), publicKey: keys.publicKey };
}

/** One running node. */
export interface Tara {
  /** Addresses of pages that stand in for mail and payment, each with its name and the token that opens it. */
  pages: readonly string[];
  /** Resolves when the demo world is filled; at once where there is none. */
  filled: Promise<void>;
  /** Stops taking requests, finishes those under way, and lets go of everything. */
  stop(): Promise<void>;
}

/** Starts one node: database, files, external services, calls, jobs; resolves when it serves. */
export async function startTara(config: Config, log: Log): Promise<Tara> {
  const onLost = () => {
    log.fatal('another node took the database; this one stops');
    process.exit(1);
  };
  const db = await openDatabase({ config, log, migrations: migrationsFolder, onLost });
  try {
    const { database } = db;
    if (config.production) await refuseDemoAccounts(database);
    const bus = openBus<Topics>(log);
    const files = await openFolderStore(join(config.dataDir, 'files'));
    const { server: serverKey, vapid, documents: documentsKeys } = await openKeys(config, database);
    const sealer = openSealer(serverKey);
    const push = openPush(config, vapid);
    const { sharded } = db;
    const onlineAccounts = new Set<string>();
    const platform: Platform = { config, database, sharded, files, bus, log, onlineAccounts, sealer, push };
    const resolveViewer = createResolveViewer(platform, config);
    const disk = await watchDisk({
      folders: [join(config.dataDir, 'files'), ...(db.folder ? [db.folder] : [])],
      reserveBytes: config.diskReserveBytes,
      log,
      onChange: db.keepLogSmall,
    });
    const app = await createHttpServer({ config, log, resolveViewer, disk });
    const routes = collectRoutes(app);
    backendWire(app, platform);
    const services = await openExternalServices(config, log, app);

    let jobs: Jobs | null = null;
    healthRoutes(app, db.isReady, () => ({ jobs: jobs?.state() ?? 'away', failing: jobs?.failing() ?? 0 }));
    const limits = accountLimits(config.rateLimits);
    const demoWorld = { isFilling: !config.empty && services.latestMail !== null };
    if (demoWorld.isFilling) demoPortraitRoute(app);
    await bindCalls(app, platform, {
      ...{ provider: services.provider, documentsKeys, resolveViewer, limits },
      isDemoFilling: () => demoWorld.isFilling,
    });
    const wireTables = { avatars: { initials }, realtime: { connect: connectRealtime } };
    if (config.apiReference) referenceRoutes(app, () => describeApi({ ...allCalls, ...wireTables }, routes));
    const describePost = describePostPage(platform);
    const describeLink = describePublicLinkPage(platform);
    await webRoutes(app, webFolder, {
      publicUrl: config.publicUrl,
      describe: async (path) =>
        describePublicPage(path) ??
        runAs('browsing', async () => (await describePost(path)) ?? describeLink(path)),
    });

    // Lists of chats that a crash left behind their messages.
    await runAs('background', () => repairEntries(platform));
    const unwatch = await watchAccounts(db.sql, platform);
    await app.listen({ port: config.port, host: config.host });
    services.start();
    jobs = await startJobs({
      databaseUrl: db.url,
      log,
      schedule,
      tasks: jobHandlers(platform, { ...services, documentsKeys, limits }),
    });
    const payments = await startPayments(platform, services.provider, webhookUrl(config));
    let isStopping = false;
    const fill = async () => {
      if (!demoWorld.isFilling || !services.latestMail) return;
      try {
        await fillDemoWorld({ ...platform, app, latestMail: services.latestMail });
      } catch (error) {
        // The server is of use without it, and the next start goes on with it.
        if (isStopping) log.info('the demo world is not complete: the next start continues it');
        else log.error({ err: error }, 'the demo world is not complete');
      }
      demoWorld.isFilling = false;
    };
    return {
      pages: services.pages,
      filled: fill(),
      stop: async () => {
        isStopping = true;
        disk.stop();
        payments.stop();
        await app.close();
        await jobs.stop();
        await unwatch();
        await services.stop();
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}
