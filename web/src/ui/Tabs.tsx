// Apart from the rest of Radix, whose dialogs and menus load late.

import * as RadixTabs from 'radix-ui/tabs';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useCutEdges } from './cut-edges.ts';
import { CountBadge } from './marks.tsx';

export interface Tab {
  value: string;
  label: string;
  /** How much waits for the viewer there, beside the label. */
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

/**
 * Tabs that share the width of a phone, in two lines where one is not enough, and scroll sideways where they still do not
 * fit. One stop of the Tab key: the arrows, Home and End choose. What is not chosen is not there.
 */
export function Tabs({ label, tabs, value, onChange, initial = tabs[0]?.value ?? '', className }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const watchEdges = useCutEdges();
  const setList = useCallback(
    (element: HTMLDivElement | null) => {
      list.current = element;
      return watchEdges(element);
    },
    [watchEdges],
  );
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
  const announced = useRef<string>(null);
  const choose = (next: string) => {
    // Radix reports a press twice: once for the focus and once for the press.
    if (announced.current === next) return;
    announced.current = next;
    queueMicrotask(() => {
      announced.current = null;
    });
    setOwn(next);
    onChange?.(next);
  };
  return (
    <RadixTabs.Root value={chosen} onValueChange={choose} className={className}>
      <RadixTabs.List
        ref={setList}
        aria-label={label}
        className="scrollbar-none fade-cut relative -mx-4 flex overflow-x-auto border-b border-line px-2 sm:mx-0 sm:gap-2 sm:px-0"
      >
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px flex min-h-11 min-w-min items-center justify-center gap-x-2 border-b-2 border-transparent p-2 leading-tight font-semibold text-ink-soft transition-colors -outline-offset-2 hover:text-ink aria-selected:border-ink aria-selected:text-ink max-sm:flex-1 sm:shrink-0 sm:whitespace-nowrap"
          >
            {tab.label}
            <CountBadge count={tab.count ?? 0} label="waiting" />
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} value={tab.value} className="rounded-sm pt-4 outline-offset-4">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
