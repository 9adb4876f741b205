import { clsx } from 'clsx';
import { Search, X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
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
  /** `/` moves here from anywhere (not while typing). */
  hotkey?: boolean;
  className?: string;
}

function isTyping(target: EventTarget | null) {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  );
}

/** One line to search with; Esc and the × empty it. */
export function SearchBox({
  label,
  value,
  onChange,
  pending,
  problem,
  hotkey = true,
  className,
}: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const problemId = useId();
  useEffect(() => {
    if (!hotkey) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [hotkey]);
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
          aria-keyshortcuts={hotkey ? '/' : undefined}
          autoComplete="off"
          enterKeyHint="search"
          value={value}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && value && onChange('')}
          className={clsx(controlClass, 'rounded-full! px-11! [&::-webkit-search-cancel-button]:hidden')}
        />
        {value ? (
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
        ) : (
          hotkey && (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute top-1/2 right-3.5 -translate-y-1/2 rounded-sm border border-line px-1.5 text-xs text-ink-soft coarse:hidden"
            >
              /
            </span>
          )
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
