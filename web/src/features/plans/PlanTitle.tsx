import { displayLength } from '@tara/contract/limits';
import { Money, truncate } from '../../ui/facts.tsx';
import { useMediaQuery, WIDE } from '../../ui/Page.tsx';

/** A plan's title as lists show it: 23 characters on large screens, 14 on small ones (§9); all of it on hover. */
export function PlanTitle({ title }: { title: string }) {
  const { planTitleLarge, planTitleSmall } = displayLength;
  const short = truncate(title, useMediaQuery(WIDE) ? planTitleLarge : planTitleSmall);
  return (
    <span title={short === title ? undefined : title} className="wrap-anywhere">
      {short}
    </span>
  );
}

/** What a plan costs; 0 is a free plan (decisions §1). */
export function PriceLabel({ pesos, className }: { pesos: number; className?: string }) {
  return pesos === 0 ? (
    <span className={className}>Free</span>
  ) : (
    <Money pesos={pesos} className={className} />
  );
}

/** '45 min', '2 h' or '1 h 30 min'. */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ');
}
