import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
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

it('shows the first, then what is pressed, and nothing of the others', async () => {
  render(<Tabs label="Lists" tabs={tabs} />);
  screen.getByText('What you earned');
  await userEvent.click(tab('History'));
  expect(screen.getByRole('tabpanel', { name: 'History' }).textContent).toBe('What was');
  expect(screen.queryByText('What you earned')).toBeNull();
});

it('is one stop of the Tab key, and moves by arrows, Home and End, around both ends', async () => {
  render(<Tabs label="Lists" tabs={tabs} initial="expense" />);
  await userEvent.tab();
  expect(document.activeElement).toBe(tab('Expense'));
  const seen: (string | null)[] = [];
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'Home', 'End']) {
    await userEvent.keyboard(`{${key}}`);
    expect(document.activeElement).toBe(tab(chosen() ?? ''));
    seen.push(chosen());
  }
  expect(seen).toEqual(['History', 'Earn', 'History', 'Earn', 'History']);
});

it('shows the given tab, and calls back with the chosen one', async () => {
  const wanted = vi.fn();
  render(<Tabs label="Lists" tabs={tabs} value="earn" onChange={wanted} />);
  await userEvent.click(tab('Expense'));
  await userEvent.click(tab('Earn'));
  expect(wanted.mock.calls).toEqual([['expense']]);
  expect(chosen()).toBe('Earn');
});

it('says at which end the list is cut', () => {
  render(<Tabs label="Lists" tabs={tabs} />);
  const list = screen.getByRole('tablist');
  Object.defineProperties(list, { scrollWidth: { value: 500 }, clientWidth: { value: 390 } });
  const cutAt = (scrollLeft: number) => {
    list.scrollLeft = scrollLeft;
    fireEvent.scroll(list);
    return [list.hasAttribute('data-cut-start'), list.hasAttribute('data-cut-end')];
  };
  expect(cutAt(0)).toEqual([false, true]);
  expect(cutAt(50)).toEqual([true, true]);
  expect(cutAt(110)).toEqual([true, false]);
});
