import { clsx } from 'clsx';
import { Search, X } from 'lucide-react';
import { useId, useRef } from 'react';
import { controlClass } from './Field.tsx';
import { Icon, Spinner } from './Icon.tsx';

interface SearchBoxProps {
  /** What is searched; its name and its placeholder, e.g. 'Search Post'. */
  label: string;
  value: string;
  /** Every keystroke; the caller waits (§9: 500 ms) before asking the server. */
  onChange: (value: string) => void;
  pending?: boolean;
  /** Why this cannot be searched for; shown below. */
  problem?: string | undefined;
  className?: string;
}

/** One line to search with; Esc and the × empty it. */
export function SearchBox({ label, value, onChange, pending, problem, className }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const problemId = useId();
  return (
    <search className={clsx('block', className)}>
      <div className="relative">
        <span className="pointer-events-none absolute inset-y-0 left-3.5 flex items-center text-ink-soft">
          {pending ? <Spinner /> : <Icon of={Search} />}
        </span>
        <input
          ref={input}
          type="search"
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          enterKeyHint="search"
          value={value}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && value && onChange('')}
          className={clsx(controlClass, 'rounded-full! px-11! [&::-webkit-search-cancel-button]:hidden')}
        />
        {value && (
          <button
            type="button"
            aria-label="Clear search"
            onClick={() => {
              onChange('');
              input.current?.focus();
            }}
            className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-full text-ink-soft hover:text-ink"
          >
            <Icon of={X} />
          </button>
        )}
      </div>
      {problem !== undefined && (
        <p id={problemId} role="alert" className="px-4 pt-1.5 text-sm text-ember">
          {problem}
        </p>
      )}
    </search>
  );
}
