import { setTimeout as delay } from 'node:timers/promises';
import { allCalls } from '@tara/contract/all';
import type { Call } from '@tara/contract/calls';
import { callUrl } from '@tara/contract/url';
import { type CollectionId, collectionIds, documents } from '@tara/contract/wire/documents';
import { PaymongoUnreachable } from '@tara/paymongo';
import { collections } from '../../backend/documents/collections/all.ts';
import { checkLedger } from '../../features/payments/ledger-check.ts';
import { schedule, type TaskName, tasks } from '../../platform/tasks.ts';
import { classifyWork, type Work as WorkClass } from '../../platform/work.ts';
import { realtimeClient } from '../backend/realtime-client.ts';
import type { TestMember } from '../features/sessions.ts';
import { documentSamples, jobHelpers, jobSamples, type Sample, samples } from './calls.ts';
import type { World } from './world.ts';

/** One piece of work of a node: a call, a job, a connection. */
export interface Work {
  name: string;
  /** Whether it changes nothing, so that it can be done often. */
  reads: boolean;
  /** Whether it reads everything: done once, by the planner as it is. */
  readsAll?: true;
  /** The class whose connections and time limits it has. */
  connections: WorkClass;
  /** Prepares one attempt, and returns what is measured. */
  prepare(world: World, attempt: number): Promise<() => Promise<unknown>>;
}

function callerOf({ me, admin }: World, call: Call, sample: Sample): TestMember | null {
  if (sample.who !== undefined) return sample.who;
  if (call.access === 'anyone') return null;
  return call.access === 'admin' || call.access === 'adminLabel' ? admin : me;
}

/** Makes a call, which must succeed. */
async function make(world: World, call: Call, sample: Sample): Promise<unknown> {
  const { body, payload, status } = sample;
  const reply = await world.server.request(callerOf(world, call, sample), {
    method: call.method,
    url: callUrl(call, sample),
    ...(payload ? { payload: payload.bytes, headers: payload.headers } : body ? { payload: body } : {}),
  });
  const isExpected = status === undefined ? reply.statusCode < 400 : reply.statusCode === status;
  if (!isExpected) throw new Error(`${call.method} ${call.path} answered ${reply.statusCode}: ${reply.body}`);
  return reply.headers['content-type']?.toString().includes('json') ? reply.json() : null;
}

const callWorks: Work[] = Object.entries(allCalls).flatMap(([table, calls]) =>
  Object.entries(calls)
    .filter(([, call]) => !Object.values(documents).some((other) => other === call))
    .map(([key, call]) => ({
      name: `${table}.${key}`,
      reads: call.method === 'GET',
      connections: classifyWork(call),
      prepare: async (world, attempt) => {
        const sample = (await samples[`${table}.${key}`]?.(world, attempt)) ?? {};
        return () => make(world, call, sample);
      },
    })),
);

const query = (method: string, attribute: string | undefined, ...values: unknown[]) =>
  JSON.stringify({ method, attribute, values });

const documentChannels = [
  'documents',
  ...collectionIds.map((id) => `databases.tara.collections.${id}.documents`),
];

/** Connects as a member, and listens to all documents. */
async function listen(world: World, { secret }: TestMember): Promise<ReturnType<typeof realtimeClient>> {
  const client = realtimeClient(world.url, secret);
  await client.next();
  const channels = ['account', 'files', ...documentChannels];
  client.say('subscribe', [{ subscriptionId: 's1', channels, queries: [] }]);
  await client.next();
  return client;
}

/** The sockets to which events are sent: more of them where there are more members. */
const listeners = new WeakMap<World, Promise<ReturnType<typeof realtimeClient>[]>>();
const listening = ({ me, other, admin }: World) => [me, other, admin];
function listenersOf(world: World) {
  const known = listeners.get(world);
  if (known) return known;
  const open = async () => {
    const strangers = await Promise.all(Array.from({ length: world.strangers }, () => world.join()));
    return Promise.all([...listening(world), ...strangers].map((who) => listen(world, who)));
  };
  const opened = open();
  listeners.set(world, opened);
  return opened;
}

