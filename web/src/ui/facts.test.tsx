import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { Money, money, RatingLine, truncate } from './facts.tsx';
import { StarInput, Stars } from './marks.tsx';
import { Avatar } from './Picture.tsx';
import { chooseTheme } from './Segmented.tsx';

afterEach(cleanup);

it('writes no sign before an amount of zero', () => {
  expect([money(-0), money(0), money(-0.5)]).toEqual(['₱0.00', '₱0.00', '-₱0.50']);
});

describe('Stars', () => {
  it('are five, full, half or hollow (§3-review-icons)', () => {
    const stars = [...render(<Stars value={7} />).container.querySelectorAll('svg')];
    const iconOf = (star: Element) => {
      const filled = star.querySelectorAll('path')[1];
      return filled ? (filled.style.clipPath ? 'half' : 'full') : 'hollow';
    };
    expect(stars.map(iconOf)).toEqual(['full', 'full', 'full', 'half', 'hollow']);
  });
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
  it('falls back to the first letter of the name (§2-avatar-letter)', () => {
    expect(render(<Avatar name="ana" />).container.textContent).toBe('A');
  });
  it('falls back to N without a name (§2-avatar-no-name)', () => {
    expect(render(<Avatar name="" />).container.textContent).toBe('N');
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

test.for([
  [{ stars: 9, totalReviews: 12, totalMeetings: 7 }, '4.5 ★ of 5 stars · 12 reviews · 7 meetings'],
  [{ stars: 20 / 3, totalReviews: 1, totalMeetings: 1 }, '3.3 ★ of 5 stars · 1 review · 1 meeting'],
  [{ stars: 0, totalReviews: 1, totalMeetings: 0 }, '0.0 ★ of 5 stars · 1 review'],
  [{ stars: null, totalReviews: 0, totalMeetings: 1200 }, '1,200 meetings'],
  [{ stars: null, totalReviews: 0, totalMeetings: 0 }, 'new'],
] as const)('the rating %o reads %s', ([rating, text]) => {
  expect(render(<RatingLine rating={rating} />).container.textContent).toBe(text);
});

describe('text cut for display (§9)', () => {
  it('gets two dots where it is cut', () => {
    expect(truncate('Coffee and a walk in Makati', 14)).toBe('Coffee and a w..');
  });
  it('stays whole up to the limit', () => {
    expect(truncate('Coffee in Cebu', 14)).toBe('Coffee in Cebu');
  });
  it('never cuts an emoji in two', () => {
    expect(truncate('😎😎😎', 2)).toBe('😎😎..');
  });
});
