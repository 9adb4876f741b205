import { Tabs as Radix } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
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

/** Tabs that scroll sideways where they do not fit. */
export function Tabs({ label, tabs, value, onChange, initial = tabs[0]?.value, className }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const chosen = value ?? initial;
  // Only sideways: scrollIntoView would move the page as well.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen tab is what moves the list
  useEffect(() => {
    const active = list.current?.querySelector<HTMLElement>('[data-state=active]');
    if (list.current && active) {
      list.current.scrollLeft = active.offsetLeft - (list.current.clientWidth - active.offsetWidth) / 2;
    }
  }, [chosen]);
  return (
    <Radix.Root
      {...(value === undefined ? { defaultValue: initial } : { value })}
      onValueChange={onChange}
      className={className}
    >
      <Radix.List
        ref={list}
        aria-label={label}
        className="scrollbar-none relative -mx-4 flex gap-1 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            onFocus={(event) => event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
            className="-mb-px flex min-h-11 shrink-0 items-center gap-2 border-b-2 border-transparent px-3 font-semibold whitespace-nowrap text-ink-soft transition-colors -outline-offset-2 hover:text-ink data-[state=active]:border-guava data-[state=active]:text-ink"
          >
            {tab.label}
            {tab.count ? <span className={countClass}>{tab.count}</span> : null}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="rounded-sm pt-4 outline-offset-4">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

const countClass = cx(
  'figures min-w-5 rounded-full bg-sunken px-1.5 text-center text-xs leading-5 font-semibold text-ink',
);
