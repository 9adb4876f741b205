import { Link, type LinkProps } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { Button } from './Button.tsx';
import { useBackToClose } from './back.ts';
import { Icon, Spinner } from './Icon.tsx';
import { useReturnFocus } from './Page.tsx';

/** One thing that was found, and where it leads. */
export interface SearchOption {
  /** Unique in the list. */
  id: string;
  link: LinkProps;
  children: ReactNode;
}

export interface SearchGroup {
  title: string;
  options: SearchOption[];
}

interface SearchPanelProps {
  open: boolean;
  onClose: () => void;
  /** What is searched; the name of the panel and of its field, and the placeholder. */
  label: string;
  text: string;
  onText: (text: string) => void;
  /** Longest text. */
  limit: number;
  /** The results for the text are on their way. */
  pending: boolean;
  /** How many there are, for screen readers. */
  status: string;
  /** One list; groups without options are left out. */
  groups: readonly SearchGroup[];
  /** In place of the list where there is none: nothing found, loading, an error. */
  children: ReactNode;
}

/**
 * A field over the whole screen of a phone, or over the upper part of a wide one, with a list of links that is walked by the
 * arrow keys while the field keeps the focus (a combobox). Its size never depends on what it shows.
 */
export default function SearchPanel({ open, onClose, ...panel }: SearchPanelProps) {
  const focus = useReturnFocus();
  useBackToClose(open, onClose);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade" />
        <div className="pointer-events-none fixed inset-0 z-50 flex items-start justify-center md:p-6 md:pt-[10vh]">
          <Dialog.Content
            {...focus}
            onOpenAutoFocus={(event) => {
              focus.onOpenAutoFocus();
              // The library would select what was typed already, and the next key replace it.
              event.preventDefault();
              if (event.currentTarget instanceof Element) event.currentTarget.querySelector('input')?.focus();
            }}
            aria-describedby={undefined}
            className="pointer-events-auto flex h-full w-full max-w-feed flex-col bg-raised pt-safe shadow-lift outline-none data-[state=closed]:animate-rise-out data-[state=open]:animate-rise md:h-[min(34rem,76vh)] md:rounded-card md:border md:border-line"
          >
            <Dialog.Title className="sr-only">{panel.label}</Dialog.Title>
            <Panel {...panel} onClose={onClose} />
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const resultsClass = 'min-h-0 flex-1 overflow-y-auto overscroll-contain p-2 pb-safe';

function Panel({
  onClose,
  label,
  text,
  onText,
  limit,
  pending,
  status,
  groups,
  children,
}: Omit<SearchPanelProps, 'open'>) {
  const id = useId();
  const shown = groups.filter(({ options }) => options.length > 0);
  const ids = shown.flatMap(({ options }) => options.map((option) => option.id));
  const [chosen, setChosen] = useState<string | null>(null);
  // Without a choice of one's own the first, so that Enter opens it; a choice that is no longer there is none.
  const active = chosen !== null && ids.includes(chosen) ? chosen : (ids[0] ?? null);
  const elementId = (optionId: string) => `${id}-${optionId}`;
  useEffect(() => {
    if (active !== null) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active, id]);
  // What is shown while other results are on their way is of the text before: Enter waits for them.
  const [isEntered, setIsEntered] = useState(false);
  useEffect(() => {
    if (!isEntered || pending) return;
    setIsEntered(false);
    document.getElementById(`${id}-${active}`)?.click();
  }, [isEntered, pending, active, id]);
  const move = (step: 1 | -1) => {
    const index = active === null ? -1 : ids.indexOf(active);
    setChosen(ids.at((index + step) % ids.length) ?? null);
  };
  const handleKey = (event: KeyboardEvent) => {
    // Of a word that an input method is still writing.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') setIsEntered(true);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="flex shrink-0 items-center gap-3 border-b border-line px-4 py-2 max-md:px-safe">
        <span className="text-ink-soft">{pending ? <Spinner /> : <Icon of={Search} />}</span>
        <input
          type="text"
          role="combobox"
          aria-label={label}
          aria-expanded={ids.length > 0}
          aria-controls={ids.length > 0 ? `${id}-list` : undefined}
          aria-activedescendant={active === null ? undefined : elementId(active)}
          aria-autocomplete="list"
          placeholder={label}
          autoComplete="off"
          autoCapitalize="none"
          enterKeyHint="go"
          maxLength={limit}
          value={text}
          onFocus={({ currentTarget: field }) => field.setSelectionRange(text.length, text.length)}
          onChange={(event) => {
            setChosen(null);
            setIsEntered(false);
            onText(event.target.value);
          }}
          onKeyDown={handleKey}
          className="min-h-11 min-w-0 flex-1 bg-transparent text-lg outline-none"
        />
        <Button variant="ghost" size="sm" onClick={onClose}>
          Close
        </Button>
      </div>
      <p role="status" className="sr-only">
        {status}
      </p>
      {ids.length === 0 ? (
        <div className={resultsClass}>{children}</div>
      ) : (
        <div role="listbox" id={`${id}-list`} aria-label={label} className={resultsClass}>
          {shown.map(({ title, options }) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options; a fieldset groups fields
            <div key={title} role="group" aria-labelledby={`${id}-${title}`} className="mb-2">
              <div id={`${id}-${title}`} className="px-3 pt-2 pb-1 text-sm font-semibold text-ink-soft">
                {title}
              </div>
              {options.map((option) => (
                <Link
                  {...option.link}
                  key={option.id}
                  id={elementId(option.id)}
                  role="option"
                  aria-selected={option.id === active}
                  tabIndex={-1}
                  onPointerMove={() => setChosen(option.id)}
                  onClick={(event) => {
                    // In a tab of its own the search stays.
                    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) onClose();
                  }}
                  className={clsx(
                    'flex min-h-14 items-center gap-3 rounded-control px-3 py-1.5',
                    option.id === active && 'bg-ink/8',
                  )}
                >
                  {option.children}
                </Link>
              ))}
            </div>
          ))}
        </div>
      )}
      <p
        aria-hidden="true"
        className="flex shrink-0 gap-5 border-t border-line px-5 py-2 text-sm text-ink-soft max-md:hidden coarse:hidden"
      >
        <span>↑ ↓ choose</span>
        <span>Enter opens</span>
        <span>Esc closes</span>
      </p>
    </>
  );
}
