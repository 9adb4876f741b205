import { Money } from '../../ui/Money.tsx';

/** What a plan costs; 0 is a free plan (decisions §1). */
export function PriceLabel({ pesos, className }: { pesos: number; className?: string }) {
  return pesos === 0 ? (
    <span className={className}>Free</span>
  ) : (
    <Money pesos={pesos} className={className} />
  );
}
