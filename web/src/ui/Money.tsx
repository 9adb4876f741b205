import { cx } from './cx.ts';

const pesoFormat = new Intl.NumberFormat('en-PH', { style: 'currency', currency: 'PHP' });

/** Pesos (not centavos) as words: `money(1500)` is '₱1,500.00'. */
export function money(pesos: number): string {
  return pesoFormat.format(pesos);
}

/** An amount in pesos (not centavos). */
export function Money({ pesos, className }: { pesos: number; className?: string }) {
  return <span className={cx('figures whitespace-nowrap', className)}>{money(pesos)}</span>;
}
