import { describeScreen, guestsSignIn } from '../../testing/screen.tsx';

const placeholder = { none: 'It shows nothing of its own yet.' };

describeScreen('/_main/chats/$id', {
  path: '/chats/Ben',
  loading: placeholder,
  error: placeholder,
  full: { shows: [['heading', 'Conversation'], 'No messages.'] },
  empty: placeholder,
  longTexts: placeholder,
  forbidden: guestsSignIn,
});
