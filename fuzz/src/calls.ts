import { allCalls } from '@tara/contract/all';
import { payloadOf } from '@tara/contract/wire/payloads';
import { initials } from '@tara/server/backend/storage/avatars';
import type { NamedCall } from './inputs/http.ts';

/** Every call of the contract, and the one call of the wire that is not part of it. */
export const productCalls: readonly NamedCall[] = [
  ...Object.entries(allCalls).flatMap(([table, calls]) =>
    Object.entries(calls).map(([name, call]) => ({
      name: `${table}.${name}`,
      call: { ...call, body: payloadOf(call) },
    })),
  ),
  { name: 'avatars.initials', call: initials },
];
