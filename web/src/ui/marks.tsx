import { clsx } from 'clsx';
import { BadgeCheck, type LucideIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Icon } from './Icon.tsx';
import { countName, countText } from './total.ts';

/** A state in a word or two, e.g. 'paid'. The words carry the meaning; the colour only helps. */
export function Badge({
  tone = 'neutral',
  icon,
  className,
  children,
}: {
  tone?: Tone;
  icon?: LucideIcon;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-sm font-semibold whitespace-nowrap',
        SOFT[tone],
        className,
      )}
    >
      {icon && <Icon of={icon} size={16} />}
      {children}
    </span>
  );
}

/** A count on an icon or beside a label. Nothing at 0, '99+' above 99. `label` names it for screen readers. */
export function CountBadge({
  count,
  label,
  className,
}: {
  count: number;
  label: string;
  className?: string;
}) {
  if (count <= 0) return null;
  return (
    <span
      className={clsx(
        'figures inline-flex h-[1.667em] min-w-[1.667em] items-center justify-center rounded-full bg-ink px-[0.4em] text-[length:min(var(--text-xs),18px)] leading-none font-bold text-paper',
        className,
      )}
    >
      <span aria-hidden="true">{countText(count)}</span>
      <span className="sr-only">{`${countName(count)} ${label}`}</span>
    </span>
  );
}

/** The colours of badges and state lines. */
export type Tone = 'neutral' | 'guava' | 'lagoon' | 'mango' | 'leaf' | 'ember';

/** Text in the tone's colour on its soft background. The contrast test covers every pair. */
const SOFT: Record<Tone, string> = {
  neutral: 'bg-sunken text-ink-soft',
  guava: 'bg-guava-soft text-guava',
  lagoon: 'bg-lagoon-soft text-lagoon',
  mango: 'bg-mango-soft text-mango-ink',
  leaf: 'bg-leaf-soft text-leaf',
  ember: 'bg-ember-soft text-ember',
};

/** Text in the tone's colour on the page or a card. */
export const TEXT: Record<Tone, string> = {
  neutral: 'text-ink-soft',
  guava: 'text-guava',
  lagoon: 'text-lagoon',
  mango: 'text-mango-ink',
  leaf: 'text-leaf',
  ember: 'text-ember',
};

/** Beside the name of a member whose identity was verified. */
export function VerifiedMark({ size = 18, className }: { size?: number; className?: string }) {
  return (
    <span title="Verified" className={clsx('inline-flex text-lagoon', className)}>
      <BadgeCheck size={size} strokeWidth={2} aria-hidden="true" />
      <span className="sr-only">Verified</span>
    </span>
  );
}

const STAR =
  'M10.00 2.40L12.29 7.44L17.80 8.07L13.71 11.81L14.82 17.23L10.00 14.50L5.18 17.23L6.29 11.81L2.20 8.07L7.71 7.44Z';

function Star({ fill, size }: { fill: 'full' | 'half' | 'none'; size: number }) {
  return (
    <svg viewBox="0 0 20 20" width={size} height={size} aria-hidden="true">
      <path d={STAR} className="fill-line stroke-line" strokeWidth="1.5" strokeLinejoin="round" />
      {fill !== 'none' && (
        <path
          d={STAR}
          strokeWidth="1.5"
          strokeLinejoin="round"
          className="fill-mango stroke-mango"
          style={fill === 'half' ? { clipPath: 'polygon(0 0, 10px 0, 10px 20px, 0 20px)' } : undefined}
        />
      )}
    </svg>
  );
}

interface StarsProps {
  /** A whole number 0–10 (the one scale of the product); shown as 0–5 stars with halves. */
  value: number;
  size?: number;
  /** Writes the figure beside the stars. */
  figure?: boolean;
}

/** A rating, read only. */
export function Stars({ value, size = 18, figure }: StarsProps) {
  const stars = Math.min(Math.max(value, 0), 10) / 2;
  return (
    <span className="inline-flex items-center gap-1.5">
      <span role="img" aria-label={`${stars} of 5 stars`} className="inline-flex gap-0.5">
        {[1, 2, 3, 4, 5].map((star) => (
          <Star
            key={star}
            size={size}
            fill={stars >= star ? 'full' : stars >= star - 0.5 ? 'half' : 'none'}
          />
        ))}
      </span>
      {figure && (
        <span aria-hidden="true" className="figures text-sm font-semibold">
          {stars.toFixed(1)}
        </span>
      )}
    </span>
  );
}

interface StarInputProps {
  /** What is rated, e.g. 'Your rating'. */
  label: string;
  /** 0–10. */
  value: number;
  onChange: (value: number) => void;
}
const STEPS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Eleven buttons from 0 to 10 (§3, §9) as one radio group: arrow keys move, the stars follow. */
export function StarInput({ label, value, onChange }: StarInputProps) {
  const id = useId();
  return (
    <fieldset>
      <legend className="text-sm font-semibold">{label}</legend>
      <div className="mt-2 flex items-center gap-3">
        <Stars value={value} size={28} />
        <span aria-hidden="true" className="figures text-lg font-semibold">
          {(value / 2).toFixed(1)} of 5
        </span>
      </div>
      <div className="mt-3 grid max-w-md grid-cols-6 gap-1.5 sm:grid-cols-11 sm:gap-1">
        {STEPS.map((step) => (
          <label
            key={step}
            className={clsx(
              'figures flex min-h-11 items-center justify-center rounded-control border font-semibold transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-lagoon',
              step === value
                ? 'border-mango bg-mango text-on-mango'
                : 'border-line bg-surface text-ink-soft hover:border-edge hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={id}
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
