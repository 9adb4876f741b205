import { cx } from './cx.ts';
import { money } from './money.ts';

/** An amount in pesos (not centavos). */
export function Money({ pesos, className }: { pesos: number; className?: string }) {
  return <span className={cx('figures whitespace-nowrap', className)}>{money(pesos)}</span>;
}
