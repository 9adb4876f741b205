import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
import { openDatabase } from './platform/database/open.ts';
import { watchDisk } from './platform/disk.ts';
import { openFiles } from './platform/files/open.ts';
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
import { openShared } from './platform/shared.ts';
import { schedule, tasks } from './platform/tasks.ts';
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

interface ServiceContext extends Omit<Parameters<typeof bindCalls>[2], 'isDemoFilling'> {
  routes: ReturnType<typeof collectRoutes>;
  /** Whether the demo world is being filled now. */
  demoWorld: { isFilling: boolean };
  /** Listens for what commands beside the server change. */
  sql: Parameters<typeof watchAccounts>[0];
}

/** Binds everything that members use: calls, sockets and pages. Returns what ends it after the server is closed. */
async function serveMembers(
  app: FastifyInstance,
  platform: Platform,
  { routes, demoWorld, sql, ...context }: ServiceContext,
): Promise<() => Promise<void>> {
  const { config } = platform;
  if (demoWorld.isFilling) demoPortraitRoute(app);
  await bindCalls(app, platform, { ...context, isDemoFilling: () => demoWorld.isFilling });
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
  return watchAccounts(sql, platform);
}

/** ms of `DRAIN_SECONDS` that are left to close everything after requests, sockets and jobs had theirs. */
const closeTimeMs = 2000;
/** Most ms over which sockets are closed. */
const longestSpreadMs = 10_000;

/** One running node. */
export interface Tara {
  /** Addresses of pages that stand in for mail and payment, each with its name and the token that opens it. */
  pages: readonly string[];
  /** Resolves when the demo world is filled; at once where there is none. */
  filled: Promise<void>;
  /** Stops taking requests after `DRAIN_DELAY`, finishes those under way and the jobs, and lets go of everything. */
  stop(): Promise<void>;
}

/** Starts one node: database, files, external services, calls, jobs; resolves when it serves. */
export async function startTara(config: Config, log: Log): Promise<Tara> {
  const onLost = () => {
    log.fatal('another node took the database; this one stops');
    process.exit(1);
  };
  const db = await openDatabase({ config, log, migrations: migrationsFolder, onLost });
  let closeShared = async () => {};
  try {
    const { database } = db;
    if (config.production) await refuseDemoAccounts(database);
    const { server: serverKey, vapid, documents: documentsKeys } = await openKeys(config, database);
    const sealer = openSealer(serverKey);
    const shared = await openShared(config, { log, sealer }, db.node);
    closeShared = shared.close;
    const store = await openFiles(config, log);
    const { files } = store;
    const push = openPush(config, vapid);
    const { sharded } = db;
    const platform: Platform = { config, database, sharded, files, log, sealer, push, ...shared.parts };
    const { openCounter } = platform;
    const resolveViewer = createResolveViewer(platform, { ...platform, rateLimits: config.rateLimits });
    const disk = await watchDisk({
      folders: [store.folder, db.folder].filter((folder) => folder !== undefined),
      reserveBytes: config.diskReserveBytes,
      log,
      onChange: db.keepLogSmall,
    });
    const app = await createHttpServer({ config, log, resolveViewer, disk, openCounter });
    const finishMs = Math.max(config.drainMs - closeTimeMs, config.drainMs / 2);
    const serves = config.role !== 'worker';
    const works = config.role !== 'web';
    const routes = collectRoutes(app);
    if (serves) backendWire(app, platform);
    const services = await openExternalServices(config, log, app);

    let jobs: Jobs | null = null;
    healthRoutes(app, db.isReady, () => ({
      ...(works
        ? { jobs: jobs?.state() ?? 'away', failing: jobs?.failing() ?? 0 }
        : { jobs: db.node.others().some(({ role }) => role !== 'web') ? 'elsewhere' : 'away' }),
      ...(store.folder === undefined ? { files: store.isAway() ? 'away' : 'stored' } : {}),
      ...shared.details(),
    }));
    const limits = accountLimits(config.rateLimits, openCounter);
    const demoWorld = { isFilling: !config.empty && services.latestMail !== null };
    const endService = serves
      ? await serveMembers(app, platform, {
          ...{ provider: services.provider, documentsKeys, resolveViewer, limits },
          ...{ routes, demoWorld, sql: db.sql },
        })
      : async () => {};
    await app.listen({ port: config.port, host: config.host });
    services.start();
    if (works) {
      jobs = await startJobs({
        databaseUrl: db.url,
        node: db.node,
        log,
        stopTimeoutMs: config.drainDelayMs + finishMs,
        schedule,
        repair: tasks.repairLists.name,
        tasks: jobHandlers(platform, { ...services, documentsKeys, limits }),
      });
    }
    const payments = works ? await startPayments(platform, services.provider, webhookUrl(config)) : null;
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
        app.leaving.begin();
        disk.stop();
        payments?.stop();
        const endRequests = async () => {
          await delay(config.drainDelayMs);
          // Without another node nobody is helped by a socket that is closed later.
          const spreadMs = (await db.node.hasSuccessor()) ? Math.min(finishMs / 2, longestSpreadMs) : 0;
          await app.leaving.finish({ spreadMs, timeoutMs: finishMs });
        };
        // Jobs may use the payment sandbox of this server.
        await Promise.all([endRequests(), jobs?.stop()]);
        await app.close();
        await endService();
        await services.stop();
        await closeShared();
        store.stop();
        await db.close();
      },
    };
  } catch (error) {
    await closeShared();
    await db.close();
    throw error;
  }
}
