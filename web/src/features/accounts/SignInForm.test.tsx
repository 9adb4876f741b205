import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { SignInForm } from './SignInForm.tsx';

afterEach(cleanup);

const write = (label: string, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
const noWait = { email: '', seconds: 0 };
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Sign In' }));

test('names the broken rules, and forgets them once they are kept', async () => {
  const onSubmit = vi.fn();
  render(<SignInForm pending={false} refused={{}} wait={noWait} onSubmit={onSubmit} />);
  write('Email', 'ana');
  write('Password', 'short');
  submit();
  await screen.findByText('Invalid email');
  screen.getByText('Password must be at least 8 characters.');
  write('Email', 'ana@example.com');
  await expect.poll(() => screen.queryByText('Invalid email')).toBeNull();
  expect(onSubmit).not.toHaveBeenCalled();
});

test('hands over what was written, the e-mail in small letters', async () => {
  const onSubmit = vi.fn();
  render(<SignInForm pending={false} refused={{}} wait={noWait} onSubmit={onSubmit} />);
  write('Email', ' Ana@Example.com ');
  write('Password', 'long enough');
  submit();
  await expect
    .poll(() => onSubmit.mock.calls)
    .toEqual([[{ email: 'ana@example.com', password: 'long enough' }]]);
});

test('shows what only the server knows', () => {
  render(
    <SignInForm pending={false} refused={{ email: 'Not this one.' }} wait={noWait} onSubmit={() => {}} />,
  );
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
  screen.getByText('Not this one.');
});

test('says when one may try again with this email, keeps it, and lets another through', async () => {
  const onSubmit = vi.fn();
  const form = (seconds: number) => (
    <SignInForm
      pending={false}
      refused={{}}
      wait={{ email: 'ana@example.com', seconds }}
      onSubmit={onSubmit}
    />
  );
  const { rerender } = render(form(0));
  write('Email', 'Ana@example.com ');
  write('Password', 'long enough');
  rerender(form(76));
  const button = screen.getByRole('button', { name: 'Try again in 1 min 16 s' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(button);
  fireEvent.submit(button.closest('form') ?? button);
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('Ana@example.com');
  write('Email', 'ben@example.com');
  submit();
  await expect
    .poll(() => onSubmit.mock.calls)
    .toEqual([[{ email: 'ben@example.com', password: 'long enough' }]]);
  write('Email', 'ana@example.com');
  rerender(form(0));
  screen.getByRole('button', { name: 'Sign In' });
});
