import type { Call, Schema } from '@tara/contract/calls';
import { problems } from '@tara/contract/problems';
import { fillPath } from '@tara/contract/url';
import { payloadOf } from '@tara/contract/wire/payloads';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { referencePage, referencePolicy } from './reference-page.ts';

type Json = Record<string, unknown>;

/** The errors every call can answer, by why. */
const everyCall = ['general_argument_invalid', 'general_rate_limit_exceeded', 'general_unknown'] as const;

function schemaOf(schema: Schema, io: 'input' | 'output'): Json | null {
  if (schema._zod.def.type === 'undefined') return null;
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

function parametersOf(schema: Schema, place: 'path' | 'query'): Json[] {
  const json = schemaOf(schema, 'input');
  const properties = (json?.properties ?? {}) as Record<string, Json>;
  const required = new Set((json?.required ?? []) as string[]);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema,
  }));
}

function bodyOf(call: Call): Json {
  if (call.bodyKind === 'multipart') {
    const file = {
      type: 'object',
      properties: { fileId: { type: 'string' }, file: { type: 'string', format: 'binary' } },
    };
    return { requestBody: { content: { 'multipart/form-data': { schema: file } } } };
  }
  const schema = schemaOf(payloadOf(call), 'input');
  return schema ? { requestBody: { required: true, content: { 'application/json': { schema } } } } : {};
}

function responsesOf(call: Call): Json {
  const reply = schemaOf(call.reply, 'output');
  const types = [
    ...everyCall,
    ...(call.access === 'anyone' ? [] : (['general_unauthorized_scope'] as const)),
    ...(call.recentPassword === null ? [] : (['user_recent_password_required'] as const)),
    ...(call.access === 'admin'
      ? (['admin_only', 'second_factor_setup_required', 'second_factor_required'] as const)
      : []),
    ...(call.recentSecondFactor ? (['recent_second_factor_required'] as const) : []),
    ...call.errors,
  ];
  const byStatus = Map.groupBy(types, (type) => problems[type].code);
  return {
    [call.status]: {
      description: 'Done',
      ...(reply ? { content: { 'application/json': { schema: reply } } } : {}),
    },
    ...Object.fromEntries(
      [...byStatus].map(([status, list]) => [
        status,
        {
          description: list.map((type) => `\`${type}\`: ${problems[type].title}`).join('  \n'),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      ]),
    ),
  };
}

const problemSchema = {
  type: 'object',
  required: ['message', 'code', 'type', 'version', 'status', 'title'],
  properties: {
    message: { type: 'string' },
    code: { type: 'integer' },
    type: { type: 'string' },
    version: { type: 'string' },
    status: { const: 'error' },
    title: { type: 'string' },
    text: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    requestId: { type: 'string' },
  },
};

const passwordNotes = {
  never: '',
  always: ' Needs a password shown within 15 minutes.',
  sometimes: ' May need a password shown within 15 minutes.',
};

const codeNote = ' Needs a second factor shown within 15 minutes.';

type Tables = Readonly<Record<string, Readonly<Record<string, Call>>>>;

/** A route of the server below `/api` or `/v1`; `call` is the one that answers there. */
export interface BoundRoute {
  method: string;
  /** With `:name` for parameters. */
  path: string;
  call: Call | null;
}

/** Collects the routes below `/api` and `/v1` that are bound from now on. */
export function collectRoutes(app: FastifyInstance): readonly BoundRoute[] {
  const routes: BoundRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    const methods = [method].flat().filter((one) => one !== 'HEAD' && one !== 'OPTIONS');
    if (!/^\/(api|v1)\//.test(url)) return;
    for (const one of methods) routes.push({ method: one, path: url, call: config?.call ?? null });
  });
  return routes;
}

function operationOf(id: string, tag: string, call: Call): Json {
  return {
    tags: [tag],
    operationId: id,
    summary: call.summary,
    description: `Who may call: ${call.access}.${passwordNotes[call.recentPassword ?? 'never']}${call.recentSecondFactor ? codeNote : ''}`,
    parameters: [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query')],
    ...bodyOf(call),
    responses: responsesOf(call),
  };
}

/**
 * The OpenAPI document of the calls, made from their tables and the server's routes: a call that is bound at a second path
 * is shown there too, and a route without a call without a summary.
 */
export function describeApi(tables: Tables, routes: readonly BoundRoute[] = []): Json {
  const paths: Record<string, Json> = {};
  const isShown = (path: string, method: string) => paths[path]?.[method] !== undefined;
  const show = (method: string, path: string, operation: Json) => {
    const key = fillPath(path, (name) => `{${name}}`);
    const field = method.toLowerCase();
    if (!isShown(key, field)) paths[key] = { ...paths[key], [field]: operation };
  };
  const names = new Map<Call, readonly [tag: string, name: string]>();
  for (const [tag, table] of Object.entries(tables))
    for (const [name, call] of Object.entries(table)) {
      names.set(call, [tag, name]);
      show(call.method, call.path, operationOf(`${tag}.${name}`, tag, call));
    }
  for (const { method, path, call } of routes) {
    const [tag, name] = (call && names.get(call)) ?? ['undocumented', `${method} ${path}`];
    const id = `${tag}.${name}`;
    if (call === null) show(method, path, { tags: [tag], operationId: id, summary: '', responses: {} });
    else show(method, path, operationOf(`${id}.alias`, tag, call));
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tara', version: '1', description: 'Every call of the product, from the contract.' },
    paths,
    components: { schemas: { Problem: problemSchema } },
  };
}

/**
 * `/docs/`: the reference page; `/docs/openapi.json`: the document behind it. Made at the first request, because making it
 * takes a tenth of the server's start.
 */
export function referenceRoutes(app: FastifyInstance, makeDocument: () => Json): void {
  let reference: { document: Json; page: string } | undefined;
  const readReference = () => {
    if (reference === undefined) {
      const document = makeDocument();
      reference = { document, page: referencePage(document) };
    }
    return reference;
  };
  app.get('/docs/openapi.json', async () => readReference().document);
  for (const path of ['/docs', '/docs/'])
    app.get(path, async (_request, reply) =>
      reply
        .header('content-security-policy', referencePolicy)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(readReference().page),
    );
}
