import { allCalls } from '@tara/contract/all';
import type { Call } from '@tara/contract/calls';
import { collectionIds, documents } from '@tara/contract/documents';
import { callUrl } from '@tara/contract/url';
import { collections } from '../../backend/documents/collections/index.ts';
import { schedule, tasks } from '../../platform/tasks.ts';
import { realtimeClient } from '../realtime-client.ts';
import type { TestMember } from '../sessions.ts';
import { documentSamples, jobHelpers, type Sample, samples } from './calls.ts';
import type { World } from './world.ts';

/** One piece of work of a node: a call, a job, a connection. */
export interface Work {
  name: string;
  /** Whether it changes nothing, so that it can be done often. */
  reads: boolean;
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
      prepare: async (world, attempt) => {
        const sample = (await samples[`${table}.${key}`]?.(world, attempt)) ?? {};
        return () => make(world, call, sample);
      },
    })),
);

const query = (method: string, attribute: string | undefined, ...values: unknown[]) =>
  JSON.stringify({ method, attribute, values });

const documentWorks: Work[] = collectionIds.flatMap((collectionId) => {
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
  const work = (kind: string, reads: boolean, prepare: Work['prepare']): Work => ({
    name: `documents.${kind} ${collectionId}`,
    reads,
    prepare,
  });
  const changed = async (world: World, attempt: number) => {
    const { who, sample: creation } = await created(world, attempt);
    const { $id } = (await make(world, documents.create, creation)) as { $id: string };
    const decider = collectionId === 'verifying' ? world.admin : who;
    return { who: decider, params: { ...params, documentId: $id } };
  };
  return [
    work('list', true, async (world) => () => list(world, [query('limit', undefined, 25)])),
    work('list of few', true, async (world) => () => list(world, [own(world)])),
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
    ...(update && sample.create
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
});

const realtime: Work = {
  name: 'realtime',
  reads: false,
  prepare: async (world) => {
    const who = await world.join();
    return async () => {
      const client = realtimeClient(world.url, who.secret);
      await client.next();
      const channels = [
        'documents',
        'account',
        'files',
        ...collectionIds.map((id) => `databases.tara.collections.${id}.documents`),
      ];
      client.say('subscribe', [{ subscriptionId: 's1', channels, queries: [] }]);
      await client.next();
      client.socket.close();
      await client.closed;
    };
  },
};

/** What a node does by itself, again and again; first, while nothing but the rows of the fill is due. */
const jobWorks: Work[] = [...Object.keys(schedule), tasks.reconcilePayments.name].map((name) => ({
  name: `job ${name}`,
  reads: false,
  prepare: async (world) => () => world.jobs[name as keyof World['jobs']]({}, jobHelpers(world)),
}));

export const works: readonly Work[] = [...jobWorks, ...callWorks, ...documentWorks, realtime];
