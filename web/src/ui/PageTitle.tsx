import { create } from 'zustand';

/** What waits to be read, in front of the title of every page; set by the shell. */
export const useTitleCount = create<{ count: number }>(() => ({ count: 0 }));

/** The window's title: `(3) Saved · Tara` while 3 messages are unread. */
export function PageTitle({ title }: { title: string }) {
  const { count } = useTitleCount();
  const prefix = count > 0 ? `(${count > 99 ? '99+' : count}) ` : '';
  return <title>{`${prefix}${title} · Tara`}</title>;
}
