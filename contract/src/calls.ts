import * as z from 'zod/mini';
import type { ProblemType } from './problems.ts';

/**
 * Who may make a call: `anyone`; `account` (a session, the e-mail perhaps not yet confirmed);
 * `member` (a session whose e-mail is confirmed); `admin` (a member with the admin label, §6).
 * What a member may do to one record is the business of that record's policy, on the server.
 */
export type Access = 'anyone' | 'account' | 'member' | 'admin';

/** What describes a part of a call: of zod's small build here, of its full one where only the server reads it. */
export type Schema = z.core.$ZodType;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call of the product, as data: the server binds it, the web calls it, the reference page shows it. */
export interface Call<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> {
  /** Names the answers of this call in a cache: its table, then its own name in it (`posts.feed.key`). */
  key: readonly string[];
  method: Method;
  /** Below the server's root; `:name` marks a parameter. */
  path: string;
  access: Access;
  params: Params;
  query: Query;
  body: Body;
  reply: Reply;
  /**
   * Whether it needs a password that was shown within `recentPassword` ms: `always`, or only for some input, which its
   * handler decides. A call without one is not sensitive.
   */
  recentPassword: 'always' | 'sometimes' | null;
  /** What it can answer besides the errors every call can (bad input, no session, too many, unexpected). */
  errors: ProblemType[];
  /** One sentence for the reference page. */
  summary: string;
  /** `multipart`: the body is one file with its fields. `raw`: the body is kept as bytes. */
  bodyKind: 'json' | 'multipart' | 'raw';
  /** Status of success; 201 for what the backend service's wire creates. */
  status: 200 | 201 | 204;
}

type CallParts<P extends Schema, Q extends Schema, B extends Schema, R extends Schema> = {
  summary: string;
  access?: Access;
  params?: P;
  query?: Q;
  body?: B;
  reply: R;
  errors?: ProblemType[];
  recentPassword?: 'always' | 'sometimes';
  bodyKind?: Call['bodyKind'];
  status?: Call['status'];
};

const nothing = z.undefined();
type Nothing = typeof nothing;

function maker(method: Method) {
  return <
    R extends Schema,
    P extends Schema = Nothing,
    Q extends Schema = Nothing,
    B extends Schema = Nothing,
  >(
    path: string,
    parts: CallParts<P, Q, B, R>,
  ): Call<P, Q, B, R> => ({
    key: [path],
    method,
    path,
    access: parts.access ?? 'member',
    params: (parts.params ?? nothing) as P,
    query: (parts.query ?? nothing) as Q,
    body: (parts.body ?? nothing) as B,
    reply: parts.reply,
    errors: parts.errors ?? [],
    recentPassword: parts.recentPassword ?? null,
    summary: parts.summary,
    bodyKind: parts.bodyKind ?? 'json',
    status: parts.status ?? 200,
  });
}

export const get = maker('GET');
export const post = maker('POST');
export const put = maker('PUT');
export const patch = maker('PATCH');
export const del = maker('DELETE');

/** A table of calls below one path, as new objects. */
export function calls<Table extends Record<string, Call>>(base: string, table: Table): Table {
  const bound = Object.entries(table).map(([name, call]) => [
    name,
    { ...call, path: base + call.path, key: [base, name] },
  ]);
  // The same names, each with a call of the same type.
  return Object.fromEntries(bound) as Table;
}

/** Reads an answer by the call's own schema. @throws ZodError when it is not what the contract says. */
export function readReply<C extends Call>(call: C, answer: unknown): z.output<C['reply']> {
  // The generic of a table's call is too wide for `parse` to see; its schema is what types the reply.
  return z.parse(call.reply, answer) as z.output<C['reply']>;
}

/** The answer of a write that has nothing else to say. */
export const Done = z.object({ status: z.literal('ok') });
export type Done = z.infer<typeof Done>;
