import { countLimit } from '../limits.ts';
import { type DeclineReason, declineReasons } from '../members/verification-declines.ts';
import { type MemberEvent, type MemberText, security, social, urgentAccount } from './event.ts';
import { amountIn, type MemberFacts } from './facts.ts';

const isDeclineReason = (reason: string | undefined): reason is DeclineReason =>
  reason !== undefined && reason in declineReasons;

const newPassword = 'If it was not you, set a new password now, which signs out every other device.';

/** 'Ben', 'Ben and one other', 'Ben and 4 others'. */
const actors = ({ actor, others }: MemberFacts) => {
  if (others === 0) return actor;
  if (others === 1) return `${actor} and one other`;
  return `${actor} and ${others < countLimit ? others : `more than ${countLimit - 1}`} others`;
};

/** Likes of one record are one notification, which names how many there are by now. */
const liked =
  (what: string, page: string) =>
  (facts: MemberFacts): MemberText => ({
    title: `${actors(facts)} liked your ${what}`,
    text: '',
    button: `See your ${what}`,
    link: `${page}/${facts.recordId}`,
  });

/** What an admin did with a reported record or its member. */
const sanctions: Readonly<Record<string, string>> = {
  remove: 'removed something of yours',
  warn: 'sent you a warning',
  suspend: 'suspended your account',
  ban: 'closed your account',
};

