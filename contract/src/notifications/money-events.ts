import { type RequestEvent, type RequestText, urgentMoney } from './event.ts';
import { amountIn, creatorShare, type Details, type RequestFacts } from './facts.ts';

/** Where the money of a decided request goes. */
function parts(facts: RequestFacts, client: string, creator: string): string {
  const released = creatorShare(facts) ?? amountIn(facts.details, 'released');
  const refunded = amountIn(facts.details, 'refunded');
  return [
    ...(released === null ? [] : [`${released} goes to ${creator}`]),
    ...(refunded === null ? [] : [`${refunded} goes back to ${client}`]),
  ].join(' and ');
}

/** What the client still gets beside what the card issuer gave back. */
function refundRest(details: Details): string {
  const rest = amountIn(details, 'rest');
  return rest === null ? 'Nothing more is refunded for it.' : `We refund the rest, ${rest}.`;
}

/** In what way a payment came too late. */
function lateness({ paymentId, taken }: Details): string {
  if (paymentId) return 'a second time';
  return taken ? 'after its time was given to somebody else' : 'after the request had ended';
}

/** What the admin wrote with a decision. */
const because = ({ details: { note } }: RequestFacts) => (note ? ` The reason: ${note}` : '');

/** Where a request is: among the open ones, or with `isOver` in the history. */
const requestPage = ({ isOver }: Details): Pick<RequestText, 'button' | 'page'> =>
  isOver ? { button: 'See your history', page: 'history' } : { button: 'See your requests', page: 'manager' };

