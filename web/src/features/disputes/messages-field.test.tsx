import { addableMessages, disputes } from '@tara/contract/money/disputes';
import { callUrl } from '@tara/contract/url';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../lib/queries.ts';
import { renderScreen } from '../../testing/screen.tsx';
import { problem, stubServer } from '../../testing/stub-server.ts';
import { useToasts } from '../../ui/feedback.ts';
import { NewAnswerForm } from './DisputeScreen.tsx';

const server = stubServer();
const offeredLine = `GET ${callUrl(disputes.ownMessages, { params: { id: 'request' } })}`;
const answerLine = 'POST /api/dispute/answer';
const offer = (...numbers: number[]) =>
  server.answer(offeredLine, 200, {
    hasMore: false,
    items: numbers.map((number) => ({
      ...{ id: `m${number}`, text: `Message ${number}` },
      sentAt: '2026-01-02T03:04:05.000+00:00',
    })),
  });
/** With its time after it. */
const named = (number: number) => new RegExp(`^Message ${number} `);
const show = () => renderScreen(<NewAnswerForm interactionId="request" other="Ben" onSent={() => {}} />);
const open = async () => userEvent.click(await screen.findByText(/^Add your messages/));
const choose = async (number: number) =>
  userEvent.click(await screen.findByRole('checkbox', { name: named(number) }));
const send = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Send' }));
};
const sent = () => server.requests.filter(({ line }) => line === answerLine).map(({ body }) => body);

/** What was written is kept, and what was loaded is not. */
function closeApp() {
  cleanup();
  queryClient.clear();
}

const toasts = () => useToasts.getState().queue.map(({ title }) => title);

afterEach(() => {
  closeApp();
  useToasts.setState({ queue: [] });
  sessionStorage.clear();
});

test('what is chosen is sent, and what was chosen by mistake is not', async () => {
  offer(1, 2, 3);
  await show();
  await userEvent.type(await screen.findByLabelText('Your answer'), 'I waited.');
  await open();
  for (const number of [1, 2, 3, 2]) await choose(number);
  await send();
  await vi.waitFor(() => expect(sent()).toMatchObject([{ messageIds: ['m1', 'm3'] }]));
});

test('an eleventh is not chosen, and the rule is said', async () => {
  const numbers = Array.from({ length: 11 }, (_, index) => index + 1);
  offer(...numbers);
  await show();
  await open();
  for (const number of numbers) await choose(number);
  const last = screen.getByRole('checkbox', { name: named(11) });
  expect(last).toHaveProperty('checked', false);
  expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(10);
  screen.getByText('At most 10 messages.', { selector: 'p' });
  screen.getByRole('group', { description: 'At most 10 messages.' });
  await choose(1);
  expect(screen.queryByText('At most 10 messages.', { selector: 'p' })).toBeNull();
});

test('one that was unsent meanwhile is told of, and is not sent again', async () => {
  offer(1, 2);
  server.answer(answerLine, ...refused());
  await show();
  await userEvent.type(await screen.findByLabelText('Your answer'), 'I waited.');
  await open();
  await choose(1);
  await choose(2);
  offer(2);
  await send();
  await vi.waitFor(() => expect(toasts()).toEqual(['A message that you chose was unsent']));
  await vi.waitFor(() => expect(screen.queryByRole('checkbox', { name: named(1) })).toBeNull());
  expect(screen.getByRole('checkbox', { name: named(2) })).toHaveProperty('checked', true);
  await send();
  await vi.waitFor(() =>
    expect(sent()).toMatchObject([{ messageIds: ['m1', 'm2'] }, { messageIds: ['m2'] }]),
  );
});

test('when it was the only one, that is told as well, and the form is sent without it', async () => {
  offer(1);
  server.answer(answerLine, ...refused());
  await show();
  await userEvent.type(await screen.findByLabelText('Your answer'), 'I waited.');
  await open();
  await choose(1);
  offer();
  await send();
  await vi.waitFor(() => expect(toasts()).toEqual(['A message that you chose was unsent']));
  await vi.waitFor(() => expect(screen.queryByText(/^Add your messages/)).toBeNull());
  await send();
  await vi.waitFor(() => expect(sent()).toMatchObject([{ messageIds: ['m1'] }, { messageIds: [] }]));
});

test('how many are chosen is said while they are folded, and a chosen one is shown whole', async () => {
  offer(1, 2);
  await show();
  await open();
  await choose(2);
  await screen.findByText('· 1 chosen');
  const text = (number: number) => screen.getByText(`Message ${number}`);
  expect([text(1), text(2)].map((part) => part.className.includes('line-clamp'))).toEqual([true, false]);
  await open();
  const folded = screen.getByText('· 1 chosen').closest('details');
  expect(folded).toHaveProperty('open', false);
});

test('what was chosen before is sent, though the list is not there yet', async () => {
  offer(1);
  await show();
  await open();
  await choose(1);
  await userEvent.type(await screen.findByLabelText('Your answer'), 'I waited.');
  closeApp();
  server.hold([offeredLine]);
  await show();
  await screen.findByDisplayValue('I waited.');
  await send();
  await vi.waitFor(() => expect(sent()).toMatchObject([{ messageIds: ['m1'] }]));
  server.release();
});

test('what could not be loaded is not added, which is said until it is there', async () => {
  const { status, body } = problem(500, 'general_unknown');
  server.answer(offeredLine, status, body);
  await show();
  await screen.findByText('Your messages could not be loaded, so none is added.', undefined, {
    timeout: 30_000,
  });
  server.hold([offeredLine]);
  offer(1);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  // It stays while it is read again.
  screen.getByText('Your messages could not be loaded, so none is added.');
  server.release();
  await screen.findByText(/^Add your messages/);
});

test('what was chosen before and could not be loaded is not sent', async () => {
  offer(1);
  await show();
  await open();
  await choose(1);
  await userEvent.type(await screen.findByLabelText('Your answer'), 'I waited.');
  closeApp();
  const { status, body } = problem(500, 'general_unknown');
  server.answer(offeredLine, status, body);
  await show();
  await screen.findByText('Your messages could not be loaded, so none is added.', undefined, {
    timeout: 30_000,
  });
  await send();
  await vi.waitFor(() => expect(sent()).toMatchObject([{ messageIds: [] }]));
});

function refused(): [number, unknown] {
  const { status, body } = problem(400, 'general_argument_invalid', {
    fields: { messageIds: addableMessages },
  });
  return [status, body];
}
