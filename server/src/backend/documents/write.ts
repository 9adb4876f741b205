import { isDeepStrictEqual } from 'node:util';
import type { ProblemType } from '@tara/contract/problems';
import type { Document } from '@tara/contract/wire/documents';
import type { z } from 'zod';
import { withoutFileTokens } from '../../features/accounts/index.ts';
import { limitByKey, type OpenCounter, type RateLimit } from '../../platform/http/rate-limits.ts';
import { validate } from '../../platform/http/validation.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import type { DocumentSource, WriteContext } from './collection.ts';

type Data = Record<string, unknown>;

/** Errors of the features as the wire has them; others stay as they are. */
const wireTypes: Partial<Record<ProblemType, ProblemType>> = {
  profile_not_found: 'document_not_found',
  post_not_found: 'document_not_found',
  plan_not_found: 'document_not_found',
  interaction_not_found: 'document_not_found',
  receipt_not_found: 'document_not_found',
  chat_not_found: 'document_not_found',
  conversation_not_found: 'document_not_found',
  message_not_found: 'document_not_found',
  review_not_found: 'document_not_found',
  comment_not_found: 'document_not_found',
  friend_not_found: 'document_not_found',
  verification_not_found: 'document_not_found',
  post_already_saved: 'document_already_exists',
  general_argument_invalid: 'document_invalid_structure',
};

/** Does a write by a feature's function, whose errors become those of the wire. */
export async function asWire<Answer>(write: () => Promise<Answer>): Promise<Answer> {
  try {
    return await write();
  } catch (error) {
    const type = error instanceof Problem ? wireTypes[error.type] : undefined;
    if (!(error instanceof Problem) || type === undefined) throw error;
    const { fields, message } = error;
    throw new Problem(type, { ...(fields ? { fields } : { text: message }), cause: error });
  }
}

/**
 * Does a write of several functions whole or not at all. What they announce is announced after the commit.
 */
export async function inOneTransaction(
  context: WriteContext,
  write: (context: WriteContext) => Promise<void>,
): Promise<void> {
  const announcements: (() => void)[] = [];
  const bus: WriteContext['bus'] = {
    ...context.bus,
    publish: (...event) => void announcements.push(() => context.bus.publish(...event)),
  };
  await context.database.transaction((transaction) =>
    // The functions begin transactions of their own: within this one they are savepoints.
    write({ ...context, bus, database: transaction as unknown as WriteContext['database'] }),
  );
  for (const announce of announcements) announce();
}

const role =
  '(any|guests|users(/(un)?verified)?|(user|team|member):[a-zA-Z0-9][\\w.-]{0,35}(/[\\w-]{1,36})?|label:\\w{1,36})';
const permission = new RegExp(`^(read|create|update|delete|write)\\("${role}"\\)$`);

/**
 * @throws Problem `general_argument_invalid` for an invalid permission; what it grants has no effect (decision 0090).
 */
export function checkPermissions(permissions: readonly string[] | null | undefined): void {
  if (permissions?.every((text) => permission.test(text)) === false) {
    const rule = 'Must be read, create, update, delete or write of a role, such as read("any")';
    throw new Problem('general_argument_invalid', { fields: { permissions: rule } });
  }
}

/** What §3 calls `$id` and `$createdAt`. */
const plainNames = ['id', 'createdAt'];

/**
 * What is left of the data of a write. What begins with `$` is the server's and ignored, also under its name in §3, and so is
 * what does not differ from one of `unchanged`: an SDK sends back the whole document that it read. Addresses of pictures are
 * read without their token.
 */
export function changedData(sent: Data, unchanged: readonly Data[]): Data {
  const isUnchanged = (name: string, value: unknown) =>
    unchanged.some((data) => Object.hasOwn(data, name) && isSame(value, withoutFileTokens(data[name])));
  const entries = Object.entries(sent)
    .filter(([name]) => !name.startsWith('$') && !plainNames.includes(name))
    .map(([name, value]) => [name, withoutFileTokens(value)] as const)
    .filter(([name, value]) => !isUnchanged(name, value));
  return Object.fromEntries(entries);
}

/**
 * Reads the data of a write, as far as they change something (`changedData`).
 * @throws Problem `document_invalid_structure` naming the attribute
 */
export function readData<Fields extends z.ZodObject>(
  fields: Fields,
  sent: Data,
  unchanged: readonly Data[],
): Data {
  try {
    return validate(fields, 'data', changedData(sent, unchanged)) as Data;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const named = Object.entries(error.fields ?? {}).map(([name, rule]) => [
      name,
      rule === 'is not a field of this call' ? 'is not an attribute that you may set' : rule,
    ]);
    throw new Problem('document_invalid_structure', { fields: Object.fromEntries(named), cause: error });
  }
}

/** A related document is sent as its id, as it was read, or with the names of §3. */
const isSame = (value: unknown, before: unknown) =>
  isDeepStrictEqual(value, before) ||
  // Apps write '' for none.
  (value === '' && before === null) ||
  idOf(value) === (idOf(before) ?? null);

const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? (Reflect.get(value, '$id') ?? Reflect.get(value, 'id'))
    : value;

const roles = ({ accountId, admin }: Viewer) => [`user:${accountId}`, ...(admin ? ['label:admin'] : [])];

/** @throws Problem `user_unauthorized` when the rules do not grant the viewer this */
export function requireGrant(viewer: Viewer, document: Document, action: 'update' | 'delete'): void {
  const granted = roles(viewer).some((name) => document.$permissions.includes(`${action}("${name}")`));
  if (!granted) throw new Problem('user_unauthorized');
}

/** The limits of writes, one for each collection and verb; keys are accounts. */
export function writeLimits(enabled: boolean, open: OpenCounter) {
  const limits = new Map<string, RateLimit>();
  return ({ collectionId }: Pick<DocumentSource, 'collectionId'>, verb: string, perMinute: number) => {
    const key = `${collectionId} ${verb}`;
    const counting = { open, name: `documents ${key}` };
    const limit = limits.get(key) ?? limitByKey(enabled, { points: perMinute, seconds: 60 }, counting);
    limits.set(key, limit);
    return limit;
  };
}
