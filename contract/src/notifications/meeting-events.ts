import {
  lineAlone,
  type RequestEvent,
  type RequestText,
  untilAccepted,
  untilFulfilled,
  urgentPlan,
} from './event.ts';
import { creatorShare, type RequestFacts } from './facts.ts';

/** The day and place, as far as they are known. */
const on = ({ day, place }: RequestFacts['details']) =>
  `${day ? ` on ${day}` : ''}${place ? `, ${place}` : ''}`;

/** Another day, proposed to either party. */
const proposed =
  (other: 'client' | 'creator') =>
  (facts: RequestFacts): RequestText => ({
    title: `${facts[other]} proposes another day for ${facts.title}`,
    text: `${facts[other]} proposes to meet for '${facts.title}'${on(facts.details)}. Agree or decline; until you agree nothing changes.`,
    button: 'Answer the proposal',
    page: 'manager',
  });
const agreed =
  (other: 'client' | 'creator') =>
  (facts: RequestFacts): RequestText => ({
    title: `${facts[other]} agreed to your day for ${facts.title}`,
    text: `You meet for '${facts.title}'${on(facts.details)}.${
      other === 'client' && facts.price !== null && !facts.isPaid ? ` ${facts.client} pays next.` : ''
    }`,
    button: 'See the request',
    page: 'manager',
  });
const declinedDay =
  (other: 'client' | 'creator') =>
  (facts: RequestFacts): RequestText => ({
    title: `${facts[other]} cannot meet on another day`,
    text: `${facts[other]} declined to meet for '${facts.title}'${on(facts.details)}. You can propose another day.`,
    button: 'See the request',
    page: 'manager',
  });

/** Soon, with the other party. */
const upcoming =
  (other: 'client' | 'creator') =>
  (facts: RequestFacts): RequestText => ({
    title: `You meet ${facts[other]} soon`,
    text: `You meet ${facts[other]} for '${facts.title}'${on(facts.details)}.`,
    button: 'Open the plan chat',
    page: 'chat',
  });
/** The client did not say in time whether the two met. */
const unanswered =
  (other: 'client' | 'creator') =>
  (facts: RequestFacts): RequestText => ({
    title: `An admin looks at ${facts.title}`,
    text: `A week ago was the day of '${facts.title}' with ${facts[other]}, and nobody said how it was. An admin decides where the money goes.`,
    button: 'Open the plan chat',
    page: 'chat',
  });

/** Why a request ended, after 'is cancelled:'. */
const endReasons: Readonly<Record<string, string>> = {
  withdrawn: 'the client withdrew it',
  declined: 'the creator declined it',
  cancelled: 'the creator cancelled it',
  unpaid: 'it was not paid in time',
  unanswered: 'it was not accepted within a week',
  time_taken: 'another request got this time first',
  removed: 'its creator can no longer use Tara',
  refunded: 'an admin refunded it',
};

/** That and why it ended, and what the other wrote with it. */
const ended = ({ title, client, creator, details }: RequestFacts): string => {
  const reason = endReasons[details.reason ?? ''];
  return `The request of ${client} for '${title}' with ${creator} is cancelled${reason ? `: ${reason}` : ''}.${
    details.note ? ` They wrote: “${details.note}”.` : ''
  }`;
};

/** A free plan has no money to object about. */
const orProblem = (price: string | null) => (price === null ? '' : ', or say that there was a problem');

const freeLine = 'This plan is free. You can agree here on when and where to meet.';

