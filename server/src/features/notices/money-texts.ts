import { amountIn, creatorShare, type NoticeFacts, type NoticeText } from './text.ts';

/** Where the money of a decided request goes. */
function parts(facts: NoticeFacts, client: string, creator: string): string {
  const released = creatorShare(facts) ?? amountIn(facts.details, 'released');
  const refunded = amountIn(facts.details, 'refunded');
  return [
    ...(released === null ? [] : [`${released} goes to ${creator}`]),
    ...(refunded === null ? [] : [`${refunded} goes back to ${client}`]),
  ].join(' and ');
}

/** What the admin wrote with a decision. */
const because = ({ details: { note } }: NoticeFacts) => (note ? ` The reason: ${note}` : '');

/** What is said of disputes, decisions, payouts and refunds. */
export const moneyTexts = {
  /** `rest` is what we refund beside it, `earned` what is left of the payout. */
  chargedBack: {
    line: ({ details }) =>
      `The card issuer of the client took ${amountIn(details, 'amount') ?? 'the money'} back.`,
    client: ({ title, details }) => {
      const rest = amountIn(details, 'rest');
      return {
        subject: `Your card issuer took back the money for ${title}`,
        why: `Your card issuer gave you ${amountIn(details, 'amount') ?? 'the money'} for '${title}' back. ${
          rest === null ? 'Nothing more is refunded for it.' : `We refund the rest, ${rest}.`
        }`,
        button: 'See your history',
        page: 'history',
      };
    },
    creator: ({ title, client, details }) => {
      const earned = amountIn(details, 'earned');
      return earned === null
        ? {
            subject: `The money for ${title} was taken back`,
            why: `The card issuer of ${client} took back the money for '${title}' before it was paid out. Nothing of it can be paid out.`,
            button: 'See your history',
            page: 'history',
          }
        : {
            subject: `A part of the money for ${title} was taken back`,
            why: `The card issuer of ${client} took back ${amountIn(details, 'amount') ?? 'a part'} of the money for '${title}'. ${earned} of it stays yours.`,
            button: 'See your history',
            page: 'history',
          };
    },
  },
  disputed: {
    line: () => 'The client says that there was a problem. The creator can answer, then an admin decides.',
    client: ({ title, creator, price }) => ({
      subject: `An admin looks at your plan ${title}`,
      why: `You said that there was a problem with '${title}' by ${creator}. Tara holds ${price ?? 'the money'} until an admin decides.`,
      button: 'See the dispute',
      page: 'dispute',
    }),
    creator: ({ title, client, price }) => ({
      subject: `${client} says that there was a problem`,
      why: `${client} opened a dispute about '${title}'. Read what they say and answer. Tara holds ${price ?? 'the money'} until an admin decides.`,
      button: 'Answer',
      page: 'dispute',
    }),
  },
  disputeAnswered: {
    line: () => 'The creator answered the dispute. An admin decides next.',
    client: ({ title, creator }) => ({
      subject: `${creator} answered your dispute`,
      why: `${creator} answered what you said about '${title}'. An admin decides next.`,
      button: 'Read the answer',
      page: 'dispute',
    }),
  },
  decided: {
    line: (facts) => `An admin decided: ${parts(facts, 'the client', 'the creator')}.`,
    client: (facts) => ({
      subject: `An admin decided about ${facts.title}`,
      why: `An admin decided about '${facts.title}' with ${facts.creator}: ${parts(facts, 'you', facts.creator)}.${because(facts)}`,
      button: 'See the decision',
      page: 'dispute',
    }),
    creator: (facts) => ({
      subject: `An admin decided about ${facts.title}`,
      why: `An admin decided about '${facts.title}' with ${facts.client}: ${parts(facts, facts.client, 'you')}.${because(facts)}`,
      button: 'See the decision',
      page: 'dispute',
    }),
  },
  confirmed: {
    line: (facts) =>
      facts.price === null
        ? 'An admin confirmed the plan.'
        : `An admin confirmed the plan. ${creatorShare(facts) ?? facts.price} goes to the creator.`,
    client: ({ title, creator }) => ({
      subject: `${title} is confirmed`,
      why: `An admin confirmed your plan '${title}' with ${creator}. You can now write a review.`,
      button: 'Write a review',
      page: 'history',
    }),
    creator: ({ title, client, price, details }) => ({
      subject: `${title} is confirmed`,
      why: `An admin confirmed your plan '${title}' with ${client}.${
        price === null
          ? ''
          : ` ${creatorShare({ details }) ?? price} goes to the phone number in your profile.`
      }`,
      button: 'See your history',
      page: 'history',
    }),
  },
  paidOut: {
    creator: ({ title, price, details }) => ({
      subject: `Your payout for ${title} arrived`,
      why: `We sent ${amountIn(details, 'amount') ?? price ?? 'your money'} for '${title}' to the phone number in your profile, and it arrived.`,
      button: 'See your history',
      page: 'history',
    }),
  },
  /** The payout waits: the profile's field holds no mobile number. */
  payoutNumber: {
    creator: ({ title, details }) => {
      const amount = amountIn(details, 'amount') ?? 'Your money';
      return {
        subject: `${amount} for ${title} waits for your GCash number`,
        why: `${amount} for '${title}' is yours. We pay it to a GCash wallet: write its Philippine mobile number into your profile.`,
        button: 'Name your number',
        page: 'payoutNumber',
      };
    },
  },
  payoutRefused: {
    creator: ({ title }) => ({
      subject: `Your payout for ${title} was refused`,
      why: `The GCash wallet in your profile did not take your payout for '${title}'. Check its number: we try again within an hour.`,
      button: 'Check your number',
      page: 'payoutNumber',
    }),
  },
  refundNumber: {
    client: ({ title }) => ({
      subject: `Name a number for your refund of ${title}`,
      why: `The way you paid for '${title}' takes no refund, or the number you named did not. Name a GCash number, and we send your money there.`,
      button: 'Name the number',
      page: 'history',
    }),
  },
  refunded: {
    line: ({ price, details }) =>
      `The client has ${amountIn(details, 'amount') ?? price ?? 'the money'} back.`,
    client: ({ title, price, details }) => ({
      subject: `Your money for ${title} is on its way back`,
      why: `We gave ${amountIn(details, 'amount') ?? price ?? 'your money'} for '${title}' back ${
        details.way === 'transfer'
          ? 'to the GCash number that you named.'
          : 'the way you paid. Your bank or wallet can take some days to show it.'
      }`,
      button: 'See your history',
      page: 'history',
    }),
  },
} as const satisfies Record<string, NoticeText>;
