import type { Tara } from '../tara.ts';
import { control, insist, withDatabase } from './money-fixture.ts';

/** What people, card issuers and the calendar do at the provider. */

const formOf = (fields: Record<string, string>) => new URLSearchParams(fields);

/** Sends a form of the hosted checkout. A link that is paid or closed meanwhile refuses it, which is right. */
const submit = ({ origin }: URL, path: string, fields: Record<string, string>) =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { origin },
    body: formOf(fields),
    redirect: 'manual',
  });

export async function payByCard(url: URL, number: string): Promise<void> {
  await submit(url, `${url.pathname}/card`, { number, expiry: '12/34', cvc: '123', name: 'Ben' });
}

export async function payByWallet(url: URL): Promise<void> {
  const begun = await submit(url, `${url.pathname}/gcash`, {});
  const location = begun.headers.get('location');
  if (location?.includes('/authorize/'))
    await submit(url, new URL(location, url).pathname + new URL(location, url).search, {
      decision: 'authorize',
    });
}

/** The payments of a request that the provider knows by name. */
const paymentsOf = (tara: Tara, interactionId: string) =>
  withDatabase(
    tara,
    (sql) => sql<{ id: string }[]>`
      select id from captured_payments where interaction_id = ${interactionId} and id like 'pay\\_%'`,
  );

/** The card issuer disputes the payment; its event names the payment or not. */
export async function chargeBack(tara: Tara, interactionId: string, namesPayment: boolean): Promise<void> {
  const [payment] = await paymentsOf(tara, interactionId);
  if (!payment) return;
  // Refused when it is disputed already, or refunded.
  await control(tara, `/payments/${payment.id}/dispute`, { names_payment: namesPayment }).catch(() => null);
}

/** The card issuer decides what it disputes of a request, for us or for the client. */
export async function decideChargebacks(tara: Tara, interactionId: string): Promise<void> {
  const rows = await withDatabase(
    tara,
    (sql) =>
      sql<
        { id: string }[]
      >`select id from chargebacks where interaction_id = ${interactionId} and state = 'open'`,
  );
  const status = interactionId < 'q' ? 'won' : 'lost';
  for (const { id } of rows) await control(tara, `/disputes/${id}`, { status }).catch(() => null);
}

/** Makes the payments of a request so old that some methods do not give them back any more. */
export async function ageMonths(tara: Tara, interactionId: string): Promise<void> {
  for (const { id } of await paymentsOf(tara, interactionId))
    await insist(() => control(tara, `/payments/${id}/age`, { days: 100 }));
  await withDatabase(
    tara,
    (sql) => sql`update captured_payments set paid_at = paid_at - interval '100 days'
      where interaction_id = ${interactionId}`,
  );
}
