import { AsyncLocalStorage } from 'node:async_hooks';
import type { Call } from '@tara/contract/calls';
import type { CollectionId } from '@tara/contract/wire/documents';

/**
 * Classes of work. Each has connections and time limits of its own, so that one slow statement delays its own class only
 * (decision 0010). `core`: sign-in, chat and money. `browsing`: lists, records, and what members write outside of `core`.
 * `background`: exports, what admins do, and jobs, but for those of the money of one record, which are `core`.
 */
export type Work = 'core' | 'browsing' | 'background';

/** A call or a job that runs. */
interface Running {
  readonly work: Work;
}

const storage = new AsyncLocalStorage<Running>();

/** Runs a task whose statements are work of a class. Calls and jobs do so in one place each: `serve` and `defineTask`. */
export const runAs = <Result>(work: Work, task: () => Result): Result => storage.run({ work }, task);

/** The call or job that runs now; undefined outside of them. */
export const currentlyRunning = (): Running | undefined => storage.getStore();

/** The class of what runs now. Outside of calls and jobs: `core`, as the look-up of a request's session. */
export const currentWork = (): Work => currentlyRunning()?.work ?? 'core';

/** Sign-in, chat and what each page counts, by the tables of their calls. */
const coreTables = new Set([
  ...['/api/account', '/v1/account', '/api/secondFactor', '/api/message', '/api/chat', '/api/counts'],
]);
/** Requests and their money: their writes are `core`, their lists are not. */
const moneyTables = new Set(['/api/plan', '/api/payment', '/api/dispute']);
/** Documents of `/v1` with chats and requests. */
const coreCollections = new Set<string>([
  'chats',
  'chatReceipts',
  'conversations',
  'conversationReceipts',
  'planInteractions',
] satisfies CollectionId[]);

/** The class of a call; of one about documents, by their collection. */
export function classifyWork(
  { access, method, key: [table = ''] }: Pick<Call, 'access' | 'method' | 'key'>,
  collectionId?: string,
): Work {
  if (access === 'admin') return 'background';
  if (coreTables.has(table)) return 'core';
  const isMoney = moneyTables.has(table) || coreCollections.has(collectionId ?? '');
  return isMoney && method !== 'GET' ? 'core' : 'browsing';
}
