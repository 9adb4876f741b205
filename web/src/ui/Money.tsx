import { cx } from './cx.ts';

/** Made when it is first needed: the first use of Intl takes a tenth of a second of a phone's first screen. */
let pesoFormat: Intl.NumberFormat | undefined;

/** Pesos (not centavos) as words: `money(1500)` is '₱1,500.00'. */
export function money(pesos: number): string {
  pesoFormat ??= new Intl.NumberFormat('en-PH', { style: 'currency', currency: 'PHP' });
  return pesoFormat.format(pesos);
}

/** An amount in pesos (not centavos). */
export function Money({ pesos, className }: { pesos: number; className?: string }) {
  return <span className={cx('figures whitespace-nowrap', className)}>{money(pesos)}</span>;
}
