import { create } from 'zustand';

/** Where counts stop: of more people read '99+'. */
const mostShown = 99;

/** A count as people read it. */
export const countText = (count: number): string => (count > mostShown ? `${mostShown}+` : String(count));

/** The same for screen readers. */
export const countName = (count: number): string =>
  count > mostShown ? `more than ${mostShown}` : String(count);

/** How much waits for the member in all, in front of the title of every page; set by the shell. */
export const useTotal = create<{ total: number }>(() => ({ total: 0 }));

/** Shows in the window's title and on the icon of the installed app how much waits; 0: nothing. */
export function showTotal(total: number): void {
  useTotal.setState({ total });
  // Not in every browser, and refused where the app is not installed.
  const badge =
    total > 0 ? navigator.setAppBadge?.(Math.min(total, mostShown + 1)) : navigator.clearAppBadge?.();
  badge?.catch(() => undefined);
}