/** Sends an event, and waits until a socket has it. */
async function deliver(world: World, publish: () => void): Promise<void> {
  const clients = await listenersOf(world);
  const before = clients.map(({ heard }) => heard().length);
  const isDelivered = () => clients.some(({ heard }, index) => heard().length > (before[index] ?? 0));
  publish();
  for (const end = performance.now() + 10_000; !isDelivered(); await delay(1))
    if (performance.now() > end) throw new Error('the event reached nobody');
}

type Kind = 'list' | 'list of few' | 'get' | 'create' | 'update' | 'delete';

/** The attributes of a collection that have an index of a joined table. */
const joinedOrders = (collectionId: CollectionId) =>
  Object.entries(collections[collectionId].source.attributes).flatMap(([name, attribute]) =>
    'joinedId' in attribute ? [name] : [],
  );

/** The calls about the documents of each collection, and what follows an announced change of one. */
const collectionWorks: { calls: Work[]; event: Work }[] = collectionIds.map((collectionId) => {
  const sample = documentSamples[collectionId];
  const { create, update, delete: removal } = collections[collectionId];
  const params = { databaseId: 'tara', collectionId };
  const list = (world: World, queries: string[]) =>
    make(world, documents.list, {
      who: sample.who?.(world) ?? world.me,
      params,
      query: Object.fromEntries(queries.map((text, index) => [`queries[${index}]`, text])),
    }) as Promise<{ documents: { $id: string }[] }>;
  const own = (world: World) => query('equal', ...sample.filter(world));
  const created = async (world: World, attempt: number) => {
    const draft = await sample.create?.(world, attempt);
    if (draft === undefined) throw new Error(`documents of ${collectionId} have no sample`);
    const who = draft.who ?? world.me;
    return { who, sample: { who, params, body: { documentId: 'unique()', data: draft.data } } };
  };
  const work = (kind: Kind, reads: boolean, prepare: Work['prepare']): Work => ({
    name: `documents.${kind} ${collectionId}`,
    reads,
    connections: classifyWork(documents[kind === 'list of few' ? 'list' : kind], collectionId),
    prepare,
  });
  const changed = async (world: World, attempt: number) => {
    const { who, sample: creation } = await created(world, attempt);
    const { $id } = (await make(world, documents.create, creation)) as { $id: string };
    const decider = collectionId === 'verifying' ? world.admin : who;
    return { who: decider, params: { ...params, documentId: $id } };
  };
  const calls = [
    work('list', true, async (world) => () => list(world, [query('limit', undefined, 25)])),
    work('list of few', true, async (world) => () => list(world, [own(world)])),
    ...joinedOrders(collectionId).map((attribute) => ({
      ...work('list', true, async (world) => {
        // Far within the list, and a page before its end, at either size.
        const fromEnd = [
          query('orderAsc', attribute),
          query('limit', undefined, 1),
          query('offset', undefined, 60),
        ];
        const [within] = (await list(world, fromEnd)).documents;
        const order = query('orderDesc', attribute);
        const most = query('greaterThan', attribute, 1_000_000);
        return async () => {
          await list(world, [order, query('cursorAfter', undefined, within?.$id)]);
          await list(world, [order, most]);
        };
      }),
      name: `documents.list ${collectionId} by ${attribute}`,
    })),
    work('get', true, async (world) => {
      const [document] = (await list(world, [own(world)])).documents;
      const documentId = document?.$id ?? 'none';
      const status = document === undefined ? 404 : undefined;
      const who = sample.who?.(world) ?? world.me;
      return () =>
        make(world, documents.get, { who, params: { ...params, documentId }, ...(status ? { status } : {}) });
    }),
    ...(create
      ? [
          work('create', false, async (world, attempt) => {
            const { sample: creation } = await created(world, attempt);
            return () => make(world, documents.create, creation);
          }),
        ]
      : []),
    ...(update && sample.update
      ? [
          work('update', false, async (world, attempt) => {
            const target = await changed(world, attempt);
            return () => make(world, documents.update, { ...target, body: { data: sample.update } });
          }),
        ]
      : []),
    ...(removal && sample.create
      ? [
          work('delete', false, async (world, attempt) => {
            const target = await changed(world, attempt);
            return () => make(world, documents.delete, target);
          }),
        ]
      : []),
  ];
  const event: Work = {
    name: `event of ${collectionId}`,
    reads: true,
    connections: 'core',
    prepare: async (world, attempt) => {
      const clients = await listenersOf(world);
      const hearing = listening(world);
      let createdId = '';
      if (sample.create) {
        const { who, sample: creation } = await created(world, attempt);
        if (!hearing.includes(who)) clients.push(await listen(world, who));
        hearing.push(who);
        createdId = ((await make(world, documents.create, creation)) as { $id: string }).$id;
      }
      const announced = world.platform.announced.filter(
        ({ collection, change, clients: kind, audience }) =>
          collection === collectionId &&
          change !== 'delete' &&
          kind !== 'web' &&
          (typeof audience === 'string' || hearing.some(({ accountId }) => audience.includes(accountId))),
      );
      const change = announced.findLast(({ id }) => id === createdId) ?? announced.at(-1);
      if (!change) throw new Error(`no change of ${collectionId} was announced`);
      await world.meter.settle();
      return () => deliver(world, () => world.platform.bus.publish('document', change));
    },
  };
  return { calls, event };
});

