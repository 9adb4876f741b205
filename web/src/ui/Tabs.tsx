import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cx } from './cx.ts';

export interface Tab {
  value: string;
  label: string;
  /** How many things wait there. */
  count?: number;
  content: ReactNode;
}

interface TabsProps {
  /** What the tabs choose between, for screen readers. */
  label: string;
  tabs: Tab[];
  /** Controlled (e.g. by the address) with `onChange`, or left alone with `initial`. */
  value?: string;
  onChange?: (value: string) => void;
  initial?: string;
  className?: string;
}

/** Which tab a key moves to, from the one at `place`; undefined when it is no key of tabs. */
function placeAfter(key: string, place: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (place + 1) % count;
  if (key === 'ArrowLeft') return (place + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/**
 * Tabs that scroll sideways where they do not fit. One stop of the Tab key: the arrows, Home and End choose. What is
 * not chosen is not there.
 */
export function Tabs({ label, tabs, value, onChange, initial = tabs[0]?.value, className }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [own, setOwn] = useState(initial);
  const chosen = value ?? own;
  // Only sideways: scrollIntoView would move the page as well.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen tab is what moves the list
  useEffect(() => {
    const active = list.current?.querySelector<HTMLElement>('[aria-selected=true]');
    if (list.current && active) {
      list.current.scrollLeft = active.offsetLeft - (list.current.clientWidth - active.offsetWidth) / 2;
    }
  }, [chosen]);
  const choose = (next: string) => {
    if (next === chosen) return;
    setOwn(next);
    onChange?.(next);
  };
  const press = (event: KeyboardEvent, place: number) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const next = placeAfter(event.key, place, tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (next === undefined || !tab) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
    choose(tab.value);
  };
  return (
    <div className={className}>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        aria-orientation="horizontal"
        className="scrollbar-none relative -mx-4 flex sm:gap-2 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0"
      >
        {tabs.map((tab, place) => (
          <button
            key={tab.value}
            id={`${id}-tab-${tab.value}`}
            type="button"
            role="tab"
            aria-selected={tab.value === chosen}
            aria-controls={`${id}-panel-${tab.value}`}
            tabIndex={tab.value === chosen ? 0 : -1}
            onClick={() => choose(tab.value)}
            onKeyDown={(event) => press(event, place)}
            onFocus={(event) => event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
            className="-mb-px flex min-h-11 shrink-0 items-center gap-2 border-b-2 border-transparent px-2 font-semibold whitespace-nowrap text-ink-soft transition-colors -outline-offset-2 hover:text-ink aria-selected:border-guava aria-selected:text-ink"
          >
            {tab.label}
            {tab.count ? <span className={countClass}>{tab.count}</span> : null}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          id={`${id}-panel-${tab.value}`}
          role="tabpanel"
          aria-labelledby={`${id}-tab-${tab.value}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel without a control must be reachable by keyboard too
          tabIndex={0}
          hidden={tab.value !== chosen}
          className="rounded-sm pt-4 outline-offset-4"
        >
          {tab.value === chosen && tab.content}
        </div>
      ))}
    </div>
  );
}

const countClass = cx(
  'figures min-w-5 rounded-full bg-sunken px-1.5 text-center text-xs leading-5 font-semibold text-ink',
);
