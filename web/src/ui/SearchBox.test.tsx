import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { SearchBox } from './SearchBox.tsx';

afterEach(cleanup);

it('is reached by / from anywhere, but not while typing elsewhere', () => {
  render(
    <>
      <input aria-label="Caption" />
      <SearchBox label="Search Post" value="" onChange={() => {}} />
    </>,
  );
  const box = screen.getByRole('searchbox', { name: 'Search Post' });
  fireEvent.keyDown(screen.getByLabelText('Caption'), { key: '/' });
  expect(document.activeElement).not.toBe(box);
  fireEvent.keyDown(document.body, { key: '/' });
  expect(document.activeElement).toBe(box);
});

it('is emptied by Esc and by its button', () => {
  const onChange = vi.fn();
  render(<SearchBox label="Search Post" value="sun" onChange={onChange} />);
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Escape' });
  fireEvent.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(onChange.mock.calls).toEqual([[''], ['']]);
});
