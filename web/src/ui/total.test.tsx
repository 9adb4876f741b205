import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { CountBadge } from './marks.tsx';
import { PageTitle } from './Page.tsx';
import { showTotal } from './total.ts';

afterEach(() => {
  cleanup();
  showTotal(0);
});

test.each([
  [0, ''],
  [1, '11 waiting'],
  [99, '9999 waiting'],
  [100, '99+more than 99 waiting'],
  [5_000, '99+more than 99 waiting'],
])('a badge of %i reads %j', (count, text) => {
  const { container } = render(<CountBadge count={count} label="waiting" />);
  expect(container.textContent).toBe(text);
  // The figure is for the eye alone.
  for (const figure of container.querySelectorAll('[aria-hidden]'))
    expect(figure.textContent).toMatch(/^\d+\+?$/);
});

test.each([
  [0, 'Saved · Tara'],
  [3, '(3) Saved · Tara'],
  [100, '(99+) Saved · Tara'],
])('with %i waiting the title is %j', async (total, title) => {
  showTotal(total);
  render(<PageTitle title="Saved" />);
  await vi.waitFor(() => expect(document.title).toBe(title));
});

test('the icon of the installed app has the total, and none when nothing waits', () => {
  const setAppBadge = vi.fn(async (_count: number) => undefined);
  const clearAppBadge = vi.fn(async () => Promise.reject(new DOMException('not installed')));
  Object.assign(navigator, { setAppBadge, clearAppBadge });
  for (const total of [3, 180, 0]) showTotal(total);
  expect(setAppBadge.mock.calls).toEqual([[3], [100]]);
  expect(clearAppBadge).toHaveBeenCalledOnce();
  Reflect.deleteProperty(navigator, 'setAppBadge');
  Reflect.deleteProperty(navigator, 'clearAppBadge');
});
