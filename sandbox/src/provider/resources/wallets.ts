import { z } from 'zod';
import type { Api } from '../api.ts';
import type { ProviderContext } from '../context.ts';
import { notFound } from '../problem.ts';

export const WALLET_ACCOUNT = { number: '978011524613', name: 'Payment Sandbox', bic: 'PAEYPHM2XXX' };
/** What the card schemes charge for a dispute, in centavos: ₱800, given back when it is won. */
const DISPUTE_FEE = 80_000;
const CREATED_AT = '2024-01-01T00:00:00.000Z';
export const WALLET_ID = 'wallet_sandbox000000000000000000';

/**
 * What can be transferred or refunded, in centavos: the opening balance and the payments, less refunds, disputes that are
 * not won, and transfers. With `banking_days`, payments count once they are available.
 */
export function availableBalance({ store, settings, clock }: ProviderContext): number {
  const { opening_balance, banking_days } = settings.get();
  const latest = banking_days ? Math.floor(clock.now() / 1000) : Number.MAX_SAFE_INTEGER;
  const { received, spent } = Sums.parse(store.database.prepare(SUMS).get({ latest, fee: DISPUTE_FEE }));
  return opening_balance + received - spent;
}

const Sums = z.object({ received: z.number(), spent: z.number() });
const attribute = (name: string) => `json_extract(attributes, '$.${name}')`;
const SUMS = `
  select
    (select coalesce(sum(${attribute('net_amount')}), 0) from objects
      where kind = 'payment' and ${attribute('status')} = 'paid' and ${attribute('available_at')} <= :latest) as received,
    (select coalesce(sum(${attribute('amount')}), 0) from objects
      where kind = 'refund' and ${attribute('status')} <> 'failed')
    + (select coalesce(sum(${attribute('amount')} + :fee), 0) from objects
      where kind = 'dispute' and ${attribute('status')} <> 'won')
    + (select coalesce(sum(${attribute('amount')} + ${attribute('fee')}), 0) from objects
      where kind = 'transfer' and ${attribute('status')} <> 'failed') as spent`;

/** What is captured and not available yet, in centavos. */
function pendingBalance({ store, settings, clock }: ProviderContext): number {
  if (!settings.get().banking_days) return 0;
  const row = store.database
    .prepare(
      `select coalesce(sum(${attribute('net_amount')}), 0) as received, 0 as spent from objects
       where kind = 'payment' and ${attribute('status')} = 'paid' and ${attribute('available_at')} > ?`,
    )
    .get(Math.floor(clock.now() / 1000));
  return Sums.parse(row).received;
}

/** `/v2/wallets`: the sandbox has one wallet. Its account and balance come only when `fields` asks for them, one value each. */
export function walletCalls(api: Api, context: ProviderContext): void {
  const wallet = (fields: string[]) => ({
    id: WALLET_ID,
    merchant_id: 'org_sandbox0000000000000000000000',
    type: 'business',
    is_default: true,
    livemode: context.livemode,
    status: 'activated',
    limits: { daily: null, monthly: null },
    ...(fields.includes('account') && {
      account: { account_number: WALLET_ACCOUNT.number, account_name: WALLET_ACCOUNT.name },
    }),
    ...(fields.includes('balance') && {
      balance: { available: availableBalance(context), pending: pendingBalance(context) },
    }),
    created_at: CREATED_AT,
    updated_at: CREATED_AT,
  });
  api.list('/wallets', ({ values }) => ({ items: [values('fields')], hasMore: false }), wallet);
  api.get('/wallets/:id', ({ id, values }) => {
    if (id !== WALLET_ID) throw notFound(id);
    return wallet(values('fields'));
  });
}
