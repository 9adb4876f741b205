import { creatorShare, type NoticeFacts, type NoticeMail, type NoticeText } from './text.ts';

/** The day and place, as far as they are known. */
const on = ({ day, place }: NoticeFacts['details']) =>
  `${day ? ` on ${day}` : ''}${place ? `, ${place}` : ''}`;

/** Another day, proposed to either party. */
const proposed =
  (other: 'client' | 'creator') =>
  (facts: NoticeFacts): NoticeMail => ({
    subject: `${facts[other]} proposes another day for ${facts.title}`,
    why: `${facts[other]} proposes to meet for '${facts.title}'${on(facts.details)}. Agree or decline; until you agree nothing changes.`,
    button: 'Answer the proposal',
    page: 'manager',
  });
const agreed =
  (other: 'client' | 'creator') =>
  (facts: NoticeFacts): NoticeMail => ({
    subject: `${facts[other]} agreed to your day for ${facts.title}`,
    why: `You meet for '${facts.title}'${on(facts.details)}.${
      other === 'client' && facts.price !== null && !facts.isPaid ? ` ${facts.client} pays next.` : ''
    }`,
    button: 'See the request',
    page: 'manager',
  });
const declinedDay =
  (other: 'client' | 'creator') =>
  (facts: NoticeFacts): NoticeMail => ({
    subject: `${facts[other]} cannot meet on another day`,
    why: `${facts[other]} declined to meet for '${facts.title}'${on(facts.details)}. You can propose another day.`,
    button: 'See the request',
    page: 'manager',
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
const ended = ({ title, client, creator, details }: NoticeFacts): string => {
  const reason = endReasons[details.reason ?? ''];
  return `The request of ${client} for '${title}' with ${creator} is cancelled${reason ? `: ${reason}` : ''}.${
    details.note ? ` They wrote: “${details.note}”.` : ''
  }`;
};

/** A free plan has no money to object about. */
const orProblem = (price: string | null) => (price === null ? '' : ', or say that there was a problem');

/** What is said of a request until its client calls the plan fulfilled: days, payment, and its end before. */
export const meetingTexts = {
  requested: {
    creator: ({ client, title, price, details }) => ({
      subject: `${client} sent a request for ${title}`,
      why: `${client} wants to join your plan '${title}'${on(details)}. ${
        price === null ? 'The plan is free.' : `When they pay, Tara holds ${price} until you have met.`
      } Accept if it suits you.`,
      button: 'See the request',
      page: 'friendRequest',
    }),
  },
  paid: {
    line: ({ price }) =>
      price === null
        ? 'This plan is free. You can agree here on when and where to meet.'
        : `The client paid ${price}. Tara holds the money until an admin confirms the plan.`,
    client: ({ title, creator, price }) =>
      price === null
        ? null
        : {
            subject: `We received ${price} for ${title}`,
            why: `You paid ${price} for '${title}' with ${creator}. Tara holds the money until you have met and an admin confirmed the plan.`,
            button: 'Open your requests',
            page: 'chat',
          },
    creator: ({ title, client, price }) =>
      price === null
        ? null
        : {
            subject: `${client} paid for ${title}`,
            why: `${client} paid ${price} for '${title}'. Tara holds the money until you have met and an admin confirmed the plan.`,
            button: 'See the request',
            page: 'chat',
          },
  },
  accepted: {
    line: () => 'The creator accepted the request.',
    client: ({ title, creator, price, isPaid, details }) => ({
      subject: `${creator} accepted your request`,
      why: `${creator} accepted your request for '${title}'${on(details)}. ${
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
    line: ({ details }) => `Proposed: to meet${on(details)}. The other one answers in Plan Manager.`,
    client: proposed('creator'),
    creator: proposed('client'),
  },
  /** The client changed the own proposal before the creator accepted. */
  dayChanged: {
    line: ({ details }) => `The client wants to meet${on(details)}.`,
    creator: ({ title, client, details }) => ({
      subject: `${client} changed the day for ${title}`,
      why: `${client} now wants to meet for '${title}'${on(details)}. Accept if it suits you.`,
      button: 'See the request',
      page: 'friendRequest',
    }),
  },
  dayAgreed: {
    line: ({ details }) => `Agreed: you meet${on(details)}.`,
    client: agreed('creator'),
    creator: agreed('client'),
  },
  dayDeclined: {
    line: () => 'The proposed day was declined.',
    client: declinedDay('creator'),
    creator: declinedDay('client'),
  },
  creatorMet: {
    client: ({ title, creator, price }) => ({
      subject: `${creator} says that you met`,
      why: `${creator} says that you met for '${title}'. Please mark the plan as fulfilled${orProblem(price)}.`,
      button: 'Answer',
      page: 'chat',
    }),
  },
  cancelled: {
    line: ({ price, isPaid, details }) =>
      `The request is cancelled${details.reason ? `: ${endReasons[details.reason] ?? 'it ended'}` : ''}.${
        price === null || !isPaid ? '' : ` ${price} goes back to the client.`
      }`,
    client: (facts) => ({
      subject: `Your request for ${facts.title} is cancelled`,
      why: `${ended(facts)} ${
        facts.price === null || !facts.isPaid ? 'Nothing was paid.' : `${facts.price} goes back to you.`
      }`,
      button: 'See your history',
      page: 'history',
    }),
    creator: (facts) => ({
      subject: `The request of ${facts.client} is cancelled`,
      why: `${ended(facts)}${facts.price !== null && facts.isPaid ? ` ${facts.price} goes back to ${facts.client}.` : ''}`,
      button: 'See your history',
      page: 'history',
    }),
  },
  /** A day or more after the plan's day: how was it? */
  reminder: {
    line: ({ price }) =>
      `How was it? The client can mark the plan as fulfilled${orProblem(price)}.${
        price === null ? '' : ' A week after the day an admin decides.'
      }`,
    client: ({ title, creator, price }) => ({
      subject: `Did you meet ${creator}?`,
      why: `The day of your plan '${title}' with ${creator} has passed. Please mark it as fulfilled${orProblem(price)}.${
        price === null ? '' : ` Until then Tara holds ${price}; a week after the day an admin decides.`
      }`,
      button: 'Answer',
      page: 'chat',
    }),
  },
  fulfilled: {
    line: () => 'The client says that the plan is fulfilled. An admin confirms it next.',
    creator: ({ title, client, price, details }) => ({
      subject: `${client} says that you met`,
      why: `${client} marked '${title}' as fulfilled. An admin confirms it next${
        price === null ? '.' : `, then ${creatorShare({ details }) ?? price} goes to you.`
      }`,
      button: 'Open the plan chat',
      page: 'chat',
    }),
  },
} as const satisfies Record<string, NoticeText>;
