import { collectionIds } from '@tara/contract/wire/documents';
import type { Random } from '@tara/proof/random';
import type { ActorName, Hint } from '../inputs/input.ts';
import { documentQuery } from '../inputs/queries.ts';
import { Fields, type Value } from '../values/value.ts';
import { password, spareEmail } from './actors.ts';

/** Kinds of ids that calls take and answer. */
export type Pool =
  | 'posts'
  | 'plans'
  | 'interactions'
  | 'proposals'
  | 'receipts'
  | 'conversations'
  | 'mixIds'
  | 'messages'
  | 'profiles'
  | 'accounts'
  | 'verifications'
  | 'reviews'
  | 'comments'
  | 'sessions'
  | 'files'
  | 'documents'
  | `images ${ActorName}`
  | `messageFiles ${ActorName}`
  | `verificationFiles ${ActorName}`;

const mostIds = 40;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Calls whose `id` is of another kind than their table. */
const idKinds: Record<string, Pool> = {
  'posts.byCreator': 'profiles',
  'plans.byCreator': 'profiles',
  'reviews.byOwner': 'profiles',
  'profiles.get': 'profiles',
  'verification.accept': 'verifications',
  'verification.decline': 'verifications',
};
const fieldKinds: Record<string, Pool> = {
  postId: 'posts',
  planId: 'plans',
  interactionId: 'interactions',
  proposalId: 'proposals',
  reviewId: 'reviews',
  commentId: 'comments',
  conversation: 'receipts',
  convoId: 'conversations',
  mixId: 'mixIds',
  messageId: 'messages',
  creator1: 'profiles',
  creator2: 'profiles',
  userId: 'accounts',
  fileId: 'files',
  sessionId: 'sessions',
};
/** Tables of the contract whose records are asked for by their id. */
const tables: Record<string, Pool> = {
  posts: 'posts',
  plans: 'plans',
  interactions: 'interactions',
  receipts: 'receipts',
  conversations: 'conversations',
  messages: 'messages',
  reviews: 'reviews',
  admin: 'interactions',
};

const filter = (method: string, attribute: string, ...values: unknown[]) =>
  JSON.stringify({ method, attribute, values });
const nested = (depth: number): object =>
  depth === 0
    ? { method: 'isNotNull', attribute: '$id' }
    : { method: 'or', values: [nested(depth - 1), { method: 'isNull', attribute: '$id' }] };

/** Queries of documents in both syntaxes, good ones and such as cost much; with the id of some document. */
const queries: ((id: string) => string)[] = [
  () => JSON.stringify({ method: 'limit', values: [3] }),
  () => 'limit(100)',
  () => 'orderDesc("$updatedAt")',
  (id) => `cursorAfter("${id}")`,
  (id) => JSON.stringify({ method: 'cursorBefore', values: [id] }),
  (id) => filter('equal', 'creatorId', id),
  (id) => filter('notEqual', '$id', id),
  () => filter('search', 'caption', 'shore '.repeat(500)),
  () => filter('search', 'name', 'Fuzz'),
  () => filter('equal', '$id', ...Array.from({ length: 100 }, (_, index) => `none${index}`)),
  () => filter('lessThan', '$createdAt', '2999-12-31T23:59:59.999Z'),
  () => filter('greaterThan', '$updatedAt', -1e308),
  () => filter('startsWith', 'creatorId', '%_\\'),
  () => filter('equal', '__proto__', 'x'),
  () => JSON.stringify({ method: 'offset', values: [100_000] }),
  () => JSON.stringify({ method: 'select', values: ['creator.*', 'constructor'] }),
  () => JSON.stringify(nested(2)),
  () => JSON.stringify(nested(60)),
];

/** Data of documents, as their members may and may not write it. */
const documentData: ((one: (pool: Pool) => string) => [string, Value][])[] = [
  () => [['caption', 'A post by the wire']],
  () => [
    ['caption', 'Another'],
    ['tags', ['sea', 'sun']],
    ['location', 'Cebu'],
  ],
  (one) => [['postId', one('posts')]],
  () => [['bio', 'Of the wire']],
  (one) => [
    ['creatorId', one('profiles')],
    ['caption', 'As another'],
  ],
  () => [
    ['totalLikes', 99],
    ['$permissions', ['read("any")']],
  ],
  () => [['email', 'other@fuzz.test']],
];

/** Fields whose ids are of several kinds. */
const mixedKinds: Record<string, readonly Pool[]> = {
  chatId: ['receipts', 'conversations'],
  // Collection, id and data are chosen apart: often enough all three are of posts.
  documentId: ['posts', 'posts', 'posts', 'profiles', 'documents', 'documents'],
};

const messageSends = ['receipts.sendMessage', 'conversations.sendMessage'];

/** Existing ids for valid inputs, collected from replies. */
export class Pools {
  readonly #ids = new Map<Pool, string[]>();
  readonly #cursors = new Map<string, string[]>();
  /** Query of a link to an identity picture. */
  #link = new Map<string, string>();
  readonly #publicUrl: string;
  /** Dates of birth and phone numbers, so that an actor's own stay their own. */
  readonly #own: (actor: ActorName) => { birthDate: string; phoneNumber: string };

  constructor(publicUrl: string, own: (actor: ActorName) => { birthDate: string; phoneNumber: string }) {
    this.#publicUrl = publicUrl;
    this.#own = own;
  }

