import type { Api } from '../api.ts';
import type { ProviderContext } from '../context.ts';
import { asFields, checkFields } from '../fields.ts';
import { newId } from '../ids.ts';
import type { Kinds, Stored } from '../kinds.ts';
import { notFound, ProviderProblem } from '../problem.ts';
import { availableBalance, WALLET_ACCOUNT, WALLET_ID } from './wallets.ts';

const INSUFFICIENT_BALANCE = 'validation failed for transfer_validator.source_account_balance: insufficient';
const FOREIGN_SOURCE = 'failed to get first source account';

/** ₱10 each, in centavos. */
const TRANSFER_FEE = 1_000;

/** The provider's test account that is paid. */
const PAID_TEST_ACCOUNT = '999999990001';

/** The provider's test accounts for which transfers fail; any other account is paid, unless only test accounts end. */
const FAILING_ACCOUNTS = new Map([
  ['999999990002', ['test_failed_number', 'Simulated failure for test number.']],
  ['999999990003', ['account_not_found', 'Destination account not found.']],
  ['999999990004', ['account_not_active', 'Destination account inactive.']],
  ['999999990005', ['account_limit_reached', 'Destination account limit reached.']],
  ['999999990006', ['internal_server_error', 'Provider internal error.']],
]);

const INSTITUTIONS = [
  { name: 'GCash', bic: 'GXCHPHM2XXX', rails: ['instapay'] },
  { name: 'Maya', bic: 'PAPHPHM1XXX', rails: ['instapay'] },
  { name: 'BDO Unibank', bic: 'BNORPHMMXXX', rails: ['instapay', 'pesonet'] },
  { name: 'Bank of the Philippine Islands', bic: 'BOPIPHMMXXX', rails: ['instapay', 'pesonet'] },
  { name: 'Union Bank of the Philippines', bic: 'UBPHPHMMXXX', rails: ['instapay', 'pesonet'] },
];

/** `/v2/batch_transfers` and `/v2/transfers` */
export function transferCalls(api: Api, context: ProviderContext): void {
  const { store, present } = context;

  api.post('/batch_transfers', ({ body }) => {
    const list =
      typeof body === 'object' && body !== null && 'transfers' in body ? body.transfers : undefined;
    const check = checkFields({ transfers: list });
    if (!Array.isArray(list) || list.length === 0 || list.length > 1000) {
      check.addFault('transfers', 'parameter_invalid', 'should be an array of 1 to 1000 transfers.');
    }
    check.done();
    const orders = Array.isArray(list) ? list.map((order, index) => readTransfer(order, index)) : [];
    const faults = orders.flatMap((order) => order.faults);
    if (faults.length > 0) throw new ProviderProblem(400, ...faults);

    const batchId = newId('batch_tr');
    const now = context.clock.now();
    const transfers = orders.map(({ attributes }) => {
      // A failed transfer costs nothing, so that it does not count against the next one of the batch.
      const refusal =
        attributes.source_account.number !== WALLET_ACCOUNT.number
          ? FOREIGN_SOURCE
          : attributes.amount + TRANSFER_FEE > availableBalance(context)
            ? INSUFFICIENT_BALANCE
            : null;
      const ends = endsEver(context, attributes.destination_account.number);
      const transfer = context.add(
        'transfer',
        {
          ...attributes,
          batch_transfer_id: batchId,
          fee: refusal ? 0 : TRANSFER_FEE,
          provider_reference_number: null,
          status: refusal ? 'failed' : 'pending',
          provider_error: null,
          provider_error_code: null,
          provider_error_message: refusal,
        },
        { parent: batchId, dueAt: ends && !refusal ? now + context.pendingMs : null },
      );
      if (refusal) emitOutward(context, transfer);
      return transfer;
    });
    return { id: batchId, transfers: transfers.map(present.transfer) };
  });

  api.get('/batch_transfers/:id', ({ id }) => {
    const { items } = store.list('transfer', { parent: id, limit: 1000 });
    if (items.length === 0) throw notFound(id);
    return { id, transfers: items.reverse().map(present.transfer) };
  });

  api.list(
    '/transfers',
    ({ page, query }) => {
      const where: Record<string, string> = {};
      if (query.reference_number !== undefined) where.reference_number = query.reference_number;
      if (query.status !== undefined) where.status = query.status;
      return store.list('transfer', { ...page, where });
    },
    present.transfer,
  );

  api.list(
    '/transfers/receiving_institutions',
    ({ query }) => ({
      items: INSTITUTIONS.filter(({ rails }) => rails.includes(query.provider ?? 'instapay')),
      hasMore: false,
    }),
    ({ name, bic }) => ({ id: `ri_${bic}`, type: 'receiving_institution', attributes: { name, bic } }),
  );
  api.get('/transfers/:id', ({ id }) => present.transfer(api.find('transfer', id)));
}

