import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ComponentProps, type ReactElement, useState } from 'react';
import { useBackToClose } from './back.ts';
import { Icon } from './Icon.tsx';

interface MenuItem {
  label: string;
  icon?: LucideIcon;
  onSelect: () => void;
  tone?: 'danger';
  /** Why it cannot be chosen now. */
  disabledReason?: string | null | false;
}

export interface MenuProps {
  /** A Button or IconButton without a click of its own. */
  trigger: ReactElement<ComponentProps<'button'>>;
  /** `null` draws a line. */
  items: (MenuItem | null)[];
  label?: string;
}

/** The menu itself with its button; it is fetched because somebody pressed the button, so it appears open. */
export default function MenuPanel({ trigger, items, label }: MenuProps) {
  const [isOpen, setIsOpen] = useState(true);
  useBackToClose(isOpen, () => setIsOpen(false));
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setIsOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      {/* In the page's landmark, so that people who move between landmarks find it. */}
      <DropdownMenu.Portal container={document.getElementById('main')}>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label={label}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 overflow-y-auto rounded-card border border-line bg-raised p-1.5 shadow-lift data-[state=closed]:animate-fade-out data-[state=open]:animate-rise"
        >
          {items.map((item, index) =>
            item === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name
              <DropdownMenu.Separator key={index} className="my-1.5 h-px bg-line" />
            ) : (
              <DropdownMenu.Item
                key={item.label}
                aria-disabled={item.disabledReason ? true : undefined}
                onSelect={(event) => (item.disabledReason ? event.preventDefault() : item.onSelect())}
                className={clsx(
                  'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-2 outline-none select-none data-highlighted:bg-sunken',
                  item.tone === 'danger' ? 'text-ember' : 'text-ink',
                  item.disabledReason && 'cursor-not-allowed text-ink-soft',
                )}
              >
                {item.icon && <Icon of={item.icon} />}
                <span>
                  {item.label}
                  {item.disabledReason && <span className="block text-sm">{item.disabledReason}</span>}
                </span>
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
