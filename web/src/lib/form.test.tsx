import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useWatch } from 'react-hook-form';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { renderScreen } from '../testing/screen.tsx';
import { announce, useToasts } from '../ui/feedback.ts';
import { ProblemError } from './call.ts';
import { useForm } from './form.tsx';
import { CheckboxField, Form, SubmitButton, TextField } from './form-fields.tsx';

const Post = z.strictObject({
  caption: z.string().check(z.minLength(1, 'Write something'), z.maxLength(5, 'Too long')),
  location: z.string().check(z.maxLength(3, 'Too far')),
  accepted: z.boolean().check(z.refine((ticked) => ticked, 'Please accept.')),
});
type Post = z.infer<typeof Post>;

interface ExampleProps {
  send?: (post: Post) => Promise<unknown>;
  leaves?: boolean;
  clears?: boolean;
  /** Whose draft it is on this device. */
  account?: string;
}

function Example({ send = async () => {}, leaves = false, clears = false, account }: ExampleProps) {
  const form = useForm({
    schema: Post,
    defaultValues: { caption: '', location: '', accepted: false },
    draft: { key: 'test', fields: ['caption'], account },
    send,
    clears,
    ...(leaves ? { leaveTo: () => ({ to: '/explore' as const }) } : {}),
  });
  // In the form's own component, as forms do that show something of what is typed.
  const caption = useWatch({ control: form.control, name: 'caption' });
  return (
    <Form form={form} label="Post">
      <output>{caption}</output>
      <TextField form={form} name="caption" label="Caption" hint="In a word." limit={5} />
      <TextField form={form} name="location" label="Location" />
      <CheckboxField form={form} name="accepted" label="Accept" required />
      <SubmitButton form={form}>Send</SubmitButton>
    </Form>
  );
}

const refused = (type: string, fields?: Record<string, string>, retryAfterSeconds = 0) =>
  new ProblemError(
    {
      message: '',
      code: 400,
      type,
      version: '',
      title: 'Some of the values are not valid.',
      ...(fields ? { fields } : {}),
    },
    retryAfterSeconds,
  );

const user = userEvent.setup();
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const fill = async (values: { caption?: string; location?: string }) => {
  if (values.caption) await user.type(field('Caption'), values.caption);
  if (values.location) await user.type(field('Location'), values.location);
  await user.click(screen.getByRole('checkbox', { name: 'Accept' }));
};
const submit = () => user.click(screen.getByRole('button', { name: 'Send' }));
/** The description of a control that a screen reader reads after its name. */
const description = (control: HTMLElement) =>
  (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  useToasts.setState({ queue: [] });
  announce('');
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('nothing is checked before the form is sent', async () => {
  await renderScreen(<Example />);
  await user.type(field('Caption'), 'much too long');
  await user.tab();
  expect(field('Caption').getAttribute('aria-invalid')).toBeNull();
  expect(description(field('Caption'))).toBe('In a word.');
});

test('sending shows every broken rule in place of the hint and moves to the first', async () => {
  const send = vi.fn();
  await renderScreen(<Example send={send} />);
  await submit();
  expect(description(field('Caption'))).toBe('Write something');
  expect(screen.getByText('Please accept.')).toBeDefined();
  expect(document.activeElement).toBe(field('Caption'));
  expect(send).not.toHaveBeenCalled();
});

test('a field is checked at every change once sending was refused', async () => {
  await renderScreen(<Example />);
  await submit();
  await user.type(field('Caption'), 'Tara');
  expect(description(field('Caption'))).toBe('In a word.');
  await user.type(field('Caption'), ' trip');
  expect(description(field('Caption'))).toBe('Too long');
});

test('an error is announced when it appears in the field one writes in, and only then', async () => {
  await renderScreen(<Example />);
  const region = document.querySelector('[aria-live=polite]');
  await submit();
  expect(region?.textContent?.trim()).toBe('');
  await user.type(field('Location'), 'Cebu');
  expect(region?.textContent?.trim()).toBe('Too far');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('rules that only the server knows are shown at their fields', async () => {
  const send = () => Promise.reject(refused('general_argument_invalid', { location: 'No such place.' }));
  await renderScreen(<Example send={send} />);
  await fill({ caption: 'Tara' });
  await submit();
  expect(description(field('Location'))).toBe('No such place.');
  expect(document.activeElement).toBe(field('Location'));
  expect(useToasts.getState().queue).toEqual([]);
});

test('a failure that belongs to no field is a toast, and the form can be sent again', async () => {
  const send = vi.fn().mockRejectedValueOnce(refused('general_unknown')).mockResolvedValueOnce(undefined);
  await renderScreen(<Example send={send} />);
  await fill({ caption: 'Tara' });
  await submit();
  expect(useToasts.getState().queue).toMatchObject([
    { title: 'Some of the values are not valid.', tone: 'danger' },
  ]);
  expect(field('Caption').value).toBe('Tara');
  await submit();
  expect(send).toHaveBeenCalledTimes(2);
});

test('a second press while a form is sent sends nothing', async () => {
  const send = vi.fn(() => new Promise<void>(() => {}));
  await renderScreen(<Example send={send} />);
  await fill({ caption: 'Tara' });
  await submit();
  await submit();
  await user.type(field('Caption'), '{Enter}');
  expect(send.mock.calls).toEqual([[{ caption: 'Tara', location: '', accepted: true }]]);
});

test('unsaved work is asked about before one leaves; staying loses nothing', async () => {
  const router = await renderScreen(<Example />);
  await user.type(field('Caption'), 'Tara');
  void router.navigate({ to: '/elsewhere' as never });
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Stay' }));
  expect(field('Caption').value).toBe('Tara');
  void router.navigate({ to: '/elsewhere' as never });
  await user.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('At /elsewhere');
});

test('a saved form leaves without a question, and its draft is removed', async () => {
  await renderScreen(<Example leaves />);
  await fill({ caption: 'Tara' });
  await submit();
  await screen.findByText('At /explore');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sessionStorage).toHaveLength(0);
});

test('what was written is there again after a reload, as far as the draft stores it', async () => {
  await renderScreen(<Example />);
  await user.type(field('Caption'), 'Tara');
  await user.type(field('Location'), 'Bay');
  cleanup();
  await renderScreen(<Example />);
  expect([field('Caption').value, field('Location').value]).toEqual(['Tara', '']);
  expect(screen.getByRole('status').textContent).toBe('Tara');
});

describe('a draft of an account on this device', () => {
  const day = 86_400_000;
  /** What the form shows when it is opened again, in another tab. */
  const openAgain = async (account: string) => {
    cleanup();
    sessionStorage.clear();
    await renderScreen(<Example account={account} />);
    return field('Caption').value;
  };

  test('is there in another tab a day later, for this account alone', async () => {
    await renderScreen(<Example account="ana" />);
    await user.type(field('Caption'), 'Tara');
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + day);
    expect(await openAgain('ben')).toBe('');
    expect(await openAgain('ana')).toBe('Tara');
  });

  test('is removed once it is sent', async () => {
    await renderScreen(<Example account="ana" />);
    await fill({ caption: 'Tara' });
    await submit();
    await expect.poll(() => localStorage.length).toBe(0);
  });

  test('is forgotten after 30 days, and removed when another one is written', async () => {
    await renderScreen(<Example account="ana" />);
    await user.type(field('Caption'), 'Tara');
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 30 * day);
    expect(await openAgain('ana')).toBe('');
    expect(await openAgain('ben')).toBe('');
    await user.type(field('Caption'), 'Hi');
    expect(Object.keys(localStorage)).toEqual(['draft-of-device:ben:test']);
  });

  test('is not confused by what another version stored', async () => {
    for (const text of ['not JSON', '{"until":9e15}', '{"values":{"caption":"x"}}', 'null']) {
      localStorage.setItem('draft-of-device:ana:test', text);
      expect(await openAgain('ana')).toBe('');
    }
  });
});

