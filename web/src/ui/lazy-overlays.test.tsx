import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { IconButton } from './Button.tsx';
import { Menu } from './lazy-overlays.tsx';

afterEach(cleanup);

it('opens at the first press of its button, though its list is fetched only then', async () => {
  const chosen = vi.fn();
  render(
    <Menu
      trigger={<IconButton label="More">…</IconButton>}
      items={[{ label: 'Log out', onSelect: chosen }]}
    />,
  );
  const button = screen.getByRole('button', { name: 'More' });
  expect(button.getAttribute('aria-haspopup')).toBe('menu');
  expect(button.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(button);
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Log out' }));
  expect(chosen).toHaveBeenCalledOnce();
  expect(screen.queryByRole('menu')).toBeNull();
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' })));
});
