import { describeScreen, guestsSignIn } from '../../testing/screen.tsx';

const placeholder = { none: 'It shows nothing of its own yet.' };

describeScreen('/_main/chats/', {
  path: '/chats',
  loading: placeholder,
  error: placeholder,
  full: { shows: [['heading', 'Messages'], 'No Chats', ['link', 'Go to Plan Manager']] },
  empty: placeholder,
  longTexts: placeholder,
  forbidden: guestsSignIn,
});