test('a draft of another version is ignored where it does not fit', async () => {
  sessionStorage.setItem('draft:test', JSON.stringify({ subject: 'gone', caption: 'Tara' }));
  await renderScreen(<Example />);
  expect(field('Caption').value).toBe('Tara');
  cleanup();
  sessionStorage.setItem('draft:test', 'not JSON');
  await renderScreen(<Example />);
  expect(field('Caption').value).toBe('');
});

test('a form that stays has nothing unsaved after success, and keeps or clears its fields', async () => {
  const router = await renderScreen(<Example />);
  await fill({ caption: 'Tara' });
  await submit();
  expect(field('Caption').value).toBe('Tara');
  expect(sessionStorage).toHaveLength(0);
  void router.navigate({ to: '/elsewhere' as never });
  await screen.findByText('At /elsewhere');
  cleanup();
  await renderScreen(<Example clears />);
  await fill({ caption: 'Tara' });
  await submit();
  expect(field('Caption').value).toBe('');
  expect(sessionStorage).toHaveLength(0);
});

test('does not navigate back after leaving during the submit', async () => {
  const sent = Promise.withResolvers<void>();
  const router = await renderScreen(<Example leaves send={() => sent.promise} />);
  await fill({ caption: 'Tara' });
  await submit();
  void router.navigate({ to: '/elsewhere' as never, ignoreBlocker: true });
  await screen.findByText('At /elsewhere');
  sent.resolve();
  await expect.poll(() => sessionStorage.length).toBe(0);
  await router.load();
  expect(router.state.location.pathname).toBe('/elsewhere');
});

test('a form that has to wait says how long, and is not sent until then', async () => {
  const send = vi.fn(async () => {
    throw refused('second_factor_wrong', { caption: 'This is not right.' }, 2);
  });
  await renderScreen(<Example send={send} />);
  await fill({ caption: 'Hi' });
  await submit();
  const button = await screen.findByRole('button', { name: 'Try again in 2 s' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.click(button);
  await user.type(field('Caption'), '{Enter}');
  expect(send).toHaveBeenCalledTimes(1);
  await user.click(await screen.findByRole('button', { name: 'Send' }, { timeout: 10_000 }));
  expect(send).toHaveBeenCalledTimes(2);
});
