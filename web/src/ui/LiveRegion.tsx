import { create } from 'zustand';

const useAnnouncement = create(() => ({ text: '', turn: 0 }));

/** Speaks to screen readers without showing anything, e.g. 'New message from Ana'. */
export function announce(text: string): void {
  useAnnouncement.setState(({ turn }) => ({ text, turn: turn + 1 }));
}

/** Put once at the root: the place `announce()` speaks from. */
export function LiveRegion() {
  const { text, turn } = useAnnouncement();
  // The same words again are a change only when the text differs: a no-break space makes it so.
  return (
    <div aria-live="polite" className="sr-only">
      {turn % 2 === 0 ? text : `${text}\u00a0`}
    </div>
  );
}
