import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { SearchBox } from './SearchBox.tsx';

afterEach(cleanup);

it('is emptied by Esc and by its button', () => {
  const onChange = vi.fn();
  render(<SearchBox label="Search Post" value="sun" onChange={onChange} />);
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Escape' });
  fireEvent.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(onChange.mock.calls).toEqual([[''], ['']]);
});
