import { mobileNumber } from '@tara/contract/profiles';
import { type Account, defaultAccount, type Paymongo, type Rail } from '@tara/paymongo';

/** GCash among the receivers of a transfer: the e-wallet that is reached by a phone number. */
const gcash = 'GXCHPHM2XXX';
/** InstaPay carries up to ₱50,000.00 at once; PESONet more, by the next banking day. */
const instapayMost = 50_000_00;

export const railFor = (centavos: number): Rail => (centavos <= instapayMost ? 'instapay' : 'pesonet');

/** The e-wallet of a receiver, or null without a Philippine mobile number (§6): a profile's field may hold any text. */
export function walletOf(receiver: { name: string; phoneNumber: string }): Account | null {
  const number = mobileNumber(receiver.phoneNumber);
  return number === null ? null : { number, name: receiver.name, bic: gcash };
}

/** Our own account at the provider, from which payouts leave. @throws Error when it has none. */
export async function ownAccount(client: Paymongo): Promise<Account> {
  const account = defaultAccount(await client.wallets.list());
  if (!account) throw new Error('the provider has no wallet to pay out from');
  return account;
}
