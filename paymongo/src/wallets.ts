import { z } from 'zod';
import type { Caller } from './caller.ts';
import { Centavos, one } from './envelope.ts';
import { requireParameters } from './errors.ts';
import type { Account } from './transfers.ts';

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

/** The account that payouts leave from, or null when no wallet tells its own. */
export function defaultAccount(wallets: Wallet[]): Account | null {
  const byPreference = wallets.toSorted((first, second) => preference(second) - preference(first));
  return byPreference.map(walletAccount).find((account) => account !== null) ?? null;
}

// One parameter per field: the provider ignores fields that are joined by commas.
const FIELDS = '?fields=account&fields=balance';

export const createWallets = (call: Caller) => ({
  async list(): Promise<Wallet[]> {
    return (await call.get(`/v2/wallets${FIELDS}`, z.looseObject({ data: z.array(Wallet) }))).data;
  },

  async get(id: string): Promise<Wallet> {
    requireParameters({ id });
    return (await call.get(`/v2/wallets/${encodeURIComponent(id)}${FIELDS}`, one(Wallet))).data;
  },
});