/** What is said of a request until its client calls the plan fulfilled: days, payment, and its end before. */
export const meetingEvents = {
  requested: {
    ...urgentPlan,
    asksIn: untilAccepted,
    creator: ({ client, title, price, details }) => ({
      title: `${client} sent a request for ${title}`,
      text: `${client} wants to join your plan '${title}'${on(details)}. ${
        price === null ? 'The plan is free.' : `When they pay, Tara holds ${price} until you have met.`
      } Accept if it suits you.`,
      button: 'See the request',
      page: 'friendRequest',
    }),
  },
  paid: {
    ...urgentPlan,
    line: ({ price }) =>
      price === null
        ? freeLine
        : `The client paid ${price}. Tara holds the money until an admin confirms the plan.`,
    client: ({ title, creator, price }) =>
      price === null
        ? null
        : {
            title: `We received ${price} for ${title}`,
            text: `You paid ${price} for '${title}' with ${creator}. Tara holds the money until you have met and an admin confirmed the plan. The confirmation has the number, the method and the terms that you accepted.`,
            button: 'See the confirmation',
            page: 'payment',
          },
    creator: ({ title, client, price }) =>
      price === null
        ? null
        : {
            title: `${client} paid for ${title}`,
            text: `${client} paid ${price} for '${title}'. Tara holds the money until you have met and an admin confirmed the plan.`,
            button: 'See the request',
            page: 'chat',
          },
  },
  /** A request for a free plan: nobody pays. */
  free: { ...lineAlone, line: () => freeLine },
  accepted: {
    ...urgentPlan,
    line: () => 'The creator accepted the request.',
    client: ({ title, creator, price, isPaid, details }) => ({
      title: `${creator} accepted your request`,
      text: `${creator} accepted your request for '${title}'${on(details)}. ${
        isPaid || price === null
          ? details.day === undefined
            ? 'Agree in the plan chat on when and where to meet.'
            : 'See you there.'
          : `Pay ${price} next: Tara holds the money until you have met.`
      }`,
      button: isPaid || price === null ? 'Open the plan chat' : 'Go to the payment',
      page: 'chat',
    }),
  },
  dayProposed: {
    ...urgentPlan,
    asksIn: untilFulfilled,
    line: ({ details }) => `Proposed: to meet${on(details)}. The other one answers in Plan Manager.`,
    client: proposed('creator'),
    creator: proposed('client'),
  },
  /** The client changed the own proposal before the creator accepted. */
  dayChanged: {
    ...urgentPlan,
    asksIn: untilAccepted,
    line: ({ details }) => `The client wants to meet${on(details)}.`,
    creator: ({ title, client, details }) => ({
      title: `${client} changed the day for ${title}`,
      text: `${client} now wants to meet for '${title}'${on(details)}. Accept if it suits you.`,
      button: 'See the request',
      page: 'friendRequest',
    }),
  },
  dayAgreed: {
    ...urgentPlan,
    line: ({ details }) => `Agreed: you meet${on(details)}.`,
    client: agreed('creator'),
    creator: agreed('client'),
  },
  dayDeclined: {
    ...urgentPlan,
    line: () => 'The proposed day was declined.',
    client: declinedDay('creator'),
    creator: declinedDay('client'),
  },
  creatorMet: {
    ...urgentPlan,
    asksIn: untilFulfilled,
    client: ({ title, creator, price }) => ({
      title: `${creator} says that you met`,
      text: `${creator} says that you met for '${title}'. Please mark the plan as fulfilled${orProblem(price)}.`,
      button: 'Answer',
      page: 'chat',
    }),
  },
  cancelled: {
    ...urgentPlan,
    line: ({ price, isPaid, details }) =>
      `The request is cancelled${details.reason ? `: ${endReasons[details.reason] ?? 'it ended'}` : ''}.${
        price === null || !isPaid ? '' : ` ${price} goes back to the client.`
      }`,
    client: (facts) => ({
      title:
        facts.details.reason === 'declined'
          ? `${facts.creator} declined your request for ${facts.title}`
          : `Your request for ${facts.title} is cancelled`,
      text: `${ended(facts)} ${
        facts.price === null || !facts.isPaid ? 'Nothing was paid.' : `${facts.price} goes back to you.`
      }`,
      button: 'See your history',
      page: 'history',
    }),
    creator: (facts) => ({
      title:
        facts.details.reason === 'withdrawn'
          ? `${facts.client} withdrew the request for ${facts.title}`
          : `The request of ${facts.client} is cancelled`,
      text: `${ended(facts)}${facts.price !== null && facts.isPaid ? ` ${facts.price} goes back to ${facts.client}.` : ''}`,
      button: 'See your history',
      page: 'history',
    }),
  },
  /** The day before they meet. */
  upcoming: {
    ...urgentPlan,
    asksIn: untilFulfilled,
    isNeverHeld: true,
    client: upcoming('creator'),
    creator: upcoming('client'),
  },
  /** A day or more after the plan's day: how was it? */
  reminder: {
    ...urgentPlan,
    asksIn: untilFulfilled,
    line: ({ price }) =>
      `How was it? The client can mark the plan as fulfilled${orProblem(price)}.${
        price === null ? '' : ' A week after the day an admin decides.'
      }`,
    client: ({ title, creator, price }) => ({
      title: `Did you meet ${creator}?`,
      text: `The day of your plan '${title}' with ${creator} has passed. Please mark it as fulfilled${orProblem(price)}.${
        price === null ? '' : ` Until then Tara holds ${price}; a week after the day an admin decides.`
      }`,
      button: 'Answer',
      page: 'chat',
    }),
  },
  fulfilled: {
    ...urgentPlan,
    line: () => 'The client says that the plan is fulfilled. An admin confirms it next.',
    creator: ({ title, client, price, details }) => ({
      title: `${client} says that you met`,
      text: `${client} marked '${title}' as fulfilled. An admin confirms it next${
        price === null ? '.' : `, then ${creatorShare({ details }) ?? price} goes to you.`
      }`,
      button: 'Open the plan chat',
      page: 'chat',
    }),
  },
  /** A paid request whose client said nothing for a week after the day. */
  noAnswer: {
    ...urgentPlan,
    client: unanswered('creator'),
    creator: unanswered('client'),
  },
} as const satisfies Record<string, RequestEvent>;
