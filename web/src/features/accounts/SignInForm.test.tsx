import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { SignInForm } from './SignInForm.tsx';

afterEach(cleanup);

const write = (label: string, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Sign In' }));

test('names the broken rules, and forgets them once they are kept', async () => {
  const onSubmit = vi.fn();
  render(<SignInForm pending={false} refused={{}} onSubmit={onSubmit} />);
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
  render(<SignInForm pending={false} refused={{}} onSubmit={onSubmit} />);
  write('Email', ' Ana@Example.com ');
  write('Password', 'long enough');
  submit();
  await expect
    .poll(() => onSubmit.mock.calls)
    .toEqual([[{ email: 'ana@example.com', password: 'long enough' }]]);
});

test('shows what only the server knows', () => {
  render(<SignInForm pending={false} refused={{ email: 'Not this one.' }} onSubmit={() => {}} />);
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
  screen.getByText('Not this one.');
});
