import { useCallback } from 'react';

/** A pixel may be lost in rounding. */
const TOLERANCE_PX = 2;

/**
 * For a scroll area with one child: says in `data-cut-start` and `data-cut-end` at which ends there is more than is shown,
 * whether it scrolls down or sideways.
 */
export function useCutEdges() {
  return useCallback((area: HTMLElement | null) => {
    if (!area) return;
    const mark = () => {
      const start = area.scrollTop + area.scrollLeft;
      const hidden = area.scrollHeight - area.clientHeight + (area.scrollWidth - area.clientWidth);
      area.toggleAttribute('data-cut-start', start > TOLERANCE_PX);
      area.toggleAttribute('data-cut-end', hidden - start > TOLERANCE_PX);
    };
    const sizes = new ResizeObserver(mark);
    for (const element of [area, ...area.children]) sizes.observe(element);
    area.addEventListener('scroll', mark, { passive: true });
    mark();
    return () => {
      sizes.disconnect();
      area.removeEventListener('scroll', mark);
    };
  }, []);
}
