import { useId } from 'react';
import { cx } from './cx.ts';
import { Stars } from './Stars.tsx';

interface StarInputProps {
  /** What is rated, e.g. 'Your rating'. */
  label: string;
  /** 0–10. */
  value: number;
  onChange: (value: number) => void;
  name?: string;
  className?: string;
}
const STEPS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Eleven buttons from 0 to 10 (§3, §9) as one radio group: arrow keys move, the stars follow. */
export function StarInput({ label, value, onChange, name, className }: StarInputProps) {
  const id = useId();
  return (
    <fieldset className={className}>
      <legend className="text-sm font-semibold">{label}</legend>
      <div className="mt-2 flex items-center gap-3">
        <Stars value={value} size={28} />
        <span aria-hidden="true" className="figures text-lg font-semibold">
          {value}/10
        </span>
      </div>
      <div className="mt-3 grid max-w-md grid-cols-6 gap-1.5 sm:grid-cols-11 sm:gap-1">
        {STEPS.map((step) => (
          <label
            key={step}
            className={cx(
              'figures flex h-11 items-center justify-center rounded-control border font-semibold transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-lagoon',
              step === value
                ? 'border-mango bg-mango text-on-mango'
                : 'border-line bg-surface text-ink-soft hover:border-edge hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name ?? id}
              value={step}
              checked={step === value}
              onChange={() => onChange(step)}
              className="sr-only"
            />
            {step}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
