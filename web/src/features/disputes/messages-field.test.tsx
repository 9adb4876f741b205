import { addableMessages, disputes } from '@tara/contract/money/disputes';
import { callUrl } from '@tara/contract/url';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/screen.tsx';
import { problem, stubServer } from '../../testing/stub-server.ts';
import { NewAnswerForm } from './DisputeScreen.tsx';

const server = stubServer();
const offeredLine = `GET ${callUrl(disputes.ownMessages, { params: { id: 'request' } })}`;
const answerLine = 'POST /api/dispute/answer';
const offer = (...numbers: number[]) =>
  server.answer(offeredLine, 200, {
    items: numbers.map((number) => ({
      ...{ id: `m${number}`, text: `Message ${number}` },
      sentAt: '2026-01-02T03:04:05.000+00:00',
    })),
  });
/** With its time after it. */
const named = (number: number) => new RegExp(`^Message ${number} `);
const show = () => renderScreen(<NewAnswerForm interactionId="request" other="Ben" onSent={() => {}} />);
const choose = async (number: number) =>
  userEvent.click(await screen.findByRole('checkbox', { name: named(number) }));
const send = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Send' }));
};
const sent = () => server.requests.filter(({ line }) => line === answerLine).map(({ body }) => body);

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

test('what is chosen is sent, and what was chosen by mistake is not', async () => {
  offer(1, 2, 3);
  await show();
  await userEvent.type(await screen.findByLabelText('Your answer'), 'I waited.');
  for (const number of [1, 2, 3, 2]) await choose(number);
  await send();
  await vi.waitFor(() => expect(sent()).toMatchObject([{ messageIds: ['m1', 'm3'] }]));
});

test('an eleventh is not chosen, and the rule is said', async () => {
  const numbers = Array.from({ length: 11 }, (_, index) => index + 1);
  offer(...numbers);
  await show();
  for (const number of numbers) await choose(number);
  const last = screen.getByRole('checkbox', { name: named(11) });
  expect(last).toHaveProperty('checked', false);
  expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(10);
  const rule = screen.getByText('At most 10 messages.', { selector: 'p' });
  expect(last.getAttribute('aria-describedby')?.split(' ')).toContain(rule.id);
  await choose(1);
  expect(screen.queryByText('At most 10 messages.', { selector: 'p' })).toBeNull();
});

test('one that was unsent meanwhile is refused with the rule, and is not sent again', async () => {
  offer(1, 2);
  server.answer(answerLine, ...refused());
  await show();
  await userEvent.type(await screen.findByLabelText('Your answer'), 'I waited.');
  await choose(1);
  await choose(2);
  offer(2);
  await send();
  await screen.findByText(addableMessages);
  await vi.waitFor(() => expect(screen.queryByRole('checkbox', { name: named(1) })).toBeNull());
  expect(screen.getByRole('checkbox', { name: named(2) })).toHaveProperty('checked', true);
  await send();
  await vi.waitFor(() =>
    expect(sent()).toMatchObject([{ messageIds: ['m1', 'm2'] }, { messageIds: ['m2'] }]),
  );
});

function refused(): [number, unknown] {
  const { status, body } = problem(400, 'general_argument_invalid', {
    fields: { messageIds: addableMessages },
  });
  return [status, body];
}
