import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { Field, PasswordInput, TextInput } from './Field.tsx';

afterEach(cleanup);

/** The description of a control that a screen reader reads after its name. */
const description = (control: HTMLElement) =>
  (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);

it('describes its control by the hint, and by the error instead where there is one', () => {
  const field = (error?: string) => (
    <Field label="Username" hint="Friends find you by it." error={error}>
      <TextInput />
    </Field>
  );
  const { rerender } = render(field());
  const input = screen.getByLabelText('Username');
  expect(description(input)).toEqual(['Friends find you by it.']);
  rerender(field('Too long'));
  expect(description(input)).toEqual(['Too long']);
  expect(input.getAttribute('aria-invalid')).toBe('true');
});

it('shows how much of the limit is used', () => {
  render(
    <Field label="Bio" count={{ used: 256, limit: 255 }}>
      <TextInput />
    </Field>,
  );
  expect(screen.getByText('256/255').className).toContain('text-ember');
});

it('shows and hides a password', async () => {
  render(
    <Field label="Password">
      <PasswordInput />
    </Field>,
  );
  const input = screen.getByLabelText('Password');
  expect(input.getAttribute('type')).toBe('password');
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(input.getAttribute('type')).toBe('text');
});
