import type { Call, Schema } from '@tara/contract/calls';
import { callUrl } from '@tara/contract/url';
import { type CollectionId, documents } from '@tara/contract/wire/documents';
import type { BlockWorld, WorldMember } from './block-world.ts';

/** Fields of queries that choose no record. */
const previewFields = [
  ...['width', 'height', 'gravity', 'quality', 'borderWidth', 'borderColor', 'borderRadius', 'opacity'],
  ...['rotation', 'background', 'output'],
];
// A token chooses who reads.
const ignoredFields = ['cursor', 'before', 'after', 'pages', 'project', 'total', 'token', ...previewFields];

/** Every value that could lead a reader to something of the other. */
function candidates(schema: Schema, world: BlockWorld, other: WorldMember): string[] {
  const def = schema._zod.def as {
    type: string;
    innerType?: Schema;
    in?: Schema;
    entries?: Record<string, string>;
    values?: string[];
  };
  if (def.entries) return Object.values(def.entries);
  if (def.values) return def.values;
  if (def.innerType) return candidates(def.innerType, world, other);
  const { word } = other;
  const words = ['caption', 'tag', 'place', 'hobby', 'user', 'link', ' Reyes', ' plan'].map(
    (end) => word + end,
  );
  const { ana, ben, cora, shared } = world;
  const ids = [ana, ben, cora].flatMap(({ ids, planId }) => [...ids, planId]);
  const { id, mixId } = shared.conversation;
  return [...words, ...ids, ...shared.interactionIds, ...shared.receiptIds, id, mixId];
}

const fieldsOf = (schema: Schema) =>
  Object.entries((schema._zod.def as { shape?: Record<string, Schema> }).shape ?? {});

/** A call that reads, of documents once for each collection. */
export type Read = readonly [name: string, call: Call, collectionId: CollectionId | null];

/**
 * The addresses of a read with everything that could lead to something of the other.
 * @param documentPaths of the documents that are read one by one.
 */
export function readAddresses(
  [, call, collectionId]: Read,
  world: BlockWorld,
  other: WorldMember,
  documentPaths: readonly string[],
): string[] {
  // Every id that there is would be too many.
  if (collectionId && call === documents.get)
    return documentPaths.filter((path) => path.includes(`/${collectionId}/`));
  const namedParams = { databaseId: ['tara'], collectionId: collectionId ? [collectionId] : [] };
  let params: Record<string, string>[] = [{}];
  for (const [name, schema] of fieldsOf(call.params))
    params = params.flatMap((chosen) =>
      (name in namedParams ? namedParams[name as 'collectionId'] : candidates(schema, world, other)).map(
        (value) => ({ ...chosen, [name]: value }),
      ),
    );
  const queries: Record<string, string>[] = [{}];
  for (const [name, schema] of fieldsOf(call.query)) {
    if (ignoredFields.includes(name) || name.startsWith('queries[')) continue;
    queries.push(...candidates(schema, world, other).map((value) => ({ [name]: value })));
  }
  return params.flatMap((chosen) => queries.map((query) => callUrl(call, { params: chosen, query })));
}
