import type { Api } from '../api.ts';
import type { ProviderContext } from '../context.ts';
import { notFound } from '../problem.ts';

/** The initial balance in centavos: enough for every test. */
const OPENING_BALANCE = 10_000_000_000;

export const WALLET_ACCOUNT = { number: '978011524613', name: 'Payment Sandbox', bic: 'PAEYPHM2XXX' };
const WALLET_ID = 'wallet_sandbox000000000000000000';

/** Opening balance minus all transfers that have not failed, in centavos. */
export function availableBalance(context: ProviderContext): number {
  const outgoing = context.store.database
    .prepare(
      `select coalesce(sum(json_extract(attributes, '$.amount') + json_extract(attributes, '$.fee')), 0) as total
       from objects where kind = 'transfer' and json_extract(attributes, '$.status') <> 'failed'`,
    )
    .get();
  return OPENING_BALANCE - Number(outgoing?.total ?? 0);
}

/** `/v2/wallets`: the sandbox has one wallet. */
export function walletCalls(api: Api, context: ProviderContext): void {
  const wallet = () => ({
    id: WALLET_ID,
    livemode: context.livemode,
    status: 'activated',
    account: {
      account_number: WALLET_ACCOUNT.number,
      account_name: WALLET_ACCOUNT.name,
      bic: WALLET_ACCOUNT.bic,
    },
    balance: { available: availableBalance(context), pending: 0 },
  });
  api.list('/wallets', () => ({ items: [wallet()], hasMore: false }));
  api.get('/wallets/:id', ({ id }) => {
    if (id !== WALLET_ID) throw notFound(id);
    return wallet();
  });
}
