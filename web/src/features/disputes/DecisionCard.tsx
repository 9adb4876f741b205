import type { RequestDecision } from '@tara/contract/money/disputes';
import { money } from '../../ui/facts.tsx';
import { Card } from '../../ui/Page.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';

interface DecisionCardProps {
  decision: RequestDecision;
  /** Whether Tara keeps a part of what is released. */
  hasFee: boolean;
  client: string;
  creator: string;
}

/** How an admin decided, and why. */
export function DecisionCard({ decision, hasFee, client, creator }: DecisionCardProps) {
  const { released, refunded, note, createdAt } = decision;
  return (
    <Card as="section" aria-label="The decision">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="text-lg font-semibold">An admin decided</h2>
        <TimeLabel iso={createdAt} className="text-sm text-ink-soft" />
      </div>
      <dl className="mt-2 divide-y divide-line">
        {released > 0 && (
          <Part name={`Goes to ${creator}${hasFee ? ', before Tara’s fee' : ''}`} pesos={released} />
        )}
        {refunded > 0 && <Part name={`Goes back to ${client}`} pesos={refunded} />}
      </dl>
      {note && <p className="mt-2 wrap-anywhere whitespace-pre-line">{note}</p>}
    </Card>
  );
}

const Part = ({ name, pesos }: { name: string; pesos: number }) => (
  <div className="flex justify-between gap-3 py-2">
    <dt className="min-w-0 wrap-anywhere">{name}</dt>
    <dd className="figures font-semibold">{money(pesos)}</dd>
  </div>
);
