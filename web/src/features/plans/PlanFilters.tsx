import { useNavigate, useRouter } from '@tanstack/react-router';
import { planLength, timer } from '@tara/contract/limits';
import { today } from '@tara/contract/members/profiles';
import { readPrice } from '@tara/contract/plans/plans';
import { clsx } from 'clsx';
import { Banknote, CalendarDays, ChevronDown, type LucideIcon, MapPin, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { DateInput, Field, TextInput } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { fullDate } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';

/** The filter of plans as it is in the address. */
export interface PlanParams {
  search?: string;
  place?: string;
  min?: string;
  max?: string;
  day?: string;
}

/** A written price in whole pesos. */
export function wholePesos(text: string | undefined, round: (amount: number) => number): number | undefined {
  const amount = readPrice(text ?? '');
  return amount === null || amount > 9_999_999 ? undefined : round(amount);
}

/** Place, prices and day, written to the address after a pause in typing (§9). */
export function PlanFilters({ params }: { params: PlanParams }) {
  const { place = '', min = '', max = '', day = '' } = params;
  const address = { place, min, max, day };
  const key = JSON.stringify(address);
  const navigate = useNavigate();
  const router = useRouter();
  const [typed, setTyped] = useState({ keys: [key], values: address });
  // A navigation, e.g. Back, replaces what is typed by what the address says.
  const values = typed.keys.includes(key) ? typed.values : address;
  const problems = findProblems(values);
  const wanted = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
  const wantedKey = JSON.stringify(wanted);
  const updateUrl = useEffectEvent(() => {
    const isUsable = Object.keys(problems).length === 0;
    // Do not navigate back if the person has already left the screen.
    if (wantedKey === key || !isUsable || router.latestLocation.pathname !== '/explore') return;
    setTyped({ keys: [key, wantedKey], values });
    void navigate({
      to: '/explore',
      search: (before) => ({ ...before, ...wanted }),
      replace: true,
      resetScroll: false,
    });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change starts the wait again
  useEffect(() => {
    const timeout = setTimeout(() => updateUrl(), timer.searchDebounceMs);
    return () => clearTimeout(timeout);
  }, [wantedKey]);
  const change = (next: Partial<typeof values>) => setTyped({ keys: [key], values: { ...values, ...next } });
  const control = (name: keyof typeof values) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  const { city } = useSession().profile;
  const [open, setOpen] = useState<FilterName | null>(Object.keys(problems).length > 0 ? 'price' : null);
  const labels: Record<FilterName, string> = {
    where: values.place.trim(),
    when: values.day && shortDay(values.day),
    price: priceRange(values.min, values.max),
  };
  return (
    <search aria-label="Filter of plans" className="mb-5 flex flex-col gap-3">
      <div className="scrollbar-none bleed flex gap-2 overflow-x-auto py-1 max-sm:px-4">
        {filterNames.map((name) => (
          <FilterChip
            key={name}
            name={name}
            value={labels[name]}
            isOpen={open === name}
            onPress={() => setOpen(open === name ? null : name)}
            onClear={() => change(emptyFilters[name])}
          />
        ))}
      </div>
      {open && (
        <div id={PANEL_ID} className="flex max-w-form animate-rise flex-col gap-3">
          {open === 'where' && (
            <>
              <Field label="Place" lines={0}>
                <TextInput {...control('place')} maxLength={planLength.place} placeholder="Makati" />
              </Field>
              {city && <Suggestions options={[{ label: city, values: { place: city } }]} onChoose={change} />}
            </>
          )}
          {open === 'when' && (
            <>
              <Field label="Day" lines={0}>
                <DateInput {...control('day')} />
              </Field>
              <Suggestions options={nextDays()} onChoose={change} />
            </>
          )}
          {open === 'price' && (
            <>
              <div className="grid grid-cols-2 gap-4">
                <Field label="Price from" error={problems.min}>
                  <TextInput {...control('min')} inputMode="decimal" placeholder="₱0" className="figures" />
                </Field>
                <Field label="Price up to" error={problems.max}>
                  <TextInput
                    {...control('max')}
                    inputMode="decimal"
                    placeholder="Any price"
                    className="figures"
                  />
                </Field>
              </div>
              <Suggestions options={PRICES} onChoose={change} />
            </>
          )}
        </div>
      )}
    </search>
  );
}

type Filters = Required<Pick<PlanParams, 'place' | 'min' | 'max' | 'day'>>;

const filterNames = ['where', 'when', 'price'] as const;
type FilterName = (typeof filterNames)[number];

const filterLooks: Record<FilterName, { label: string; icon: LucideIcon }> = {
  where: { label: 'Where', icon: MapPin },
  when: { label: 'When', icon: CalendarDays },
  price: { label: 'Price', icon: Banknote },
};
const emptyFilters: Record<FilterName, Partial<Filters>> = {
  where: { place: '' },
  when: { day: '' },
  price: { min: '', max: '' },
};
const PANEL_ID = 'plan-filter';

const PRICES: Suggestion[] = [
  { label: 'Free', values: { min: '', max: '0' } },
  { label: 'Up to ₱500', values: { min: '', max: '500' } },
  { label: 'Up to ₱1,500', values: { min: '', max: '1500' } },
];

const withoutSign = (price: string) => price.replace('₱', '').trim();

/** '₱500 – ₱1,500'; empty without a limit. */
function priceRange(min: string, max: string): string {
  const [from, to] = [withoutSign(min), withoutSign(max)];
  if (to === '0') return 'Free';
  if (from && to) return `₱${from} – ₱${to}`;
  return from ? `From ₱${from}` : to && `Up to ₱${to}`;
}

/** '28 Nov' of a day; what is no day as it is. */
const shortDay = (day: string) => fullDate(day).split(' ').slice(0, 2).join(' ') || day;

const DAY_MS = 24 * 3600_000;

/** Today, tomorrow and the next Saturday and Sunday. */
function nextDays(): Suggestion[] {
  const first = today();
  const after = (days: number) => new Date(Date.parse(first) + days * DAY_MS).toISOString().slice(0, 10);
  const weekday = new Date(first).getUTCDay();
  return [
    { label: 'Today', values: { day: first } },
    { label: 'Tomorrow', values: { day: after(1) } },
    { label: 'Saturday', values: { day: after((6 - weekday + 7) % 7 || 7) } },
    { label: 'Sunday', values: { day: after((7 - weekday) % 7 || 7) } },
  ];
}

interface FilterChipProps {
  name: FilterName;
  /** What is filtered by; empty for nothing. */
  value: string;
  isOpen: boolean;
  onPress: () => void;
  onClear: () => void;
}

/** A filter as a chip: a press shows its fields below, and with a value the cross clears it. */
function FilterChip({ name, value, isOpen, onPress, onClear }: FilterChipProps) {
  const { label, icon } = filterLooks[name];
  return (
    <div
      className={clsx(
        'flex shrink-0 items-center rounded-full transition-colors',
        value ? 'bg-ink text-paper' : isOpen ? 'bg-ink/15 text-ink' : 'bg-ink/8 text-ink hover:bg-ink/12',
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? PANEL_ID : undefined}
        onClick={onPress}
        className={clsx(
          'flex min-h-11 items-center gap-2 rounded-full pl-4 font-semibold',
          value ? 'pr-1' : 'pr-4',
        )}
      >
        <Icon of={icon} size={18} />
        <span className="sr-only">{value && `${label}: `}</span>
        <span className="max-w-48 truncate">{value || label}</span>
        {!value && (
          <Icon
            of={ChevronDown}
            size={16}
            className={clsx('transition-transform max-sm:hidden', isOpen && 'rotate-180')}
          />
        )}
      </button>
      {value && (
        <button
          type="button"
          aria-label={`Clear ${label.toLowerCase()}`}
          onClick={onClear}
          className="flex size-11 items-center justify-center rounded-full"
        >
          <Icon of={X} size={16} />
        </button>
      )}
    </div>
  );
}

interface Suggestion {
  label: string;
  values: Partial<Filters>;
}

/** Usual values of a filter. */
function Suggestions({
  options,
  onChoose,
}: {
  options: Suggestion[];
  onChoose: (values: Partial<Filters>) => void;
}) {
  return (
    <div className="flex flex-wrap gap-2">
      {options.map(({ label, values }) => (
        <Button
          key={label}
          variant="secondary"
          size="sm"
          className="rounded-full!"
          onClick={() => onChoose(values)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

function findProblems({ min, max }: { min: string; max: string }): { min?: string; max?: string } {
  const rule = 'A price, such as 500.';
  const [lowest, highest] = [wholePesos(min, Math.floor), wholePesos(max, Math.ceil)];
  return {
    ...(min.trim() && lowest === undefined ? { min: rule } : {}),
    ...(max.trim() && highest === undefined ? { max: rule } : {}),
    ...(lowest !== undefined && highest !== undefined && lowest > highest
      ? { max: 'Less than the lowest.' }
      : {}),
  };
}
