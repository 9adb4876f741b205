import type { PublicPageName } from '@tara/contract/public-pages';
import { publicPages } from '@tara/contract/public-pages';
import { sampleSession } from '../../testing/samples.ts';
import { describeScreen } from '../../testing/screen.tsx';

const readsNothing = { none: 'It reads nothing.' };

const states = (name: PublicPageName, sentence: RegExp) => ({
  path: `/${name}`,
  viewer: null,
  loading: readsNothing,
  error: readsNothing,
  full: {
    shows: [
      ['heading', publicPages[name].title] as [string, string],
      sentence,
      ['link', 'Tara, home'] as [string, string],
      ['link', 'Meeting safely'] as [string, string],
      ['link', 'Terms'] as [string, string],
      ['link', 'Privacy'] as [string, string],
    ],
  },
  empty: readsNothing,
  longTexts: { none: 'Its texts are its own.' },
  forbidden: { none: 'Everybody may read it.' },
  more: {
    'a member': {
      viewer: sampleSession('Ana'),
      shows: [['heading', publicPages[name].title] as [string, string]],
    },
  },
});

describeScreen('/safety', states('safety', /call 911/));
describeScreen('/terms', states('terms', /You have to be at least 18 years old/));
describeScreen('/privacy', states('privacy', /Pictures of your ID are encrypted/));
