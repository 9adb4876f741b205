import { type ChatSettings, conversations } from '@tara/contract/messages/conversations';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { setQueryData } from '../../lib/queries.ts';
import { press, renderScreen } from '../../testing/screen.tsx';
import { stubServer } from '../../testing/stub-server.ts';
import { MessageSettings } from './SettingsSections.tsx';

const server = stubServer();
afterEach(cleanup);

const line = `${conversations.updateSettings.method} ${conversations.updateSettings.path}`;
const settings: ChatSettings = { messagesFrom: 'everyone', showReadMarks: true, showLastSeen: true };

test('a choice that follows at once is stored as well, after the one before', async () => {
  setQueryData(conversations.settings, {}, settings);
  await renderScreen(<MessageSettings />);
  const user = userEvent.setup();
  const boxes = () => screen.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).checked);
  server.answer(line, 200, { ...settings, showReadMarks: false });
  server.hold([line]);
  await press(user, /^Read marks/, 'checkbox');
  await press(user, /^Last seen/, 'checkbox');
  expect(boxes()).toEqual([false, false]);
  await vi.waitFor(() => expect(server.requests).toEqual([{ line, body: { showReadMarks: false } }]));
  server.answer(line, 200, { ...settings, showReadMarks: false, showLastSeen: false });
  server.release();
  await vi.waitFor(() =>
    expect(server.requests.map(({ body }) => body)).toEqual([
      { showReadMarks: false },
      { showLastSeen: false },
    ]),
  );
  await screen.findByText('Your choice was saved.');
  expect(boxes()).toEqual([false, false]);
});