/** What is said of disputes, decisions, payouts and refunds. With `paymentId` it is about a payment that came a second time, which is none of the request's. */
export const moneyEvents = {
  /** A payment that goes back by itself: a second one, or one for a request that was over, or whose time is `taken`. */
  paidTooLate: {
    ...urgentMoney,
    client: ({ title, price, details }) => ({
      title: `Your ${details.paymentId ? 'second' : 'late'} payment for ${title} goes back to you`,
      text: `We received ${amountIn(details, 'amount') ?? price ?? 'your money'} for '${title}' ${lateness(details)}. It goes back to you.`,
      button: 'See the confirmation',
      page: 'payment',
    }),
  },
  /** A card issuer disputes the payment: nothing of the request's money moves until it decides. */
  paymentFrozen: {
    ...urgentMoney,
    line: () => 'A card issuer disputes the payment. Nothing of it is paid out or refunded until it decides.',
    client: ({ title, details }) => ({
      title: `The money for ${title} waits for your card issuer`,
      text: `Your card issuer disputes ${amountIn(details, 'amount') ?? 'the payment'} for '${title}'. Nothing of it is paid out or refunded until it decides. If you did not want that, tell your card issuer that the payment is right.`,
      ...requestPage(details),
    }),
    creator: ({ title, client, details }) => ({
      title: `The money for ${title} waits for a card issuer`,
      text: `The card issuer of ${client} disputes ${amountIn(details, 'amount') ?? 'the payment'} for '${title}'. Nothing of it is paid out until it decides. Tara answers the issuer.`,
      ...requestPage(details),
    }),
  },
  /** No card issuer disputes the payment any more, and took nothing of it. */
  paymentUnfrozen: {
    ...urgentMoney,
    line: () => 'No card issuer disputes the payment any more. It goes on as before.',
    client: ({ title, details }) => ({
      title: `The money for ${title} waits no more`,
      text: `Your card issuer does not dispute the payment for '${title}' any more. It goes on as before.`,
      ...requestPage(details),
    }),
    creator: ({ title, client, details }) => ({
      title: `The money for ${title} waits no more`,
      text: `The card issuer of ${client} does not dispute the payment for '${title}' any more. It goes on as before.`,
      ...requestPage(details),
    }),
  },
  /** `rest` is what we refund beside it, `underWay` a refund that had left before, `earned` what is left of the payout, `taken` what the issuer took of the payout. */
  chargedBack: {
    ...urgentMoney,
    line: ({ details }) =>
      details.paymentId
        ? null
        : `The card issuer of the client took ${amountIn(details, 'amount') ?? 'the money'} back.`,
    client: ({ title, details }) => {
      const underWay = amountIn(details, 'underWay');
      const rest = underWay === null ? refundRest(details) : `A refund of ${underWay} was on its way before.`;
      if (details.paymentId)
        return {
          title: `Your card issuer took back your second payment for ${title}`,
          text: `Your card issuer gave you ${amountIn(details, 'amount') ?? 'the money'} of your second payment for '${title}' back. ${rest} Your request stays as it is.`,
          button: 'See the confirmation',
          page: 'payment',
        };
      return {
        title: `Your card issuer took back the money for ${title}`,
        text: `Your card issuer gave you ${amountIn(details, 'amount') ?? 'the money'} for '${title}' back. ${rest}`,
        button: 'See your history',
        page: 'history',
      };
    },
    creator: ({ title, client, details }) => {
      const earned = amountIn(details, 'earned');
      const taken = amountIn(details, 'taken');
      return earned === null
        ? {
            title: `The money for ${title} was taken back`,
            text: `The card issuer of ${client} took back the money for '${title}' before it was paid out. Nothing of it can be paid out.`,
            button: 'See your history',
            page: 'history',
          }
        : {
            title: `The card issuer took back money for ${title}`,
            text: `The card issuer of ${client} took back ${amountIn(details, 'amount') ?? 'a part'} for '${title}'. ${
              taken === null
                ? `Your payout of ${earned} stays yours: Tara bears the loss.`
                : `${taken} of it was taken from your payout. You keep ${earned}.`
            }`,
            button: 'See your history',
            page: 'history',
          };
    },
  },
  /** The card issuer gave `amount` of a refund back that did not arrive; `rest` is what we still refund. */
  refundCovered: {
    ...urgentMoney,
    client: ({ title, details }) => ({
      title: `Your refund for ${title} came from your card issuer`,
      text: `Your card issuer gave you ${amountIn(details, 'amount') ?? 'the money'} of your refund for '${title}' back. ${refundRest(details)}`,
      ...(details.paymentId
        ? { button: 'See the confirmation', page: 'payment' }
        : { button: 'See your history', page: 'history' }),
    }),
  },
  /**
   * An admin corrected a dispute that was booked for the wrong payment: `covered` of what the issuer gave back is refunded no more and `rest`
   * still is, `taken` comes off the payout and `earned` is left. With `hasEnded` what the issuer took ends the request.
   */
  chargebackCorrected: {
    ...urgentMoney,
    line: ({ details }) =>
      details.hasEnded ? 'What the card issuer of the client took back ends the plan.' : null,
    client: ({ title, details }) => ({
      title: `A card dispute about ${title} was corrected`,
      text: `We had booked another card dispute for your ${details.paymentId ? 'second ' : ''}payment of '${title}' by mistake. ${
        details.hasEnded
          ? 'Without it, what your card issuer gave you back ends the plan.'
          : `Without it, ${amountIn(details, 'covered') ?? 'a part'} of what your card issuer gave you back was your refund.`
      } ${refundRest(details)}`,
      ...(details.paymentId
        ? { button: 'See the confirmation', page: 'payment' }
        : { button: 'See your history', page: 'history' }),
    }),
    creator: ({ title, client, details }) => {
      const earned = amountIn(details, 'earned');
      return {
        title: `A card dispute about ${title} was corrected`,
        text: `We had booked another card dispute for '${title}' by mistake. ${
          details.hasEnded
            ? `Without it, what the card issuer of ${client} took back ends the plan. Nothing of it can be paid out.`
            : `Without it, what the card issuer of ${client} took back was ${amountIn(details, 'taken') ?? 'a part'} of your payout. ${
                earned === null ? 'Nothing of it is left.' : `You keep ${earned}.`
              }`
        }`,
        button: 'See your history',
        page: 'history',
      };
    },
  },
  disputed: {
    ...urgentMoney,
    line: () => 'The client says that there was a problem. The creator can answer, then an admin decides.',
    client: ({ title, creator, price }) => ({
      title: `An admin looks at your plan ${title}`,
      text: `You said that there was a problem with '${title}' by ${creator}. Tara holds ${price ?? 'the money'} until an admin decides.`,
      button: 'See the dispute',
      page: 'dispute',
    }),
    creator: ({ title, client, price }) => ({
      title: `${client} says that there was a problem`,
      text: `${client} opened a dispute about '${title}'. Read what they say and answer. Tara holds ${price ?? 'the money'} until an admin decides.`,
      button: 'Answer',
      page: 'dispute',
    }),
  },
  disputeAnswered: {
    ...urgentMoney,
    line: () => 'The creator answered the dispute. An admin decides next.',
    client: ({ title, creator }) => ({
      title: `${creator} answered your dispute`,
      text: `${creator} answered what you said about '${title}'. An admin decides next.`,
      button: 'Read the answer',
      page: 'dispute',
    }),
  },
  decided: {
    ...urgentMoney,
    line: (facts) => `An admin decided: ${parts(facts, 'the client', 'the creator')}.`,
    client: (facts) => ({
      title: `An admin decided about ${facts.title}`,
      text: `An admin decided about '${facts.title}' with ${facts.creator}: ${parts(facts, 'you', facts.creator)}.${because(facts)}`,
      button: 'See the decision',
      page: 'dispute',
    }),
    creator: (facts) => ({
      title: `An admin decided about ${facts.title}`,
      text: `An admin decided about '${facts.title}' with ${facts.client}: ${parts(facts, facts.client, 'you')}.${because(facts)}`,
      button: 'See the decision',
      page: 'dispute',
    }),
  },
  confirmed: {
    ...urgentMoney,
    line: (facts) =>
      facts.price === null
        ? 'An admin confirmed the plan.'
        : `An admin confirmed the plan. ${creatorShare(facts) ?? facts.price} goes to the creator.`,
    client: ({ title, creator }) => ({
      title: `${title} is confirmed`,
      text: `An admin confirmed your plan '${title}' with ${creator}. You can now write a review.`,
      button: 'Write a review',
      page: 'history',
    }),
    creator: ({ title, client, price, details }) => ({
      title: `${title} is confirmed`,
      text: `An admin confirmed your plan '${title}' with ${client}.${
        price === null
          ? ''
          : ` ${creatorShare({ details }) ?? price} goes to the phone number in your profile.`
      }`,
      button: 'See your history',
      page: 'history',
    }),
  },
  payoutSent: {
    ...urgentMoney,
    urgency: 'normal',
    creator: ({ title, price, details }) => ({
      title: `Your payout for ${title} is on its way`,
      text: `We sent ${amountIn(details, 'amount') ?? price ?? 'your money'} for '${title}' to the phone number in your profile. We tell you when it arrived.`,
      button: 'See your history',
      page: 'history',
    }),
  },
  paidOut: {
    ...urgentMoney,
    creator: ({ title, price, details }) => ({
      title: `Your payout for ${title} arrived`,
      text: `We sent ${amountIn(details, 'amount') ?? price ?? 'your money'} for '${title}' to the phone number in your profile, and it arrived.`,
      button: 'See the confirmation',
      page: 'payout',
    }),
  },
  /** The payout waits: the profile's field holds no mobile number. */
  payoutNumber: {
    ...urgentMoney,
    creator: ({ title, details }) => {
      const amount = amountIn(details, 'amount') ?? 'Your money';
      return {
        title: `${amount} for ${title} waits for your GCash number`,
        text: `${amount} for '${title}' is yours. We pay it to a GCash wallet: write its Philippine mobile number into your profile.`,
        button: 'Name your number',
        page: 'payoutNumber',
      };
    },
  },
  payoutRefused: {
    ...urgentMoney,
    creator: ({ title }) => ({
      title: `Your payout for ${title} was refused`,
      text: `The GCash wallet in your profile did not take your payout for '${title}'. Check its number: we go on trying. A changed number is used after 24 hours.`,
      button: 'Check your number',
      page: 'payoutNumber',
    }),
  },
  refundNumber: {
    ...urgentMoney,
    client: ({ title }) => ({
      title: `Name a number for your refund of ${title}`,
      text: `The way you paid for '${title}' takes no refund, or the number you named did not. Name a GCash number, and we send your money there.`,
      button: 'Name the number',
      page: 'history',
    }),
  },
  refunded: {
    ...urgentMoney,
    line: ({ price, details }) =>
      details.paymentId
        ? null
        : `The client has ${amountIn(details, 'amount') ?? price ?? 'the money'} back.`,
    client: ({ title, price, details }) => ({
      title: `Your ${details.paymentId ? 'second payment' : 'money'} for ${title} is on its way back`,
      text: `We gave ${details.paymentId ? 'your second payment of ' : ''}${amountIn(details, 'amount') ?? price ?? 'your money'} for '${title}' back ${
        details.way === 'transfer'
          ? 'to the GCash number that you named.'
          : 'the way you paid. Your bank or wallet can take some days to show it.'
      }`,
      button: 'See the confirmation',
      page: 'refund',
    }),
  },
} as const satisfies Record<string, RequestEvent>;
