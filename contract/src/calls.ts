import * as z from 'zod/mini';
import type { ProblemType } from './problems.ts';

/**
 * Who may make a call: `anyone`; `account` (a session, even with an unconfirmed email);
 * `member` (a session whose email is confirmed); `adminLabel` (a member with the admin label, §6); `admin` (the same, whose
 * session showed the second factor within 12 hours).
 * Permissions for a single record are checked by its feature's policy on the server.
 */
export type Access = 'anyone' | 'account' | 'member' | 'adminLabel' | 'admin';

/** The zod schema of a part of a call: built with `zod/mini`, or with full zod where only the server uses it. */
export type Schema = z.core.$ZodType;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call of the product, as data: the server binds it, the web calls it, the reference page shows it. */
export interface Call<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
  Who extends Access = Access,
> {
  /** Cache key of the replies: the path of the call's table, then its name in it (`posts.feed.key`). */
  key: readonly string[];
  method: Method;
  /** Path from the server's root; `:name` marks a parameter. */
  path: string;
  access: Who;
  params: Params;
  query: Query;
  body: Body;
  reply: Reply;
  /**
   * Whether the call requires that the password was confirmed within the last `recentPasswordMs`: `always`, or
   * `sometimes`, when its handler decides by the input.
   */
  recentPassword: 'always' | 'sometimes' | null;
  /**
   * Whether the call requires that its session showed the second factor within the last `recentSecondFactorMs`: of an
   * admin's calls those that decide or pay, open chats, or show identity pictures.
   */
  recentSecondFactor: boolean;
  /** Whether a suspended member may make the call; reads may always be made. */
  whileSuspended: boolean;
  /**
   * Whether the call may be made while the disk is nearly full: it reads, removes or ends something, signs in, or records
   * money. All others add content.
   */
  whileDiskFull: boolean;
  /** Errors of this call, in addition to those of every call (bad input, no session, rate limit, unexpected). */
  errors: ProblemType[];
  /** One sentence for the reference page. */
  summary: string;
  /** `multipart`: the body is one file with its fields. `raw`: the body is not parsed. */
  bodyKind: 'json' | 'multipart' | 'raw';
  /** Whether the reply is one page of a list, whose `next` is the cursor of the page after it. */
  isPaged: boolean;
  /** HTTP status of success; 201 where the backend service's wire answers 201, 302 where it leads a browser on. */
  status: 200 | 201 | 204 | 302;
}

export type CallOptions<
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Schema,
  A extends Access,
> = {
  summary: string;
  access?: A;
  params?: P;
  query?: Q;
  body?: B;
  /** Left out for a write that returns no data: `Done`. */
  reply?: R;
  errors?: ProblemType[];
  recentPassword?: 'always' | 'sometimes';
  /** Reads may, writes may not unless this is true: what ends something open, or concerns one's own account. */
  whileSuspended?: true;
  /** Left out: reads, deletions, calls of admins and those of `whileSuspended` may, other writes may not. */
  whileDiskFull?: boolean;
  bodyKind?: Call['bodyKind'];
  isPaged?: true;
  status?: Call['status'];
};

/** The reply of a write that returns no data. */
export const Done = z.object({ status: z.literal('ok') });
export type Done = z.infer<typeof Done>;

/** A reply with the `status` by which clients of §7 know that the call succeeded; that of an error is `error`. */
export const withSuccess = <Shape extends z.core.$ZodShape>(reply: z.ZodMiniObject<Shape>) =>
  z.extend(reply, { status: z.literal('success') });

const nothing = z.undefined();
export type Nothing = typeof nothing;

function callFactory(method: Method) {
  return <
    R extends Schema = typeof Done,
    P extends Schema = Nothing,
    Q extends Schema = Nothing,
    B extends Schema = Nothing,
    A extends Access = 'member',
  >(
    path: string,
    options: CallOptions<P, Q, B, R, A>,
  ): Call<P, Q, B, R, NoInfer<A>> => ({
    key: [path],
    method,
    path,
    access: options.access ?? ('member' as A),
    params: (options.params ?? nothing) as P,
    query: (options.query ?? nothing) as Q,
    body: (options.body ?? nothing) as B,
    reply: (options.reply ?? Done) as R,
    errors: options.errors ?? [],
    recentPassword: options.recentPassword ?? null,
    recentSecondFactor:
      options.access === 'admin' && (method !== 'GET' || options.recentPassword !== undefined),
    whileSuspended: options.whileSuspended ?? method === 'GET',
    whileDiskFull:
      options.whileDiskFull ??
      (method === 'GET' ||
        method === 'DELETE' ||
        options.access === 'admin' ||
        options.whileSuspended === true),
    summary: options.summary,
    bodyKind: options.bodyKind ?? 'json',
    isPaged: options.isPaged ?? false,
    status: options.status ?? 200,
  });
}

export const get = callFactory('GET');
export const post = callFactory('POST');
export const put = callFactory('PUT');
export const patch = callFactory('PATCH');
export const del = callFactory('DELETE');

/** A table of calls below one base path. The calls are copied, not modified. */
export function calls<Table extends Record<string, Call>>(base: string, table: Table): Table {
  const bound = Object.entries(table).map(([name, call]) => [
    name,
    { ...call, path: base + call.path, key: [base, name] },
  ]);
  // The same names, each with a call of the same type.
  return Object.fromEntries(bound) as Table;
}

/** Parses a reply with the call's schema. @throws ZodError when the reply does not match it. */
export function readReply<C extends Call>(call: C, reply: unknown): z.output<C['reply']> {
  // `parse` cannot infer the output from the generic call, so it is stated here.
  return z.parse(call.reply, reply) as z.output<C['reply']>;
}
