import { getRouteApi, Link } from '@tanstack/react-router';
import { type Confirmation, type ConfirmationKind, payments } from '@tara/contract/money/payments';
import { longDateTime } from '@tara/contract/philippine-time';
import { queryOf, useLoaded } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Fact, Money, money } from '../../ui/facts.tsx';
import { HomeLink } from '../../ui/Icon.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { PrintButton } from '../../ui/PrintButton.tsx';
import { useSession } from '../accounts/index.ts';

const route = getRouteApi('/_main/confirmation/$kind/$id');

const titles: Record<ConfirmationKind, string> = {
  payment: 'Payment confirmation',
  refund: 'Refund confirmation',
  payout: 'Payout confirmation',
};

const totals: Record<ConfirmationKind, string> = {
  payment: 'You paid',
  refund: 'You got back',
  payout: 'You received',
};

/** `/confirmation/{kind}/{id}`: what was paid, refunded or paid out, with the agreed terms, to read and to print. */
export function ConfirmationScreen() {
  const { kind, id } = route.useParams();
  const confirmation = useLoaded(
    queryOf(payments.confirmation, { params: { kind: kind as ConfirmationKind, id } }),
  );
  const { profile } = useSession();
  return (
    <Page title={titles[confirmation.kind]} width="form" actions={<PrintButton />}>
      <ConfirmationSheet confirmation={confirmation} />
      <Link
        to="/profile/history/$id"
        params={{ id: profile.id }}
        className={`${buttonClass({ variant: 'secondary' })} mt-5 print:hidden`}
      >
        See your history
      </Link>
    </Page>
  );
}

function ConfirmationSheet({ confirmation }: { confirmation: Confirmation }) {
  const { kind, number, issuedAt, amount, planTitle, client, creator, meetsAt, place, terms } = confirmation;
  return (
    <Card as="article" className="flex flex-col gap-5">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <span className="hidden w-full print:block">
          <HomeLink />
        </span>
        <p>
          <span className="block text-sm text-ink-soft">Number</span>
          <span className="figures font-semibold">{number}</span>
        </p>
        <p className="sm:text-right">
          <span className="block text-sm text-ink-soft">Date (Philippine time)</span>
          <time dateTime={issuedAt} className="figures font-semibold">
            {longDateTime(issuedAt)}
          </time>
        </p>
      </header>
      <p className="border-y border-line py-4">
        <span className="block text-sm text-ink-soft">{totals[kind]}</span>
        <Money pesos={amount} className="text-3xl font-bold tracking-tight" />
      </p>
      <dl className="flex flex-col gap-3">
        <Fact label="Plan">{planTitle}</Fact>
        {meetsAt && <Fact label="Agreed day">{longDateTime(meetsAt)}</Fact>}
        {place && <Fact label="Place">{place}</Fact>}
        <Fact label="Client">{client}</Fact>
        <Fact label="Creator">{creator}</Fact>
        <Amounts confirmation={confirmation} />
        <Fact label="Method">{methodText(confirmation)}</Fact>
        <References {...confirmation} />
      </dl>
      {terms && (
        <section aria-label="Terms" className="border-t border-line pt-4">
          <h2 className="font-semibold">
            The terms that {kind === 'payout' ? 'the client' : 'you'} accepted
          </h2>
          <p className="mt-1 wrap-anywhere whitespace-pre-line text-ink-soft">{terms}</p>
        </section>
      )}
      <p className="rounded-control bg-sunken p-3 font-semibold print:border print:border-line">
        This is no official receipt.
      </p>
    </Card>
  );
}

/** How the amount came about. */
function Amounts({ confirmation: { kind, price, released, fee, amount } }: { confirmation: Confirmation }) {
  if (kind !== 'payout')
    return (
      <>
        <Fact label="Price of the plan">{money(price)}</Fact>
        <Fact label="Fee for you">{money(0)}</Fact>
      </>
    );
  const takenBack = Math.round((released - fee - amount) * 100) / 100;
  return (
    <>
      <Fact label="Your part of the price">{money(released)}</Fact>
      <Fact label="Tara’s fee">{money(-fee)}</Fact>
      {takenBack > 0 && <Fact label="Taken back by the card issuer">{money(-takenBack)}</Fact>}
    </>
  );
}

const referenceLabels: Record<ConfirmationKind, string> = {
  payment: 'Payment',
  refund: 'Refund',
  payout: 'Transfer',
};

function References({
  kind,
  way,
  reference,
  referenceNumber,
}: Pick<Confirmation, 'kind' | 'way' | 'reference' | 'referenceNumber'>) {
  return (
    <>
      {reference && (
        <Fact label={way === 'provider' ? referenceLabels[kind] : 'Transfer'}>
          <span className="figures">{reference}</span>
        </Fact>
      )}
      {kind !== 'payout' && referenceNumber && (
        <Fact label="Payment reference">
          <span className="figures">{referenceNumber}</span>
        </Fact>
      )}
    </>
  );
}

function methodText({ kind, way, method, receiver }: Confirmation): string {
  if (way === 'manual') return 'Transfer by Tara';
  if (way === 'transfer')
    return receiver ? `Transfer to the GCash number that ends in ${receiver}` : 'Transfer to a GCash number';
  const paid = method ?? 'Payment page';
  const name = paid.charAt(0).toUpperCase() + paid.slice(1);
  return kind === 'refund' ? `${name}, the way you paid` : name;
}