/** What a member is notified of beside requests. */
export const memberEvents = {
  verificationAccepted: {
    ...urgentAccount,
    member: () => ({
      title: 'You are verified on Tara',
      text: 'An admin compared your documents. Others see the mark beside your name now, and you can create plans and request those of others.',
      button: 'Find a plan',
      link: '/explore',
      otherwise: 'You get this email because you asked Tara to verify who you are.',
    }),
  },
  verificationDeclined: {
    ...urgentAccount,
    member: ({ details: { reason, note } }) => {
      const reasonText = declineReasons[isDeclineReason(reason) ? reason : 'other'].text;
      return {
        title: 'Your verification on Tara needs another try',
        text: note ? `${reasonText} The admin writes: “${note}”` : reasonText,
        button: 'Send a new request',
        link: '/verifying-identity',
        otherwise: 'You get this email because you asked Tara to verify who you are.',
      };
    },
  },
  messageRequest: {
    ...social,
    group: 'messages',
    member: ({ actor }) => ({
      title: `${actor} would like to chat with you`,
      text: 'Read the message, and accept the chat or ignore it.',
      button: 'Read the message',
      link: '/chats?show=requests',
    }),
  },
  conversationExpiring: {
    ...social,
    group: 'messages',
    member: ({ actor, recordId, details }) => ({
      title: `Your chat with ${actor} ends soon`,
      text: 'It stays open for good once one of you pays for a plan of the other.',
      button: 'Open the chat',
      link: `/chats/${recordId}?mixId=${encodeURIComponent(details.mixId ?? '')}`,
    }),
  },
  review: {
    ...social,
    member: ({ actor, recordId, details }) => ({
      title: `${actor} reviewed your plan ${details.title ?? ''}`.trim(),
      text: details.stars ? `${details.stars} of 10 stars.` : '',
      button: 'Read the review',
      link: `/review-details/${recordId}`,
    }),
  },
  comment: {
    ...social,
    member: ({ actor, details }) => ({
      title: `${actor} commented on ${details.side === 'owner' ? 'a review about you' : 'your review'}`,
      text: '',
      button: 'Read the comment',
      link: `/review-details/${details.reviewId}`,
    }),
  },
  postLiked: { ...social, member: liked('post', '/post') },
  reviewLiked: { ...social, member: liked('review', '/review-details') },
  reportDecided: {
    ...urgentAccount,
    urgency: 'normal',
    member: ({ details }) => ({
      title: 'An admin decided about your report',
      text:
        details.decision === 'dismiss'
          ? 'It does not break the rules of Tara. You can block or mute whom you do not want to see.'
          : 'Thank you: an admin acted on it.',
      button: 'See the safety page',
      link: '/safety',
    }),
  },
  /** To the member whom an admin's decision is about. */
  sanctioned: {
    ...urgentAccount,
    member: ({ details }) => ({
      title: `An admin ${sanctions[details.decision ?? ''] ?? 'decided about you'}`,
      text:
        details.decision === 'suspend'
          ? `Until ${details.until} you can read, and end what is open.`
          : details.note || 'It was reported, and it breaks the rules of Tara.',
      button: 'See the safety page',
      link: '/safety',
    }),
  },
  signedIn: {
    ...security,
    member: ({ details }) => ({
      title: 'A new device signed in to your account',
      text: `Somebody, we hope you, signed in to Tara on a device that we do not know${
        details.device ? `: ${details.device}` : ''
      }.`,
      button: 'See my devices',
      link: '/settings',
      otherwise: newPassword,
    }),
  },
  emailChanging: {
    ...security,
    member: ({ details }) => ({
      title: 'Your email for Tara is about to change',
      text: `Somebody, we hope you, asked to sign in to your Tara account with ${details.email ?? 'another email'} from now on. Until that email is confirmed, this one stays.`,
      button: 'See my settings',
      link: '/settings',
      otherwise:
        'If it was not you, set a new password now: it stops the change and signs out every other device.',
    }),
  },
  /** Mailed to the email of before. */
  emailChanged: {
    ...security,
    member: () => ({
      title: 'Your email for Tara changed',
      text: 'You sign in to Tara with your new email from now on.',
      button: 'See my settings',
      link: '/settings',
      otherwise: 'If it was not you, write to who runs this Tara: somebody else uses your account.',
    }),
  },
  phoneChanged: {
    ...security,
    member: ({ details }) => ({
      title: details.isRemoved ? 'Your phone number was removed' : 'Your phone number for Tara changed',
      text: details.isRemoved
        ? 'The phone number with which you could sign in was removed from your account.'
        : 'The phone number with which you can sign in to Tara was changed.',
      button: 'See my settings',
      link: '/settings',
      otherwise: newPassword,
    }),
  },
  identityAdded: {
    ...security,
    member: ({ details: { provider = 'another provider' } }) => ({
      title: `You can now sign in to Tara with ${provider}`,
      text: `Somebody, we hope you, signed in to your Tara account with ${provider}, which confirmed this email.`,
      button: 'See my settings',
      link: '/settings',
      otherwise: `If it was not you, somebody else uses your account at ${provider}: secure it there first, then set a new password here.`,
    }),
  },
  /** Tara closed a plan that is dearer than one payout carries. */
  planPriceAboveLimit: {
    ...urgentAccount,
    group: 'plans',
    member: ({ recordId, details }) => ({
      title: `Your plan ${details.title ?? ''} takes no new requests`,
      text: `A plan costs at most ${amountIn(details, 'limit')} now, which is what one payout carries. Requests that you have go on. Lower the price, then open the plan again.`,
      button: 'Change the plan',
      link: `/update-plan/${recordId}`,
    }),
  },
  secondFactorAdded: {
    ...security,
    member: () => ({
      title: 'A second factor was set up for your Tara account',
      text: 'Somebody, we hope you, set up an authenticator app, whose codes open the pages of admins from now on.',
      button: 'See my second factor',
      link: '/second-factor',
      otherwise:
        'If it was not you, somebody else knows your password: set a new one now, and have the second factor reset by who runs the server.',
    }),
  },
  payoutNumberChanged: {
    ...security,
    member: ({ details }) => ({
      title: 'Your phone number for payouts changed',
      text: `The phone number that receives your payouts was changed. Payouts wait until ${details.from} (Philippine time), then they go to the new number.`,
      button: 'See my phone number',
      link: '/update-profile?tab=info',
      otherwise:
        'If it was not you, set a new password now, which signs out every other device, and put your number right.',
    }),
  },
  exportReady: {
    ...security,
    member: ({ details }) => ({
      title: 'Your data from Tara is ready',
      text: `You asked for your data. You can download it from your settings until ${details.until}; you need to be signed in.`,
      button: 'Go to my settings',
      link: '/settings',
      otherwise: newPassword,
    }),
  },
  leaving: {
    ...security,
    member: ({ details }) => ({
      title: 'Your Tara account will be deleted',
      text: `Your account is hidden now, and it will be deleted on ${details.on}. Until then you can sign in and keep it.`,
      button: 'Keep my account',
      link: '/leaving',
      otherwise: 'If it was not you, keep your account and set a new password.',
    }),
  },
} as const satisfies Record<string, MemberEvent>;