/** The limit of each rail in centavos. */
const RAIL_LIMITS: Record<string, number> = { instapay: 5_000_000, pesonet: 1_000_000_000 };

/** Reads one entry of a batch: its attributes and faults. */
function readTransfer(entry: unknown, index: number) {
  const prefix = `transfers[${index}].`;
  const check = checkFields(asFields(entry), prefix);
  const provider = check.oneOf('provider', ['instapay', 'pesonet', 'paymongo']) ?? 'instapay';
  const amount = check.integer('amount', { min: 100, max: RAIL_LIMITS[provider] });
  check.oneOf('currency', ['PHP']);
  const account = (name: string) => {
    const fields = checkFields(check.fields(name), `${prefix}${name}.`);
    const value = {
      number: fields.text('number', { max: 34 }) ?? '',
      name: fields.text('name', { max: 140 }) ?? '',
      bic: fields.text('bic', { max: 11 }) ?? '',
    };
    check.include(fields.faults);
    return value;
  };
  const text = (name: string, max: number) => check.text(name, { max, optional: true }) ?? null;
  const attributes = {
    amount,
    currency: 'PHP',
    provider,
    source_account: account('source_account'),
    destination_account: account('destination_account'),
    reference_number: text('reference_number', 100),
    purpose: text('purpose', 140),
    description: text('description', 255),
    callback_url: check.url('callback_url', { optional: true }) ?? null,
    metadata: check.optionalFields('metadata'),
  } satisfies Partial<Kinds['transfer']>;
  return { attributes, faults: check.faults };
}

/** Whether a transfer to this account ever leaves `pending`. */
const endsEver = ({ settings }: ProviderContext, number: string): boolean =>
  !settings.get().test_accounts_only || number === PAID_TEST_ACCOUNT || FAILING_ACCOUNTS.has(number);

/** Completes a pending transfer. It runs once, because only a pending transfer has `dueAt`. */
export function completeTransfer(context: ProviderContext, transfer: Stored<'transfer'>): void {
  const { number } = transfer.attributes.destination_account;
  const [code, error] = FAILING_ACCOUNTS.get(number) ?? [];
  const done = {
    status: code ? 'failed' : 'succeeded',
    provider_error: error ?? null,
    provider_error_code: code ?? null,
    provider_reference_number: code ? null : newId('ips'),
  } as const;
  emitOutward(context, context.change(transfer, done, null));
}

function emitOutward(context: ProviderContext, transfer: Stored<'transfer'>): void {
  const { emit, present, callBack } = context;
  const { callback_url: callbackUrl } = transfer.attributes;
  if (callbackUrl) callBack(callbackUrl, { data: walletTransaction(transfer) });
  emit(transfer.attributes.status === 'failed' ? 'transfer.outward.failed' : 'transfer.outward.successful', {
    id: transfer.id,
    type: 'transfer',
    attributes: { ...present.transfer(transfer), transfer_id: transfer.id },
  });
}

/** A transfer as callbacks show it: as the entry of the wallet. */
function walletTransaction({ id, attributes }: Stored<'transfer'>) {
  const account = ({ name, number, bic }: { name: string; number: string; bic: string }) => ({
    bank_account_name: name,
    bank_account_number: number,
    bank_code: bic,
  });
  const { amount, currency, description, fee, livemode, metadata, provider, purpose, status } = attributes;
  return {
    id: newId('wallet_tr'),
    type: 'wallet_transaction',
    attributes: {
      wallet_id: WALLET_ID,
      transfer_id: id,
      batch_transaction_id: attributes.batch_transfer_id,
      callback_url: attributes.callback_url,
      ...{ amount, currency, description, fee, livemode, metadata, provider, purpose, status },
      net_amount: amount,
      provider_error: attributes.provider_error,
      provider_error_code: attributes.provider_error_code,
      reference_number: attributes.reference_number,
      receiver: account(attributes.destination_account),
      sender: account(WALLET_ACCOUNT),
    },
  };
}