const connecting: Work = {
  name: 'realtime',
  reads: false,
  connections: 'core',
  prepare: async (world) => {
    const who = await world.join();
    return async () => {
      const client = await listen(world, who);
      client.socket.close();
      await client.closed;
    };
  },
};

const accountEvent: Work = {
  name: 'event of an account',
  reads: true,
  connections: 'core',
  prepare: async (world) => {
    await listenersOf(world);
    const { accountId } = world.me;
    return () =>
      deliver(world, () => world.platform.bus.publish('userChanged', { accountId, field: 'prefs' }));
  },
};

/** A list that is empty, and that knows what it is asked for all the same. */
const nothing = {
  list: async () => ({ items: [], hasMore: false }),
  get: async () => ({ id: '', status: 'succeeded', attributes: { status: 'paid' } }),
};
const emptyProvider = {
  ...{ payments: nothing, refunds: nothing, transfers: nothing, disputes: nothing },
  wallets: { list: async () => [{ id: 'wallet', balance: { available: 0, pending: 0 } }] },
} as never;

const jobWork = (name: TaskName, prepare: Work['prepare']): Work => ({
  name: `job ${name}`,
  reads: false,
  connections: Object.values(tasks).find((task) => task.name === name)?.work ?? 'background',
  prepare,
});

/** Does a job, which may end where it asks the provider. */
const doJob = (world: World, name: TaskName, payload: object) =>
  world.jobs[name](payload, jobHelpers(world)).catch((error: unknown) => {
    if (!(error instanceof PaymongoUnreachable)) throw error;
  });

/** What a node does by itself, again and again, beside the check of the ledger. */
const repeated = ([tasks.reconcilePayments.name, ...Object.keys(schedule)] as TaskName[]).filter(
  (name) => name !== tasks.checkLedger.name,
);

/**
 * First, while nothing but the rows of the fill is due; before all the reconciler, which takes up what the other jobs left
 * some seconds ago.
 */
const scheduledWorks = repeated.map((name) => jobWork(name, async (world) => () => doJob(world, name, {})));

const ledgerCheck: Work = {
  ...jobWork(
    tasks.checkLedger.name,
    async ({ platform: { database, config } }) =>
      () =>
        checkLedger({ database, config, provider: emptyProvider }),
  ),
  readsAll: true,
};

/** The jobs that calls and other jobs enqueue. */
const enqueuedWorks: Work[] = Object.entries(jobSamples).map(([name, sample]) =>
  jobWork(name as TaskName, async (world, attempt) => {
    const payload = await sample(world, attempt);
    return () => doJob(world, name as TaskName, payload);
  }),
);

export const works: readonly Work[] = [
  ...scheduledWorks,
  ...enqueuedWorks,
  ...callWorks,
  ...collectionWorks.flatMap(({ calls }) => calls),
  connecting,
  // Last: what is announced before them is sent to nobody.
  ...collectionWorks.map(({ event }) => event),
  accountEvent,
  ledgerCheck,
];
