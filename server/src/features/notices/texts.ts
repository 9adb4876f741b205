const pesos = new Intl.NumberFormat('en-PH', { style: 'currency', currency: 'PHP' });
export const formatPesos = (centavos: number) => pesos.format(centavos / 100);

/** What a text may say of its request. */
export interface NoticeFacts {
  /** The plan's title as requested, on one line. */
  title: string;
  /** With the currency; null for a free plan. */
  price: string | null;
  isPaid: boolean;
  /** Names of the parties. */
  client: string;
  creator: string;
  /** What the caller of `notify` gave; empty once a party deleted the account. */
  details: Readonly<Record<string, string>>;
}

/** An email about a request. */
export interface NoticeMail {
  subject: string;
  /** First line after the greeting. */
  why: string;
  button: string;
  /** Where the button leads. In place of a chat that is not open it is Plan Manager. */
  page:
    | 'manager'
    | 'friendRequest'
    | 'yourRequest'
    | 'pendingFriends'
    | 'chat'
    | 'dispute'
    | 'history'
    | 'payoutNumber';
}

/** What is said of an event; null: nothing. */
interface NoticeText {
  /** The line of Tara in the plan chat, which both parties read. */
  line?: (facts: NoticeFacts) => string | null;
  /** The email to each of the parties. */
  client?: (facts: NoticeFacts) => NoticeMail | null;
  creator?: (facts: NoticeFacts) => NoticeMail | null;
}

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
/** An amount among the details, in centavos; null when it is missing or 0. */
const amountIn = (details: NoticeFacts['details'], name: string): string | null =>
  Number(details[name] ?? 0) > 0 ? formatPesos(Number(details[name])) : null;

/** Where the money of a decided request goes. */
function parts(facts: NoticeFacts, client: string, creator: string): string {
  const released = amountIn(facts.details, 'released');
  const refunded = amountIn(facts.details, 'refunded');
  return [
    ...(released === null ? [] : [`${released} goes to ${creator}`]),
    ...(refunded === null ? [] : [`${refunded} goes back to ${client}`]),
  ].join(' and ');
}

/** What the admin wrote with a decision. */
const because = ({ details: { note } }: NoticeFacts) => (note ? ` The reason: ${note}` : '');

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

/** Every event of a request that its parties are told of. A new event is a row here and a call of `notify`. */
export const noticeTexts = {
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
    client: ({ title, creator }) => ({
      subject: `${creator} says that you met`,
      why: `${creator} says that you met for '${title}'. Please mark the plan as fulfilled, or say that there was a problem.`,
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
    line: () =>
      'How was it? The client can mark the plan as fulfilled, or say that there was a problem. A week after the day an admin decides.',
    client: ({ title, creator, price }) => ({
      subject: `Did you meet ${creator}?`,
      why: `The day of your plan '${title}' with ${creator} has passed. Please mark it as fulfilled, or say that there was a problem.${
        price === null ? '' : ` Until then Tara holds ${price}; a week after the day an admin decides.`
      }`,
      button: 'Answer',
      page: 'chat',
    }),
  },
  fulfilled: {
    line: () => 'The client says that the plan is fulfilled. An admin confirms it next.',
    creator: ({ title, client, price }) => ({
      subject: `${client} says that you met`,
      why: `${client} marked '${title}' as fulfilled. An admin confirms it next${
        price === null ? '.' : `, then ${price} goes to you.`
      }`,
      button: 'Open the plan chat',
      page: 'chat',
    }),
  },
  chargedBack: {
    line: () => 'The card issuer of the client took the money back.',
    client: ({ title, details }) => ({
      subject: `Your card issuer took back the money for ${title}`,
      why: `Your card issuer gave you ${amountIn(details, 'amount') ?? 'the money'} for '${title}' back. Nothing more is refunded for it.`,
      button: 'See your history',
      page: 'history',
    }),
    creator: ({ title, client }) => ({
      subject: `The money for ${title} was taken back`,
      why: `The card issuer of ${client} took back the money for '${title}' before it was paid out. Nothing of it can be paid out.`,
      button: 'See your history',
      page: 'history',
    }),
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
    line: ({ price }) =>
      price === null
        ? 'An admin confirmed the plan.'
        : `An admin confirmed the plan. ${price} goes to the creator.`,
    client: ({ title, creator }) => ({
      subject: `${title} is confirmed`,
      why: `An admin confirmed your plan '${title}' with ${creator}. You can now write a review.`,
      button: 'Write a review',
      page: 'history',
    }),
    creator: ({ title, client, price }) => ({
      subject: `${title} is confirmed`,
      why: `An admin confirmed your plan '${title}' with ${client}.${
        price === null ? '' : ` ${price} goes to the phone number in your profile.`
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
    creator: ({ title, price }) => ({
      subject: `${price ?? 'Your money'} for ${title} waits for your GCash number`,
      why: `${price ?? 'Your money'} for '${title}' is yours. We pay it to a GCash wallet: write its Philippine mobile number into your profile.`,
      button: 'Name your number',
      page: 'payoutNumber',
    }),
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

export type NoticeEvent = keyof typeof noticeTexts;

/** The texts of an event; undefined for the name of none, such as of an older version. */
export function textOf(event: string): NoticeText | undefined {
  return Object.entries<NoticeText>(noticeTexts).find(([name]) => name === event)?.[1];
}
