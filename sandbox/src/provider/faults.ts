import { z } from 'zod';
import { parseInput } from './problem.ts';
import type { Store } from './store.ts';

export const DELIVERY_FAULTS = [
  'delay_deliveries',
  'duplicate_deliveries',
  'reorder_deliveries',
  'drop_deliveries',
] as const;
export const API_FAULTS = [
  'answer_403',
  'answer_409',
  'answer_429',
  'answer_500',
  'hang',
  'lose_answer',
] as const;
export const REFUND_FAULTS = ['fail_refund'] as const;
export const PAYMENT_FAULTS = ['delay_payment'] as const;
export const ALL_FAULTS = [...DELIVERY_FAULTS, ...API_FAULTS, ...REFUND_FAULTS, ...PAYMENT_FAULTS] as const;

/** A form sends an omitted field as an empty text. */
const emptyToUndefined = (value: unknown) => (value === '' ? undefined : value);
/** A fault as a person or test adds it. */
export const NewFault = z.strictObject({
  kind: z.enum(ALL_FAULTS),
  /** Prefix of the calls' paths, such as `/v1/links`. */
  path: z.string().max(200).default(''),
  /** Method of the calls. */
  method: z.string().max(10).toUpperCase().default(''),
  /** Prefix of the events' types, such as `payment.`. */
  event: z.string().max(100).default(''),
  /** How often the fault is applied. Omitted: until it is cleared. */
  times: z.preprocess(emptyToUndefined, z.coerce.number().int().min(1).max(1_000_000).optional()),
  /** For `delay_deliveries`, `reorder_deliveries`, `hang` and `delay_payment`. */
  delay_ms: z.preprocess(emptyToUndefined, z.coerce.number().int().min(0).max(86_400_000).optional()),
});

const Fault = z.object({
  id: z.number(),
  kind: z.enum(ALL_FAULTS),
  path: z.string(),
  method: z.string(),
  event: z.string(),
  times: z.number().nullable(),
  delay_ms: z.number().nullable(),
  used: z.number(),
});
export type Fault = z.infer<typeof Fault>;
const StoredFaults = Fault.array();

export type Faults = ReturnType<typeof createFaults>;

/** Stores faults, also across a restart. */
export function createFaults(store: Store) {
  const { database } = store;
  const insert = database.prepare(
    'insert into faults (kind, path, method, event, times, delay_ms) values (?, ?, ?, ?, ?, ?) returning *',
  );
  const active = database.prepare('select * from faults where times is null or used < times order by id');
  const every = database.prepare('select * from faults order by id');
  const use = database.prepare('update faults set used = used + 1 where id = ?');

  const consume = (matches: (fault: Fault) => boolean): Fault | undefined => {
    const fault = StoredFaults.parse(active.all()).find(matches);
    if (fault) use.run(fault.id);
    return fault;
  };

  return {
    /** Throws a 400 that names the invalid field. */
    add(input: unknown): Fault {
      const { kind, path, method, event, times, delay_ms } = parseInput(NewFault, input);
      return Fault.parse(insert.get(kind, path, method, event, times ?? null, delay_ms ?? null));
    },
    list: (): Fault[] => StoredFaults.parse(every.all()),
    clear(): void {
      database.exec('delete from faults');
    },
    /** The first fault that matches this call; counts its use. */
    forCall: (method: string, path: string) =>
      consume(
        (fault) =>
          API_FAULTS.some((kind) => kind === fault.kind) &&
          path.startsWith(fault.path) &&
          (fault.method === '' || fault.method === method),
      ),
    /** The first fault by which a refund fails; counts its use. */
    forRefund: () => consume((fault) => REFUND_FAULTS.some((kind) => kind === fault.kind)),
    /** The first fault by which a payment stays pending; counts its use. */
    forPayment: () => consume((fault) => PAYMENT_FAULTS.some((kind) => kind === fault.kind)),
    /** The first fault that matches this delivery; counts its use. */
    forDelivery: (event: string) =>
      consume(
        (fault) => DELIVERY_FAULTS.some((kind) => kind === fault.kind) && event.startsWith(fault.event),
      ),
  };
}
