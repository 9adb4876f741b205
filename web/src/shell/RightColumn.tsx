import { ExtraLinks } from './ExtraLinks.tsx';

/** From 1280 px: the extra links beside the screen. */
export function RightColumn() {
  return (
    <aside
      aria-label="More"
      className="sticky top-0 hidden h-dvh w-64 shrink-0 overflow-y-auto border-l border-line px-4 py-8 xl:block"
    >
      <ExtraLinks />
    </aside>
  );
}
