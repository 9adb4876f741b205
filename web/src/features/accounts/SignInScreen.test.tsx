import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { SignInForm } from './SignInScreen.tsx';

afterEach(cleanup);

const write = async (label: string, value: string) => {
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.type(screen.getByLabelText(label), value);
};
const noWait = { email: '', seconds: 0 };
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Sign In' }));

test('shows field errors, and removes them once the values are valid', async () => {
  const onSubmit = vi.fn();
  render(<SignInForm pending={false} serverErrors={{}} wait={noWait} onSubmit={onSubmit} />);
  await write('Email', 'ana');
  await write('Password', 'short');
  await submit();
  await screen.findByText('Invalid email');
  screen.getByText('Password must be at least 8 characters.');
  await write('Email', 'ana@example.com');
  await expect.poll(() => screen.queryByText('Invalid email')).toBeNull();
  expect(onSubmit).not.toHaveBeenCalled();
});

test('submits the values, with the email in lower case', async () => {
  const onSubmit = vi.fn();
  render(<SignInForm pending={false} serverErrors={{}} wait={noWait} onSubmit={onSubmit} />);
  await write('Email', ' Ana@Example.com ');
  await write('Password', 'long enough');
  await submit();
  await expect
    .poll(() => onSubmit.mock.calls)
    .toEqual([[{ email: 'ana@example.com', password: 'long enough' }]]);
});

test('shows what only the server knows', () => {
  render(
    <SignInForm
      pending={false}
      serverErrors={{ email: 'Not this one.' }}
      wait={noWait}
      onSubmit={() => {}}
    />,
  );
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
  screen.getByText('Not this one.');
});

test('blocks further attempts with the same email until the wait is over, and accepts another email', async () => {
  const onSubmit = vi.fn();
  const form = (seconds: number) => (
    <SignInForm
      pending={false}
      serverErrors={{}}
      wait={{ email: 'ana@example.com', seconds }}
      onSubmit={onSubmit}
    />
  );
  const { rerender } = render(form(0));
  await write('Email', 'Ana@example.com ');
  await write('Password', 'long enough');
  rerender(form(76));
  const button = screen.getByRole('button', { name: 'Try again in 1 min 16 s' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(button);
  await userEvent.type(screen.getByLabelText('Email'), '{Enter}');
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('Ana@example.com');
  await write('Email', 'ben@example.com');
  await submit();
  await expect
    .poll(() => onSubmit.mock.calls)
    .toEqual([[{ email: 'ben@example.com', password: 'long enough' }]]);
  await write('Email', 'ana@example.com');
  rerender(form(0));
  screen.getByRole('button', { name: 'Sign In' });
});
