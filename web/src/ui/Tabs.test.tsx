import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Tabs } from './Tabs.tsx';

const tabs = [
  { value: 'earn', label: 'Earn', content: <p>What you earned</p> },
  { value: 'expense', label: 'Expense', content: <p>What you spent</p> },
  { value: 'history', label: 'History', content: <p>What was</p> },
];
const tab = (name: string) => screen.getByRole('tab', { name });
const chosen = () => screen.getByRole('tab', { selected: true }).textContent;

afterEach(cleanup);

it('shows the first, then what is pressed, and nothing of the others', () => {
  render(<Tabs label="Lists" tabs={tabs} />);
  screen.getByText('What you earned');
  fireEvent.click(tab('History'));
  expect(screen.getByRole('tabpanel', { name: 'History' }).textContent).toBe('What was');
  expect(screen.queryByText('What you earned')).toBeNull();
});

it('is one stop of the Tab key, and moves by arrows, Home and End, around both ends', () => {
  render(<Tabs label="Lists" tabs={tabs} initial="expense" />);
  expect(screen.getAllByRole('tab').map((each) => each.tabIndex)).toEqual([-1, 0, -1]);
  tab('Expense').focus();
  const seen = ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'Home', 'End'].map((key) => {
    if (document.activeElement) fireEvent.keyDown(document.activeElement, { key });
    expect(document.activeElement).toBe(tab(chosen() ?? ''));
    return chosen();
  });
  expect(seen).toEqual(['History', 'Earn', 'History', 'Earn', 'History']);
});

it('shows what it is told to show, and tells what is wanted', () => {
  const wanted = vi.fn();
  render(<Tabs label="Lists" tabs={tabs} value="earn" onChange={wanted} />);
  fireEvent.click(tab('Expense'));
  fireEvent.click(tab('Earn'));
  expect(wanted.mock.calls).toEqual([['expense']]);
  expect(chosen()).toBe('Earn');
});
