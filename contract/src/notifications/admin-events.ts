import type { WorkCounts } from '../admin.ts';
import { type AdminEvent, adminAlert, adminWork } from './event.ts';
import { amountIn } from './facts.ts';

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
  reports: { one: 'report waits', many: 'reports wait', link: '/reports' },
} as const satisfies Record<keyof WorkCounts, { one: string; many: string; link: string }>;

const isWorkList = (name: string): name is keyof typeof workLists => name in workLists;

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
      text: `A card issuer disputes ${amountIn(details, 'amount')}. Choose the payment that it is about.`,
      button: 'Open the money page',
      link: '/money',
    }),
  },
  /** The nightly check of the ledger found a difference. */
  ledgerDiffers: {
    ...adminAlert,
    admin: ({ details }) => ({
      title: 'The ledger does not add up',
      text: `The check of tonight found ${details.count === '1' ? 'a difference' : `${details.count} differences`}.`,
      button: 'Open the money page',
      link: '/money',
    }),
  },
} as const satisfies Record<string, AdminEvent>;
