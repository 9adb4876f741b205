import { z } from 'zod';
import type { Caller } from './caller.ts';
import { Centavos, type Metadata, type Page, type PageQuery, readSince, resourcePath } from './envelope.ts';
import { requireParameters } from './errors.ts';

/** The source or destination of a transfer: a wallet, a bank account, or an e-wallet's mobile number. */
export const Account = z.looseObject({ number: z.string(), name: z.string(), bic: z.string() });
export type Account = z.infer<typeof Account>;

/** A transfer out of the wallet. Flat and with ISO times, like all of /v2. */
export const Transfer = z.looseObject({
  id: z.string(),
  batch_transfer_id: z.string().nullish(),
  amount: Centavos,
  fee: Centavos.nullish(),
  currency: z.string(),
  provider: z.string(),
  source_account: Account.nullish(),
  destination_account: Account,
  reference_number: z.string().nullish(),
  provider_reference_number: z.string().nullish(),
  provider_error: z.string().nullish(),
  provider_error_code: z.string().nullish(),
  /** Set instead of `provider_error` by a transfer that failed at once. */
  provider_error_message: z.string().nullish(),
  /** pending, succeeded or failed. Treat an unknown status as pending. */
  status: z.string(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});
export type Transfer = z.infer<typeof Transfer>;

const Batch = z.looseObject({ id: z.string(), transfers: z.tuple([Transfer], Transfer) });

export type Rail = 'instapay' | 'pesonet' | 'paymongo';

export type NewTransfer = {
  /** Centavos. The limit of InstaPay is ₱50,000.00, of PESONet ₱10,000,000.00. */
  amount: number;
  currency: string;
  provider: Rail;
  source_account: Account;
  destination_account: Account;
  /** Your own id of the transfer: the only way to find it after its idempotency key has expired. */
  reference_number: string;
  purpose?: string;
  description?: string;
  callback_url?: string;
  metadata?: Metadata;
};

export const ReceivingInstitution = z
  .looseObject({
    id: z.string().optional(),
    name: z.string().optional(),
    bic: z.string().optional(),
    attributes: z
      .looseObject({
        name: z.string().optional(),
        bic: z.string().optional(),
        provider_code: z.string().optional(),
      })
      .optional(),
  })
  // The provider's documentation shows this list both flat and in the envelope.
  .transform(({ name, bic, attributes }) => ({
    name: name ?? attributes?.name ?? '',
    bic: bic ?? attributes?.bic ?? attributes?.provider_code ?? '',
  }));
export type ReceivingInstitution = z.output<typeof ReceivingInstitution>;

const TransferList = z
  .looseObject({
    has_more: z.boolean().optional(),
    data: z.union([
      z.array(Transfer),
      z.looseObject({ transfers: z.array(Transfer), has_more: z.boolean().optional() }),
    ]),
  })
  .transform(({ has_more, data }) =>
    Array.isArray(data)
      ? { items: data, hasMore: has_more ?? false }
      : { items: data.transfers, hasMore: data.has_more ?? has_more ?? false },
  );

export const createTransfers = (call: Caller) => {
  const list = (query: PageQuery & { reference_number?: string } = {}): Promise<Page<Transfer>> =>
    call.list('/v2/transfers', TransferList, query);

  return {
    /**
     * Sends money once per `idempotencyKey`: the provider stores its first reply to a key for about 24 hours and
     * repeats it. After a lost reply, repeat the call with the same key and content; once the key may have expired,
     * check with `findByReference` before sending.
     */
    async create(transfer: NewTransfer, idempotencyKey: string): Promise<Transfer> {
      requireParameters({
        amount: transfer.amount,
        currency: transfer.currency,
        provider: transfer.provider,
        source_account: transfer.source_account,
        destination_account: transfer.destination_account,
        reference_number: transfer.reference_number,
        idempotencyKey,
      });
      const body = { transfers: [transfer] };
      const batch = await call.postFlat('/v2/batch_transfers', Batch, body, idempotencyKey);
      const [sent] = batch.transfers;
      return { ...sent, batch_transfer_id: sent.batch_transfer_id ?? batch.id };
    },

    async get(id: string): Promise<Transfer> {
      return call.get(resourcePath('/v2/transfers', id), Transfer);
    },

    /** The transfers of a batch; `transfers.create` sends batches of one. */
    async getBatch(id: string): Promise<Transfer[]> {
      return (await call.get(resourcePath('/v2/batch_transfers', id), Batch)).transfers;
    },

    list,

    /**
     * Every transfer with this reference number, whatever its status. The list is read from the newest to the first page
     * that has one from before `since`; to its end without it.
     */
    async findByReference(referenceNumber: string, since = new Date(0)): Promise<Transfer[]> {
      requireParameters({ referenceNumber });
      const find = async (filter: { reference_number?: string }) => {
        const transfers = await readSince(
          'GET /v2/transfers',
          (query) => list({ ...filter, ...query }),
          since.getTime() / 1000,
        );
        return transfers.filter((transfer) => transfer.reference_number === referenceNumber);
      };
      // The provider does not document the filter: what it does not find by it may be there all the same.
      const byFilter = await find({ reference_number: referenceNumber });
      return byFilter.length > 0 ? byFilter : find({});
    },

    /** Banks and e-wallets that a rail can pay, with their codes. */
    async receivingInstitutions(provider: 'instapay' | 'pesonet'): Promise<ReceivingInstitution[]> {
      requireParameters({ provider });
      return call.get('/v2/transfers/receiving_institutions', z.array(ReceivingInstitution), { provider });
    },
  };
};

export const Wallet = z.looseObject({
  id: z.string(),
  /** activated, deactivated or frozen */
  status: z.string().optional(),
  is_default: z.boolean().nullish(),
  account: z
    .looseObject({ account_number: z.string(), account_name: z.string(), bic: z.string().optional() })
    .nullish(),
  balance: z.looseObject({ available: Centavos, pending: Centavos.optional() }).nullish(),
});
export type Wallet = z.infer<typeof Wallet>;

/** The provider's own bank code. */
const PROVIDER_BIC = 'PAEYPHM2XXX';

/** Null when the reply did not contain the account. */
function walletAccount(wallet: Wallet): Account | null {
  if (!wallet.account) return null;
  return {
    number: wallet.account.account_number,
    name: wallet.account.account_name,
    bic: wallet.account.bic ?? PROVIDER_BIC,
  };
}

/** Payouts leave from the default wallet, or from one that is activated. */
const preference = ({ is_default, status }: Wallet): number =>
  (status === 'deactivated' || status === 'frozen' ? 0 : 2) + (is_default ? 1 : 0);

const byPreference = (wallets: Wallet[]) =>
  wallets.toSorted((first, second) => preference(second) - preference(first));

/** The wallet that payouts leave from. */
export const defaultWallet = (wallets: Wallet[]): Wallet | null => byPreference(wallets)[0] ?? null;

/** The account that payouts leave from, or null when no wallet names its own. */
export function defaultAccount(wallets: Wallet[]): Account | null {
  return (
    byPreference(wallets)
      .map(walletAccount)
      .find((account) => account !== null) ?? null
  );
}

// One parameter per field: the provider ignores fields that are joined by commas.
const FIELDS = '?fields=account&fields=balance';

const Wallets = z.array(Wallet);

export const createWallets = (call: Caller) => ({
  async list(): Promise<Wallet[]> {
    return call.get(`/v2/wallets${FIELDS}`, Wallets);
  },

  async get(id: string): Promise<Wallet> {
    return call.get(`${resourcePath('/v2/wallets', id)}${FIELDS}`, Wallet);
  },
});
