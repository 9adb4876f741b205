import { z } from 'zod';

/** What the provider's replies are made of, by its public documentation; what it adds to them is let through. */

/** An id: the beginning of its kind and 24 letters and digits. */
const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[A-Za-z0-9]{24}$`));
const Centavos = z.int().min(0);
/** Unix seconds; the same in milliseconds would be thousands of years ahead. */
const Seconds = z.int().min(1_000_000_000).max(10_000_000_000);
const Address = z.url({ protocol: /^https?$/ });
const Text = z.string().nullable();
const Fields = z.record(z.string(), z.unknown()).nullable();
const times = { created_at: Seconds, updated_at: Seconds };
const sum = { amount: Centavos, currency: z.literal('PHP') };

interface Kind {
  type: string;
  id: z.ZodType<string>;
  attributes: z.ZodRawShape;
}

/** The kind of resource that the calls to a path answer, by the path's first part. */
const KINDS: Record<string, Kind> = {
  payment_intents: {
    type: 'payment_intent',
    id: id('pi'),
    attributes: {
      ...sum,
      ...times,
      amount: z.int().min(2_000).max(999_999_999),
      payment_method_allowed: z.array(z.string()).min(1),
      payment_method_options: z
        .looseObject({ card: z.looseObject({ request_three_d_secure: z.enum(['any', 'automatic']) }) })
        .nullable(),
      client_key: z.string().regex(/^pi_[A-Za-z0-9]{24}_client_[A-Za-z0-9]{24}$/),
      status: z.enum([
        'awaiting_payment_method',
        'awaiting_next_action',
        'awaiting_capture',
        'processing',
        'succeeded',
        'cancelled',
      ]),
      next_action: Fields,
      last_payment_error: Fields,
      payments: z.array(z.looseObject({ id: id('pay') })),
      description: Text,
      metadata: Fields,
      livemode: z.boolean(),
    },
  },
  payment_methods: {
    type: 'payment_method',
    id: id('pm'),
    attributes: {
      ...times,
      type: z.string().min(1),
      // Of the card's number only the last digits come back.
      details: z
        .strictObject({
          last4: z.string().regex(/^\d{4}$/),
          exp_month: z.int().min(1).max(12),
          exp_year: z.int().min(2000),
        })
        .nullable(),
      billing: Fields,
      metadata: Fields,
      livemode: z.boolean(),
    },
  },
  webhooks: {
    type: 'webhook',
    id: id('hook'),
    attributes: {
      ...times,
      url: Address,
      events: z.array(z.string()).min(1),
      secret_key: z.string().regex(/^whsk_[A-Za-z0-9]{24}$/),
      status: z.enum(['enabled', 'disabled']),
      livemode: z.boolean(),
    },
  },
  sources: {
    type: 'source',
    id: id('src'),
    attributes: {
      ...sum,
      ...times,
      type: z.enum(['gcash', 'grab_pay']),
      redirect: z.looseObject({ success: Address, failed: Address, checkout_url: Address }),
      billing: Fields,
      status: z.enum(['pending', 'chargeable', 'paid', 'cancelled', 'expired']),
      livemode: z.boolean(),
    },
  },
  links: {
    type: 'link',
    id: id('link'),
    attributes: {
      ...sum,
      ...times,
      description: z.string(),
      remarks: Text,
      archived: z.boolean(),
      fee: Centavos,
      livemode: z.boolean(),
      status: z.enum(['unpaid', 'paid', 'refunded']),
      checkout_url: Address,
      reference_number: z.string().regex(/^[A-Za-z][A-Za-z0-9]{6}$/),
      taxes: z.array(z.unknown()),
      payments: z.array(z.looseObject({ data: z.looseObject({ id: id('pay') }) })),
    },
  },
  payments: {
    type: 'payment',
    id: id('pay'),
    attributes: {
      ...sum,
      ...times,
      amount: z.int().min(2_000),
      fee: Centavos,
      foreign_fee: Centavos,
      tax_amount: Centavos.nullable(),
      net_amount: Centavos,
      source: z.looseObject({ id: z.string().min(1), type: z.string().min(1) }),
      billing: Fields,
      description: Text,
      statement_descriptor: Text,
      external_reference_number: Text,
      payment_intent_id: id('pi').nullable(),
      refunds: z.array(z.looseObject({ id: id('ref') })),
      payout: z.unknown(),
      paid_at: Seconds.nullable(),
      status: z.enum(['pending', 'paid', 'failed']),
      livemode: z.boolean(),
    },
  },
  refunds: {
    type: 'refund',
    id: id('ref'),
    attributes: {
      ...sum,
      ...times,
      payment_id: id('pay'),
      reason: z.enum(['requested_by_customer', 'duplicate', 'fraudulent', 'others']),
      status: z.enum(['pending', 'processing', 'succeeded', 'failed']),
      livemode: z.boolean(),
    },
  },
};

const Resource = z.looseObject({ id: z.string() });
/** What the clients return: the reply, its data, or an object of their own; of a list the reply. */
const Result = z
  .union([
    z.looseObject({ has_more: z.boolean(), data: z.array(Resource).min(1) }).transform(({ data }) => data),
    z.looseObject({ data: Resource }).transform(({ data }) => [data]),
    Resource.transform((data) => [data]),
  ])
  .catch([]);

/** What a payment leaves to the account that is paid. */
const isRightNet = ({ status, amount, fee, foreign_fee, tax_amount, net_amount }: Record<string, unknown>) =>
  net_amount ===
  (status === 'failed'
    ? 0
    : Number(amount) - Number(fee) - Number(foreign_fee ?? 0) + Number(tax_amount ?? 0));

/** The fields of a resource: on the wire they are attributes, some clients make an object of their own of them. */
const readFields = (resource: z.output<typeof Resource>): unknown =>
  'attributes' in resource ? resource.attributes : resource;

/** What is wrong with one resource; null when nothing is. */
function findResourceFault(kind: Kind, resource: z.output<typeof Resource>): string | null {
  const isWire = 'attributes' in resource;
  const fields = readFields(resource);
  // An object of a client's own has a part of the attributes. It has a key also for what the reply lacked.
  const fieldShapes = Object.entries(kind.attributes).filter(
    ([name]) => isWire || Object.hasOwn(resource, name),
  );
  const checked = z
    .looseObject({
      id: kind.id,
      ...(isWire ? { type: z.literal(kind.type) } : {}),
      attributes: z.looseObject(Object.fromEntries(fieldShapes)),
    })
    .safeParse({ ...resource, attributes: fields });
  if (!checked.success)
    return checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  if (kind.type === 'payment' && !isRightNet(checked.data.attributes))
    return 'attributes.net_amount: is not the amount without its fees';
  return null;
}

/**
 * What is wrong with what a client returned of a call, such as `POST /links`: resources of another kind, attributes that
 * are missing or of another form. Null when nothing is.
 */
export function findShapeFault(call: string, result: unknown): string | null {
  const kind = KINDS[/^\w+ \/(\w+)/.exec(call)?.[1] ?? ''];
  if (kind === undefined) return 'nothing is known of this path';
  const resources = Result.parse(result);
  if (resources.length === 0) return 'the reply has no resource';
  for (const resource of resources) {
    const fault = findResourceFault(kind, resource);
    if (fault !== null) return fault;
  }
  return null;
}

/** Whether a value has all that is wanted, and perhaps more fields; lists are as long as wanted. */
function hasAll(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(value, wanted);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(wanted) && (!Array.isArray(value) || value.length !== wanted.length)) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(wanted).every(([name, part]) => hasAll(fields.get(name), part));
}

/** What a reply has to say: the id of its resource, unless the call makes it, and attributes. */
export interface Answer {
  id?: string;
  [attribute: string]: unknown;
}

/**
 * What is missing in what a client returned: the resource, or a value of one of its attributes. In a list the resource is
 * searched by its id, and with `isOnly` it is alone there. Null when nothing is.
 */
export function findAnswerFault(result: unknown, answer: Answer, { isOnly = false } = {}): string | null {
  const resources = Result.parse(result);
  const resource = answer.id === undefined ? resources[0] : resources.find(({ id }) => id === answer.id);
  if (resource === undefined) return `the reply has no ${answer.id ?? 'resource'}`;
  if (isOnly && resources.length > 1) return `the reply has ${resources.length} resources in place of one`;
  const { id: _, ...attributes } = answer;
  const fields = new Map<string, unknown>(Object.entries(readFields(resource) ?? {}));
  for (const [name, wanted] of Object.entries(attributes)) {
    // An object of a client's own leaves some attributes out.
    if (!('attributes' in resource) && !fields.has(name)) continue;
    if (!hasAll(fields.get(name), wanted))
      return `attributes.${name}: ${JSON.stringify(fields.get(name))} in place of ${JSON.stringify(wanted)}`;
  }
  return null;
}

/** The id of the resource that a client returned of a call that is about one; null of a list. */
export const readId = (result: unknown): string | null => {
  const [resource, ...others] = Result.parse(result);
  return resource === undefined || others.length > 0 ? null : resource.id;
};
