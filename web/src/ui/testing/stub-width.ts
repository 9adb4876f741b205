import { vi } from 'vitest';

/** Answers media queries as a window of this width in pixels does. Returns what changes the width. */
export function stubWidth(width: number): (width: number) => void {
  let now = width;
  const lists: EventTarget[] = [];
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const [, from = '0'] = /min-width: ([\d.]+)rem/.exec(query) ?? [];
    const list = Object.assign(new EventTarget(), { matches: now >= 16 * Number(from), media: query });
    lists.push(list);
    return list as MediaQueryList;
  });
  return (next) => {
    now = next;
    for (const list of lists) list.dispatchEvent(new Event('change'));
  };
}
