import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { ProblemError } from './failure.ts';
import { showFieldErrors, useDraft, useZodForm } from './forms.ts';

const Post = z.strictObject({ caption: z.string().max(5, 'Too long'), location: z.string() });
const blank = { caption: '', location: '' };

function Form({ refused }: { refused?: ProblemError }) {
  const form = useZodForm(Post, { defaultValues: blank });
  const clearDraft = useDraft('test', form);
  const { errors } = form.formState;
  const send = () => {
    if (refused) return void showFieldErrors(form, refused);
    clearDraft();
    form.reset(blank);
  };
  return (
    <form noValidate onSubmit={form.handleSubmit(send)}>
      <input aria-label="Caption" {...form.register('caption')} />
      <p>{errors.caption?.message}</p>
      <input aria-label="Location" {...form.register('location')} />
      <p>{errors.location?.message}</p>
      <button type="submit">Send</button>
    </form>
  );
}

const write = (label: string, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
const read = (label: string) =>
  screen.getByDisplayValue(/./) && screen.getByLabelText<HTMLInputElement>(label).value;

beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

test('a broken rule of the schema stands at its field', async () => {
  render(<Form />);
  write('Caption', 'much too long');
  fireEvent.click(screen.getByText('Send'));
  await screen.findByText('Too long');
});

test('a rule that only the server knows stands at its field and moves the focus there', async () => {
  const refused = new ProblemError({
    message: '',
    code: 400,
    type: 'general_argument_invalid',
    version: '',
    title: 'Some of the values are not right.',
    fields: { location: 'There is no such place.', other: 'Not of this form.' },
  });
  render(<Form refused={refused} />);
  write('Caption', 'Tara');
  fireEvent.click(screen.getByText('Send'));
  await screen.findByText('There is no such place.');
  expect(document.activeElement).toBe(screen.getByLabelText('Location'));
});

test('what was written is there again after a reload', async () => {
  render(<Form />);
  write('Caption', 'Tara');
  await expect.poll(() => sessionStorage.length).toBe(1);
  cleanup();
  render(<Form />);
  expect(read('Caption')).toBe('Tara');
});

test('what was sent is not', async () => {
  render(<Form />);
  write('Caption', 'Tara');
  await expect.poll(() => sessionStorage.length).toBe(1);
  fireEvent.click(screen.getByText('Send'));
  await expect.poll(() => sessionStorage.length).toBe(0);
});
