import { account, accountAliases } from '@tara/contract/accounts/accounts';
import { allCalls } from '@tara/contract/all';
import type { Call } from '@tara/contract/calls';
import { z } from 'zod';
import models from './models.json' with { type: 'json' };

/** What the models of official SDKs require of replies, as `npm run conformance models` read it from their sources. */
export interface ModelTable {
  /** The versions of each package that were read. */
  sources: Record<string, string[]>;
  /** The model that a call answers, by its newest path. */
  calls: Record<string, string>;
  /**
   * The fields of each model: type → the sources that have it so, `appwrite` for all its versions, `appwrite 28.0.0` for one.
   * A type is `string`, `integer`, `number`, `boolean`, `object`, `array` (a list or an object), a model, or a list such as
   * `File[]`; with `?` the field may be missing.
   */
  models: Record<string, Record<string, Record<string, string[]>>>;
}

const wirePath = (call: Call) => {
  const alias = accountAliases.find((one) => account[one.call] === call);
  return (alias?.path ?? call.path).replace(/^\/v1/, '').replace(/:(\w+)/g, '{$1}');
};

/** The calls of the backend service, by method and newest path: `GET /account/logs`. */
export const servedCalls: ReadonlyMap<string, Call> = new Map(
  Object.values(allCalls)
    .flatMap((table) => Object.values<Call>(table))
    .filter(({ path }) => path.startsWith('/v1/'))
    .map((call) => [`${call.method} ${wirePath(call)}`, call]),
);

/** What was read at last. */
export const modelTable: ModelTable = models;

type JsonSchema = z.core.JSONSchema.BaseSchema;

const asSchema = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null ? (value as JsonSchema) : {};

/** A package at one version, such as `{ name: 'appwrite', version: '28.0.0' }`. */
interface Source {
  name: string;
  version: string;
}

/** The fields of a model with every type that a source has for them, or the one source. */
const modelFields = (model: string, source: Source | null) =>
  Object.entries(modelTable.models[model] ?? {}).flatMap(([name, types]) =>
    Object.entries(types)
      .filter(
        ([, sources]) =>
          source === null ||
          sources.some((one) => one === source.name || one === `${source.name} ${source.version}`),
      )
      .map(([type]) => ({ name, type: type.replace(/\?$/, ''), isRequired: !type.endsWith('?') })),
  );

const simpleTypes: Record<string, readonly string[]> = {
  string: ['string'],
  integer: ['integer'],
  number: ['integer', 'number'],
  boolean: ['boolean'],
  object: ['object'],
  array: ['array', 'object'],
};

/** What a schema allows that a type of the table does not: `files[].sizeActual: is missing`. */
function schemaFaults(
  schema: JsonSchema,
  type: string,
  path: string,
  source: Source | null = null,
): string[] {
  if (schema.allOf !== undefined)
    return schema.allOf.flatMap((one) => schemaFaults(asSchema(one), type, path, source));
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) {
    const faults = branches.map((branch) => schemaFaults(asSchema(branch), type, path, source));
    return faults.some((one) => one.length === 0) ? [] : (faults[0] ?? []);
  }
  const allowed = simpleTypes[type];
  if (allowed !== undefined)
    return allowed.some((one) => one === schema.type) ? [] : [`${path}: ${schema.type} instead of ${type}`];
  if (type.endsWith('[]')) {
    if (schema.type !== 'array') return [`${path}: ${schema.type} instead of ${type}`];
    const items = asSchema(schema.items);
    // A list that is always empty.
    if (items.not !== undefined) return [];
    return schemaFaults(items, type.replace(/\[\]$/, ''), `${path}[]`, source);
  }
  if (schema.type !== 'object') return [`${path}: ${schema.type} instead of ${type}`];
  const fields = Map.groupBy(modelFields(type, source), ({ name }) => name);
  return [...fields].flatMap(([name, types]) => {
    const property = schema.properties?.[name];
    const isThere = property !== undefined && schema.required?.includes(name);
    if (!isThere) return types.some(({ isRequired }) => isRequired) ? [`${path}.${name}: is missing`] : [];
    const faultsOf = (one: JsonSchema) =>
      types.map((field) => schemaFaults(one, field.type, `${path}.${name}`, source));
    const field = asSchema(property);
    // What may be `null`, or of a type that no source has, is none of the types.
    const foreign = (field.anyOf ?? field.oneOf ?? [])
      .map(asSchema)
      .filter((branch) => faultsOf(branch).every((faults) => faults.length > 0));
    return [
      ...faultsOf(field).flat(),
      ...foreign.map(({ type: other }) => `${path}.${name}: may be ${other}, which no source expects`),
    ];
  });
}

/** What the replies of a call may lack, of what a source requires of its model. */
export function replyFaults(name: string, call: Call, model: string): string[] {
  const schema = z.toJSONSchema(call.reply, { io: 'output', unrepresentable: 'any' });
  return [...new Set(schemaFaults(asSchema(schema), model, `${name}: ${model}`))];
}

/** The schema that one value has and no other. */
function valueSchema(value: unknown): JsonSchema {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value))
    return { type: 'array', items: value.length === 0 ? { not: {} } : { allOf: value.map(valueSchema) } };
  if (typeof value === 'object') {
    const fields = Object.entries(value);
    return {
      type: 'object',
      properties: Object.fromEntries(fields.map(([name, field]) => [name, valueSchema(field)])),
      required: fields.map(([name]) => name),
    };
  }
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: typeof value === 'boolean' ? 'boolean' : 'string' };
}

/**
 * The sources that have `$sequence` of documents as a text, or as a number. The server answers one or the other, by the format
 * that an SDK asks for; all else is the same for all sources.
 */
export const sourcesWith = (sequence: 'string' | 'integer'): Source[] =>
  Object.entries(modelTable.sources)
    .flatMap(([name, versions]) => versions.map((version) => ({ name, version })))
    .filter((source) =>
      modelFields('Document', source).some(({ name, type }) => name === '$sequence' && type === sequence),
    );

/** What a reply lacks of what sources require: `File.sizeActual: is missing (sdk-for-flutter 24.2.0)`. */
export function valueFaults(call: Call, reply: unknown, sources: readonly Source[]): string[] {
  const name = [...servedCalls].find(([, one]) => one === call)?.[0];
  const model = modelTable.calls[name ?? ''];
  if (model === undefined) return [];
  const schema = valueSchema(reply);
  return sources.flatMap((source) =>
    schemaFaults(schema, model, model, source).map((fault) => `${fault} (${source.name} ${source.version})`),
  );
}
