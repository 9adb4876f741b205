import { clsx } from 'clsx';
import { ChevronDown, Heart, type LucideIcon } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import { TEXT, type Tone, VerifiedMark } from './marks.tsx';

interface StateLineProps {
  /** What it is about, e.g. 'Held until you have met'. */
  label: ReactNode;
  /** The state or amount at the end of the line. */
  value: ReactNode;
  /** When it became so, e.g. a TimeLabel. */
  when?: ReactNode;
  icon?: LucideIcon;
  tone?: Tone;
}

/** A label with its value on one line, inside a `StateList`. */
export function StateLine({ label, value, when, icon, tone = 'neutral' }: StateLineProps) {
  return (
    <div className="flex min-h-11 items-center gap-3 py-2.5">
      {icon && <Icon of={icon} className={TEXT[tone]} />}
      <dt className="min-w-0 flex-1">
        {label}
        {when && <span className="ml-2 text-sm whitespace-nowrap text-ink-soft">{when}</span>}
      </dt>
      <dd
        className={clsx(
          'figures max-w-[70%] shrink-0 text-right font-semibold wrap-anywhere',
          tone === 'neutral' ? 'text-ink' : TEXT[tone],
        )}
      >
        {value}
      </dd>
    </div>
  );
}

/** The frame of state lines. */
export function StateList({ className, children }: { className?: string; children: ReactNode }) {
  return <dl className={clsx('divide-y divide-line', className)}>{children}</dl>;
}

/** A label with what may be long, such as an id, inside a `<dl>`: on its own line where both do not fit. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-6 gap-y-0.5">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="figures ml-auto min-w-0 text-right font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}

/** Made when it is first needed: the first use of Intl takes a tenth of a second of a phone's first screen. */
let pesoFormat: Intl.NumberFormat | undefined;

/** Pesos (not centavos) as words: `money(1500)` is '₱1,500.00'. */
export function money(pesos: number): string {
  pesoFormat ??= new Intl.NumberFormat('en-PH', { style: 'currency', currency: 'PHP' });
  // Without the sign of a negative zero.
  return pesoFormat.format(pesos + 0);
}

/** An amount in pesos (not centavos). */
export function Money({ pesos, className }: { pesos: number; className?: string }) {
  return <span className={clsx('figures whitespace-nowrap', className)}>{money(pesos)}</span>;
}

/** Of a person or a plan; stars from 0 to 10, null without reviews. */
interface Rating {
  stars: number | null;
  totalReviews: number;
  totalMeetings: number;
}

const counted = (count: number, noun: string) =>
  // The first use of Intl takes a tenth of a second of a phone's first screen.
  `${count < 1000 ? count : count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** '4.5 ★ · 12 reviews · 7 meetings'; 'new' for a person with neither. */
export function RatingLine({ rating }: { rating: Rating }) {
  const { stars, totalReviews, totalMeetings } = rating;
  const mean = stars === null ? null : (stars / 2).toFixed(1);
  const counts = [
    ...(totalReviews > 0 ? [counted(totalReviews, 'review')] : []),
    ...(totalMeetings > 0 ? [counted(totalMeetings, 'meeting')] : []),
  ];
  if (counts.length === 0) return <span>new</span>;
  return (
    <span>
      {mean !== null && (
        <>
          <span className="figures font-semibold whitespace-nowrap text-ink">
            {mean}
            <span aria-hidden="true" className="text-mango-ink">
              {' '}
              ★
            </span>
            <span className="sr-only"> of 5 stars</span>
          </span>
          {' · '}
        </>
      )}
      {counts.map((count, index) => (
        <Fragment key={count}>
          {index > 0 && ' · '}
          <span className="whitespace-nowrap">{count}</span>
        </Fragment>
      ))}
    </span>
  );
}

let compact: Intl.NumberFormat | undefined;

/** '999', '1.2K'. */
export function compactCount(count: number): string {
  if (count < 1000) return String(count);
  // Only then, because the first use of Intl takes a tenth of a second of a phone's first screen.
  compact ??= new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
  return compact.format(count);
}

interface LikeButtonProps {
  liked: boolean;
  totalLikes: number;
  /** The number is shown beside it. */
  hidesCount?: boolean;
  onPress: () => void;
}

/** A heart with the number of likes. */
export function LikeButton({ liked, totalLikes, hidesCount, onPress }: LikeButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={liked}
      aria-label={`Like, ${totalLikes} ${totalLikes === 1 ? 'like' : 'likes'}`}
      onClick={onPress}
      className={clsx(
        'figures flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full px-3 font-semibold transition-colors hover:bg-sunken',
        liked ? 'text-guava' : 'text-ink-soft hover:text-ink',
      )}
    >
      <Icon of={Heart} size={22} filled={liked} className={liked ? 'animate-beat' : undefined} />
      {!hidesCount && compactCount(totalLikes)}
    </button>
  );
}

interface CollapsibleProps {
  title: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  children: ReactNode;
}

/** A section that opens and closes. A native `details` element, so that find-in-page reaches its content. */
export function Collapsible({ title, open, onOpenChange, className, children }: CollapsibleProps) {
  return (
    <details
      open={open}
      onToggle={(event) => onOpenChange?.(event.currentTarget.open)}
      className={clsx('group', className)}
    >
      <summary className="flex min-h-12 list-none items-center justify-between gap-3 rounded-control py-2.5 text-lg font-semibold select-none [&::-webkit-details-marker]:hidden">
        {title}
        <Icon of={ChevronDown} className="text-ink-soft transition-transform group-open:rotate-180" />
      </summary>
      <div className="pt-1 pb-4">{children}</div>
    </details>
  );
}

/** Text cut for display after `limit` characters, with two dots (§9). Counts characters, not UTF-16 units. */
export function truncate(text: string, limit: number): string {
  const characters = [...text];
  return characters.length > limit ? `${characters.slice(0, limit).join('')}..` : text;
}

interface PersonNameProps {
  person: { name: string; verified: boolean | null };
  /** Size of the mark, in pixels. */
  size?: number;
  className?: string;
}

/** A member's name, with the mark of a verified identity. A long name is cut, the mark never. */
export function PersonName({ person: { name, verified }, size = 16, className }: PersonNameProps) {
  return (
    <span className={clsx('inline-flex max-w-full min-w-0 items-center gap-1.5', className)}>
      <span className="truncate">{name}</span>
      {verified && <VerifiedMark size={size} className="shrink-0" />}
    </span>
  );
}
