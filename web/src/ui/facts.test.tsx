import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Avatar } from './Avatar.tsx';
import { Money } from './Money.tsx';
import { StarInput, Stars } from './Stars.tsx';
import { chooseTheme } from './ThemeSwitch.tsx';

afterEach(cleanup);

describe('Stars', () => {
  it.each([
    [0, '0 of 5 stars'],
    [7, '3.5 of 5 stars'],
    [10, '5 of 5 stars'],
    [99, '5 of 5 stars'],
  ])('%i of ten is %s', (value, name) => {
    render(<Stars value={value} />);
    expect(screen.getByRole('img', { name })).toBeDefined();
  });

  it('are given with eleven buttons from 0 to 10', () => {
    const onChange = vi.fn();
    render(<StarInput label="Your rating" value={10} onChange={onChange} />);
    const buttons = screen.getAllByRole('radio');
    expect(buttons).toHaveLength(11);
    fireEvent.click(screen.getByRole('radio', { name: '0' }));
    expect(onChange).toHaveBeenCalledWith(0);
  });
});

it('writes pesos', () => {
  render(<Money pesos={1500} />);
  expect(screen.getByText('₱1,500.00')).toBeDefined();
});

describe('Avatar', () => {
  it('falls back to the first letter of the name, or N (§2-fallbacks)', () => {
    const { rerender, container } = render(<Avatar name="ana" />);
    expect(container.textContent).toBe('A');
    rerender(<Avatar name="" />);
    expect(container.textContent).toBe('N');
  });
  it('falls back when the picture does not load', () => {
    const { container } = render(<Avatar name="Ben" src="/gone.jpg" />);
    const picture = container.querySelector('img');
    expect(picture).not.toBeNull();
    if (picture) fireEvent.error(picture);
    expect(container.textContent).toBe('B');
  });
});

it('keeps the chosen theme for the next visit', () => {
  chooseTheme('dark');
  expect(document.documentElement.dataset.theme).toBe('dark');
  expect(localStorage.getItem('tara-theme')).toBe('dark');
  chooseTheme('system');
  expect(document.documentElement.dataset.theme).toBeUndefined();
  expect(localStorage.getItem('tara-theme')).toBeNull();
});
