import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { IconButton } from './Button.tsx';
import { confirm } from './feedback.ts';
import { Menu } from './lazy-overlays.tsx';
import { Overlays } from './Overlays.tsx';

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

it('gives the focus back to its button after a question that one of its items asked', async () => {
  render(
    <>
      <Menu
        trigger={<IconButton label="More">…</IconButton>}
        items={[
          {
            label: 'Delete',
            onSelect: () => void confirm({ title: 'Are you sure?', confirmLabel: 'Delete' }),
          },
        ]}
      />
      <Overlays />
    </>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'More' }));
  const item = await screen.findByRole('menuitem', { name: 'Delete' });
  item.focus();
  fireEvent.click(item);
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' })));
});
