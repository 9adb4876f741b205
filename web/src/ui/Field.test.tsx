import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Field } from './Field.tsx';
import { PasswordInput } from './PasswordInput.tsx';
import { TextInput } from './TextInput.tsx';

afterEach(cleanup);

it('ties label, hint and error to its control', () => {
  render(
    <Field label="Username" hint="Friends find you by it." error="Too long">
      <TextInput />
    </Field>,
  );
  const input = screen.getByLabelText('Username');
  const words = (input.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);
  expect(words).toEqual(['Too long', 'Friends find you by it.']);
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('alert').textContent).toBe('Too long');
});

it('counts what is written', () => {
  render(
    <Field label="Bio" limit={255}>
      <TextInput defaultValue="Hello" />
    </Field>,
  );
  expect(screen.getByText('5/255')).toBeDefined();
  fireEvent.input(screen.getByLabelText('Bio'), { target: { value: 'Hello you' } });
  expect(screen.getByText('9/255')).toBeDefined();
});

it('shows and hides a password', () => {
  render(
    <Field label="Password">
      <PasswordInput />
    </Field>,
  );
  const input = screen.getByLabelText('Password');
  expect(input.getAttribute('type')).toBe('password');
  fireEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(input.getAttribute('type')).toBe('text');
});
