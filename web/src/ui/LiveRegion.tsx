import { create } from 'zustand';

const useAnnouncement = create(() => ({ text: '', turn: 0 }));

/** Announces a text to screen readers without showing it, e.g. 'New message from Ana'. */
export function announce(text: string): void {
  useAnnouncement.setState(({ turn }) => ({ text, turn: turn + 1 }));
}

/** The live region of `announce()`, rendered once at the root. */
export function LiveRegion() {
  const { text, turn } = useAnnouncement();
  // Screen readers announce changes only: a no-break space makes a repeated text different.
  return (
    <div aria-live="polite" className="sr-only">
      {turn % 2 === 0 ? text : `${text}\u00a0`}
    </div>
  );
}