  add(pool: Pool, id: unknown): void {
    if (typeof id !== 'string' || id === '') return;
    const ids = (this.#ids.get(pool) ?? []).filter((known) => known !== id);
    this.#ids.set(pool, [...ids, id].slice(-mostIds));
  }

  #one(pool: Pool, random: Random): string | undefined {
    const ids = this.#ids.get(pool) ?? [];
    return ids.length === 0 ? undefined : random.pick(ids);
  }

  /** Learns the ids of a successful reply. */
  learn(call: string, actor: ActorName, reply: unknown): void {
    if (!isRecord(reply)) return;
    const [table = ''] = call.split('.');
    if (call === 'files.create' && typeof reply.bucketId === 'string') {
      this.add('files', reply.$id);
      const bucket = reply.bucketId;
      if (bucket === 'images' || bucket === 'messageFiles' || bucket === 'verificationFiles')
        this.add(`${bucket} ${actor}`, reply.$id);
    }
    if (call === 'account.listSessions' && Array.isArray(reply.sessions)) {
      for (const session of reply.sessions) if (isRecord(session)) this.add('sessions', session.$id);
    }
    if (typeof reply.next === 'string') {
      this.#cursors.set(call, [...(this.#cursors.get(call) ?? []), reply.next].slice(-5));
    }
    if (call === 'reviews.createComment' && isRecord(reply.comment)) this.add('comments', reply.comment.id);
    const isMessage = messageSends.includes(call);
    const pool = call === 'reviews.comments' ? 'comments' : isMessage ? 'messages' : tables[table];
    if (table === 'documents') {
      const documents = Array.isArray(reply.documents) ? reply.documents.slice(0, 5) : [reply];
      for (const document of documents) if (isRecord(document)) this.add('documents', document.$id);
    }
    const records = Array.isArray(reply.items) ? reply.items.slice(0, 5) : [reply];
    for (const record of records) {
      if (!isRecord(record)) continue;
      if (call === 'verification.pending') {
        this.add('verifications', record.id);
        const link = typeof record.idFront === 'string' ? new URL(record.idFront, this.#publicUrl) : null;
        if (link)
          this.#link = new Map([...link.searchParams, ['fileId', link.pathname.split('/').at(-1) ?? '']]);
      } else if (pool !== undefined) this.add(pool, record.id);
      if (table === 'conversations') this.add('mixIds', record.mixId);
      if (isRecord(record.proposal)) this.add('proposals', record.proposal.id);
    }
  }

  /** The hint for valid inputs; random where it does not matter. */
  readonly hint: Hint = (call, field, actor, random) => {
    const mixed = mixedKinds[field];
    const pool = mixed ? random.pick(mixed) : this.#poolOf(call, field);
    if (call === 'documents.create' && field === 'documentId' && random.chance(0.8)) return 'unique()';
    if (pool !== undefined && !(call === 'account.create' && field === 'userId')) {
      const id = this.#one(pool, random);
      if (id !== undefined) return id;
    }
    return this.#other(call, field, actor, random);
  };

  #poolOf(call: string, field: string): Pool | undefined {
    if (field === 'id' && !call.startsWith('realtime'))
      return idKinds[call] ?? tables[call.split('.')[0] ?? ''];
    if (call === 'verification.picture') return undefined;
    return fieldKinds[field];
  }

  #other(call: string, field: string, actor: ActorName, random: Random): Value | undefined {
    if (call === 'verification.picture') return this.#link.get(field);
    switch (field) {
      case 'imageId':
        return this.#one(`${messageSends.includes(call) ? 'messageFiles' : 'images'} ${actor}`, random);
      case 'idFrontId':
      case 'idBackId':
      case 'photoId':
        return this.#one(`verificationFiles ${actor}`, random);
      case 'cursor': {
        const cursors = this.#cursors.get(call) ?? [];
        return cursors.length === 0 ? '' : random.pick(cursors);
      }
      case 'userId':
        return random.chance(0.8) ? 'unique()' : random.word(20);
      case 'email':
        return ['account.create', 'accounts.signUp'].includes(call)
          ? `${random.word(12)}@fuzz.test`
          : spareEmail;
      case 'password':
      case 'oldPassword':
      case 'passwordAgain':
        return password;
      case 'isAdult':
      case 'acceptsTerms':
        return true;
      case 'url':
        return `${this.#publicUrl}/confirming`;
      case 'name':
      case 'username':
        return call.startsWith('account') ? `Fuzz ${random.word(6)}` : undefined;
      case 'sessionId':
        return 'current';
      case 'birthDate':
        return this.#own(actor).birthDate;
      case 'phoneNumber':
        return this.#own(actor).phoneNumber;
      case 'price':
        return random.pick<Value>([0, 100, 750.5, '1500', 9_999_999.99, 'free']);
      case 'databaseId':
        return 'tara';
      case 'collectionId':
        return random.chance(0.5) ? 'posts' : random.pick(collectionIds);
      case 'queries[]': {
        const id = this.#one('documents', random) ?? 'none';
        return random.chance(0.5) ? random.pick(queries)(id) : documentQuery(random, id).query;
      }
      case 'data':
        return new Fields(random.pick(documentData)((pool) => this.#one(pool, random) ?? 'none'));
      case 'permissions':
        return random.pick<Value>([['read("any")'], [], ['write("users")'], ['read(any)']]);
      case 'channels':
        return [random.pick(['documents', 'account', 'databases.tara.collections.posts.documents', 'files'])];
      default:
        return undefined;
    }
  }
}
