import { vi } from 'vitest';

/** Answers media queries as a window of this width in pixels does. */
export function stubWidth(width: number): void {
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const [, from = '0'] = /min-width: ([\d.]+)rem/.exec(query) ?? [];
    const matches = width >= 16 * Number(from);
    return Object.assign(new EventTarget(), { matches, media: query }) as MediaQueryList;
  });
}
