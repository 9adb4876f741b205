import type { Paymongo } from '@tara/paymongo';
import type { FastifyInstance } from 'fastify';
import { accountWireRoutes } from './backend/account/account.ts';
import { documentRoutes } from './backend/documents/routes.ts';
import { realtimeRoutes } from './backend/realtime/realtime.ts';
import { storageRoutes } from './backend/storage/storage.ts';
import {
  type AccountLimits,
  accountLimits,
  accountRoutes,
  accountTasks,
  type SmsSender,
} from './features/accounts/index.ts';
import { adminRoutes, adminTasks } from './features/admin/index.ts';
import { blockRoutes } from './features/blocks/index.ts';
import { caseFileRoutes } from './features/case-files/index.ts';
import { conversationRoutes, conversationTasks } from './features/conversations/index.ts';
import { countRoutes } from './features/counts/index.ts';
import { deviceRoutes } from './features/devices/index.ts';
import { disputeRoutes, disputeTasks } from './features/disputes/index.ts';
import { earningsRoutes } from './features/earnings/index.ts';
import { fileTasks } from './features/files/index.ts';
import { interactionRoutes } from './features/interactions/index.ts';
import { messageRoutes, messageTasks } from './features/messages/index.ts';
import { notificationRoutes } from './features/notifications/routes.ts';
import { notificationTasks } from './features/notifications/tasks.ts';
import { paymentRoutes, paymentTasks } from './features/payments/index.ts';
import { personalDataRoutes, personalDataTasks } from './features/personal-data/index.ts';
import { planRoutes } from './features/plans/index.ts';
import { postRoutes, postTasks } from './features/posts/index.ts';
import { profileRoutes } from './features/profiles/index.ts';
import { publicLinkRoutes } from './features/public-links/index.ts';
import { receiptRoutes, receiptTasks } from './features/receipts/index.ts';
import { reportRoutes } from './features/reports/index.ts';
import { reviewRoutes, reviewTasks } from './features/reviews/index.ts';
import { searchRoutes } from './features/search/index.ts';
import { sharedPlanRoutes } from './features/shared-plans/index.ts';
import { verificationRoutes, verificationTasks } from './features/verification/index.ts';
import type { Keyring } from './platform/files/encrypted.ts';
import type { ResolveViewer } from './platform/http/viewer.ts';
import type { Task } from './platform/jobs/task.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import type { Platform } from './platform/platform.ts';
import type { TaskName } from './platform/tasks.ts';

/** What calls and jobs need beside the platform. */
interface SharedContext {
  provider: Paymongo;
  /** Encrypts identity pictures. */
  documentsKeys: Keyring;
  /** Of accounts, the same for calls and jobs; new ones unless given. */
  limits?: AccountLimits;
}

/** What the calls need beside the platform. */
interface CallContext extends SharedContext {
  resolveViewer: ResolveViewer;
  /** Whether the demo world is being made; never unless given. */
  isDemoFilling?: () => boolean;
}

/** What the jobs need beside the platform. */
interface JobContext extends SharedContext {
  mailer: Mailer;
  /** Null where no text message is sent. */
  sms: SmsSender | null;
}

/** What a feature adds to the server: it binds its calls, and has the handlers of its jobs. */
interface Feature {
  routes?: (
    app: FastifyInstance,
    platform: Platform,
    context: CallContext & { limits: AccountLimits },
  ) => unknown;
  tasks?: (platform: Platform, context: JobContext) => Partial<Record<TaskName, Task>>;
}

/** Every feature with calls or jobs, and the parts of the backend service. */
const features = [
  {
    routes: (app, platform, { limits, isDemoFilling }) => accountRoutes(app, platform, limits, isDemoFilling),
    tasks: (platform, { mailer, sms, limits }) => accountTasks(platform, mailer, sms, limits),
  },
  { routes: (app, platform, { limits }) => accountWireRoutes(app, platform, limits) },
  {
    routes: (app, platform, { limits }) => personalDataRoutes(app, platform, limits),
    tasks: (platform, { documentsKeys }) => personalDataTasks(platform, documentsKeys),
  },
  { routes: profileRoutes },
  { routes: blockRoutes },
  { routes: postRoutes, tasks: postTasks },
  { routes: searchRoutes },
  { routes: (app, platform, { documentsKeys }) => storageRoutes(app, platform, documentsKeys) },
  { tasks: (platform, { documentsKeys }) => fileTasks(platform, documentsKeys) },
  { routes: (app, platform, { limits }) => documentRoutes(app, platform, limits) },
  {
    routes: (app, platform, { documentsKeys }) => verificationRoutes(app, platform, documentsKeys),
    tasks: verificationTasks,
  },
  { routes: planRoutes },
  { routes: interactionRoutes },
  { routes: receiptRoutes, tasks: receiptTasks },
  { routes: messageRoutes, tasks: messageTasks },
  { routes: notificationRoutes, tasks: notificationTasks },
  { routes: conversationRoutes, tasks: conversationTasks },
  { routes: countRoutes },
  { routes: earningsRoutes },
  { routes: adminRoutes, tasks: adminTasks },
  { routes: sharedPlanRoutes },
  { routes: publicLinkRoutes },
  { routes: reviewRoutes, tasks: reviewTasks },
  { routes: reportRoutes },
  { routes: disputeRoutes, tasks: disputeTasks },
  { routes: caseFileRoutes },
  { routes: deviceRoutes },
  {
    routes: (app, platform, { provider }) => paymentRoutes(app, platform, provider),
    tasks: (platform, { provider }) => paymentTasks(platform, provider),
  },
  { routes: (app, platform, { resolveViewer }) => realtimeRoutes(app, platform, resolveViewer) },
] as const satisfies readonly Feature[];

/** Binds every call of both APIs. */
export async function bindCalls(
  app: FastifyInstance,
  platform: Platform,
  context: CallContext,
): Promise<void> {
  const { limits = accountLimits(platform.config.rateLimits, platform.openCounter) } = context;
  const list: readonly Feature[] = features;
  for (const { routes } of list) await routes?.(app, platform, { ...context, limits });
}

/** What the `tasks` of the features return, each alone. */
type HandlersOfEach = ReturnType<Extract<(typeof features)[number], { tasks: unknown }>['tasks']>;
/** The same together: an object with the handlers of all. */
type Handlers = (
  HandlersOfEach extends infer One
    ? One extends One
      ? (one: One) => void
      : never
    : never
) extends (all: infer All) => void
  ? All
  : never;

/** The handler of every kind of job: a feature without one of its jobs fails to compile here. */
export function jobHandlers(platform: Platform, context: JobContext): Record<TaskName, Task> {
  const list: readonly Feature[] = features;
  const handlers = Object.fromEntries(
    list.flatMap(({ tasks }) => Object.entries(tasks?.(platform, context) ?? {})),
  );
  // The entries of all the objects.
  return handlers as Handlers satisfies Record<TaskName, Task>;
}
