/** The stored attributes of each resource: as on the wire, without nested resources. */
export type Kinds = {
  link: {
    amount: number;
    currency: string;
    description: string;
    remarks: string | null;
    archived: boolean;
    fee: number;
    status: 'unpaid' | 'paid' | 'refunded';
    tax_amount: null;
    taxes: unknown[];
    checkout_url: string;
    reference_number: string;
    /** Through which API it is seen, and how often it can be paid (0: any number); neither is on the wire of links. */
    api: 'links' | 'payment_links';
    limit: number;
    metadata: unknown;
  };
  payment_intent: {
    amount: number;
    currency: string;
    description: string | null;
    statement_descriptor: string | null;
    payment_method_allowed: string[];
    payment_method_options: unknown;
    client_key: string;
    /** The method that was attached last. */
    payment_method: string | null;
    capture_type: 'automatic' | 'manual';
    /** What was asked for; `amount` is what was captured of it. */
    original_amount: number;
    setup_future_usage: null;
    status:
      | 'awaiting_payment_method'
      | 'awaiting_next_action'
      | 'awaiting_capture'
      | 'processing'
      | 'succeeded'
      | 'cancelled';
    next_action: NextAction | null;
    last_payment_error: {
      failed_code: string;
      failed_message: string;
      payment: string | null;
      payment_method: string | null;
    } | null;
    metadata: unknown;
  };
  payment_method: {
    type: string;
    details: { last4: string; exp_month: number; exp_year: number } | null;
    /** Number of the test card; not on the wire. */
    test_card: string | null;
    /** For a QR code, in s; not on the wire. */
    expiry_seconds: number | null;
    billing: unknown;
    metadata: unknown;
  };
  source: {
    amount: number;
    currency: string;
    type: string;
    status: 'pending' | 'chargeable' | 'paid' | 'cancelled' | 'expired';
    redirect: { success: string; failed: string; checkout_url: string };
    billing: unknown;
    description: string | null;
    statement_descriptor: string | null;
    metadata: unknown;
  };
  payment: {
    amount: number;
    currency: string;
    fee: number;
    foreign_fee: number;
    tax_amount: number | null;
    net_amount: number;
    status: 'pending' | 'paid' | 'failed';
    /** Whether it has a dispute that is open or lost. */
    disputed: boolean;
    /** Where it was made. */
    origin: 'api' | 'links';
    access_url: null;
    balance_transaction_id: string | null;
    instant_settlement: null;
    promotion: null;
    source: PaidWith;
    billing: unknown;
    description: string | null;
    statement_descriptor: string | null;
    external_reference_number: string | null;
    payment_intent_id: string | null;
    failed_code: string | null;
    failed_message: string | null;
    payout: null;
    taxes: unknown[];
    metadata: unknown;
    paid_at: number | null;
    /** When the money can be used, and when it is paid out, in s. */
    available_at: number | null;
    credited_at: number | null;
  };
  dispute: {
    amount: number;
    currency: string;
    status: 'needs_response' | 'under_review' | 'won' | 'lost' | 'expired';
    reason: string;
    payment_id: string | null;
  };
  refund: {
    amount: number;
    currency: string;
    payment_id: string;
    reason: string;
    notes: string | null;
    status: 'pending' | 'processing' | 'succeeded' | 'failed';
    balance_transaction_id: string;
    payout_id: null;
    available_at: number | null;
    refunded_at: number | null;
    metadata: unknown;
  };
  webhook: {
    url: string;
    events: string[];
    secret_key: string;
    status: 'enabled' | 'disabled';
    disabled_reason: 'disabled_by_merchant' | 'max_retries_exceeded' | null;
  };
  transfer: {
    batch_transfer_id: string;
    amount: number;
    fee: number;
    currency: string;
    provider: string;
    source_account: unknown;
    destination_account: { number: string; name: string; bic: string };
    reference_number: string | null;
    provider_reference_number: string | null;
    purpose: string | null;
    description: string | null;
    callback_url: string | null;
    metadata: unknown;
    status: 'pending' | 'succeeded' | 'failed';
    provider_error: string | null;
    provider_error_code: string | null;
    provider_error_message: string | null;
  };
};

export type Kind = keyof Kinds;

/** Those of a kind, with the mode of the account. */
export type Attributes<K extends Kind> = Kinds[K] & { livemode: boolean };

/** What the payer has to do: open a page, or scan a code. */
export type NextAction =
  | { type: 'redirect'; redirect: { url: string; return_url: string | null } }
  | {
      type: 'consume_qr';
      code: {
        id: string;
        amount: number;
        label: string;
        test_url: string;
        image_url: string;
        expires_at: string;
      };
    };

/** The source of a payment. */
export type PaidWith = {
  id: string;
  type: string;
  brand?: string;
  last4?: string;
  country?: string;
  /** For a wallet. */
  provider?: { id: null };
  provider_id?: null;
};

/** A stored resource. Times are in ms; the presenter converts them to the wire's seconds. */
export type Stored<K extends Kind> = {
  id: string;
  kind: K;
  /** The resource that this one belongs to: a payment's link or intent, a refund's payment. */
  parent: string | null;
  attributes: Attributes<K>;
  createdAt: number;
  updatedAt: number;
  /** When it moves on by itself, in ms: a pending transfer, refund or payment completes, a source or code expires. */
  dueAt: number | null;
};
