import type { MoneyAlarmKind, WorkCounts } from '../admin.ts';
import { type AdminEvent, adminAlert, adminWork } from './event.ts';
import { amountIn, type Details } from './facts.ts';

/** The lists of admins: what waits there, and where it is. */
export const workLists = {
  verifications: { one: 'verification waits', many: 'verifications wait', link: '/verify-users' },
  plans: { one: 'plan waits to be confirmed', many: 'plans wait to be confirmed', link: '/confirm-plans' },
  disputes: { one: 'dispute waits', many: 'disputes wait', link: '/disputes' },
  noAnswer: {
    one: 'request without an answer waits',
    many: 'requests without an answer wait',
    link: '/no-answer',
  },
  chargebacks: { one: 'chargeback waits', many: 'chargebacks wait', link: '/chargebacks' },
  unassignedDisputes: {
    one: 'card dispute waits for its payment',
    many: 'card disputes wait for their payments',
    link: '/money',
  },
  byHand: {
    one: 'payout or refund waits to be sent by hand',
    many: 'payouts and refunds wait to be sent by hand',
    link: '/money',
  },
  reports: { one: 'report waits', many: 'reports wait', link: '/reports' },
} as const satisfies Record<keyof WorkCounts, { one: string; many: string; link: string }>;

const isWorkList = (name: string): name is keyof typeof workLists => name in workLists;

/** How many there are, with the words for one and for several. */
const counted = ({ count }: Details, one: string, many: string) => (count === '1' ? one : `${count} ${many}`);

/** What is wrong with money: told once, when it begins. */
const moneyAlarms = {
  /** The nightly check of the ledger found differences that the one before did not find. */
  ledgerDiffers: {
    ...adminAlert,
    admin: ({ details }) => ({
      title: 'The books do not add up',
      text: `The nightly check found ${counted(details, 'a difference', 'differences')}.`,
      button: 'Open the money page',
      link: '/money',
    }),
  },
  /** A card issuer disputes a payment. */
  chargebackOpened: {
    ...adminAlert,
    admin: ({ details }) => ({
      title: `${counted(details, 'A payment is', 'payments are')} disputed by a card issuer`,
      text: `It is about ${amountIn(details, 'amount')}. ${
        details.dueOn === undefined
          ? 'The evidence was sent.'
          : `Send the evidence in the provider’s dashboard by ${details.dueOn}.`
      }`,
      button: 'Open the chargebacks',
      link: '/chargebacks',
    }),
  },
  /** A payout or a refund did not move for an hour, and nobody else is waited for. */
  disbursementStuck: {
    ...adminAlert,
    admin: ({ details }) => ({
      title: `${counted(details, 'A payout or refund is', 'payouts and refunds are')} stuck`,
      text: `Nothing moved for an hour. It is about ${amountIn(details, 'amount')}.`,
      button: 'Open the money page',
      link: '/money',
    }),
  },
  /** An admin sent money by hand that could not be recorded. */
  transferRefused: {
    ...adminAlert,
    admin: ({ details }) => ({
      title: `${counted(details, 'A transfer by hand was', 'transfers by hand were')} not recorded`,
      text: `${amountIn(details, 'amount')} may have left Tara. Say what became of it.`,
      button: 'Open the money page',
      link: '/money',
    }),
  },
  /** The provider's wallet holds less than members have to get of it. */
  balanceShort: {
    ...adminAlert,
    admin: ({ details }) => ({
      title: 'The wallet holds less than is owed',
      text: `The provider’s wallet lacks ${amountIn(details, 'amount')} of what members have to get.`,
      button: 'Open the money page',
      link: '/money',
    }),
  },
  /** The provider disabled our webhook, or one that was registered by hand is not there any more. */
  webhookDisabled: {
    ...adminAlert,
    admin: () => ({
      title: 'The provider stopped its deliveries',
      text: 'Its webhook of Tara is disabled, because deliveries failed, or is not there any more. Payments are found by asking meanwhile.',
      button: 'Open the money page',
      link: '/money',
    }),
  },
  /** The check of the ledger did not end for 36 hours. */
  proofOverdue: {
    ...adminAlert,
    admin: () => ({
      title: 'The books were not checked for 36 hours',
      text: 'The nightly check did not end. The log says why.',
      button: 'Open the money page',
      link: '/money',
    }),
  },
} as const satisfies Record<MoneyAlarmKind, AdminEvent>;

/** What admins are notified of. */
export const adminEvents = {
  /** Something waits in a list: once a day for each list. */
  workWaits: {
    ...adminWork,
    admin: ({ recordId, details }) => {
      const { one, many, link } = workLists[isWorkList(recordId) ? recordId : 'reports'];
      return {
        title: details.count === '1' ? `A ${one}` : `${details.count} ${many}`,
        text: '',
        button: 'Open the list',
        link,
      };
    },
  },
  /** A dispute of a card issuer does not name its payment, and no single payment fits it. */
  disputeUnassigned: {
    ...adminAlert,
    admin: ({ details }) => ({
      title: 'A card dispute needs its payment',
      text: `A card issuer disputes ${amountIn(details, 'amount')}. Choose the payment that it is about${
        details.dueOn === undefined
          ? ''
          : `, and send the evidence in the provider’s dashboard by ${details.dueOn}`
      }.`,
      button: 'Open the money page',
      link: '/money',
    }),
  },
  /** A dispute of a card issuer was decided before Tara learned that there is one: no evidence can be sent any more. */
  chargebackDecided: {
    ...adminAlert,
    admin: ({ details }) => ({
      title: `A card issuer decided about a payment, ${details.outcome === 'won' ? 'for' : 'against'} Tara`,
      text: `It disputed ${amountIn(details, 'amount')}, and Tara learned of it after the decision.`,
      button: 'Open the chargebacks',
      link: '/chargebacks',
    }),
  },
  ...moneyAlarms,
} as const satisfies Record<string, AdminEvent>;
