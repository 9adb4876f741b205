import type { Deed } from './script.ts';

/** Before and after a call of the provider. */
const around = (call: string) => [`the request ${call} arrives`, `the answer to ${call} arrives`];
const job = (task: string) => [`job ${task} begins`, `the end of job ${task} is noted`];
const event = (type: string) => [`the event ${type} is delivered`, `the answer to the event ${type} arrives`];
const transaction = ['begin', 'commit', 'select from graphile_worker.add_jobs'];
const books = [
  'insert into "ledger_transfers"',
  'insert into "ledger_entries"',
  'insert into "notifications"',
];

const disbursement = [
  'insert into "disbursements"',
  'insert into "attempts"',
  'update "disbursements"',
  'update "attempts"',
];

/** What comes two days after a payout was sent whose answer was lost. */
export const latePoints: readonly string[] = around('GET /v2/transfers');

/** The provider's lists, which a round does not read each time. */
export const listPoints: readonly string[] = ['GET /v1/disputes', 'GET /v1/payments'].flatMap(around);

/** The kinds of steps before which the process ends in the simulation, by the deed that leads to them. */
export const crashPoints: Partial<Record<Deed['do'], readonly string[]>> = {
  request: [
    ...transaction,
    ...job('payments.createLink'),
    ...around('POST /v1/links'),
    ...['insert into interactions', 'update "interactions"'],
  ],
  pay: [
    ...transaction,
    ...books,
    ...['payment.paid', 'link.payment.paid'].flatMap(event),
    ...job('payments.event'),
    ...['insert into "provider_events"', 'update "provider_events"', 'savepoint', 'update "interactions"'],
    'insert into "captured_payments"',
  ],
  accept: ['update "interactions"', 'commit'],
  pass: [
    ...['payments.reconcile', 'payments.deadlines', 'disputes.notifyUnanswered'].flatMap(job),
    ...listPoints,
  ],
  mend: latePoints,
  fulfil: ['update "interactions"', 'commit'],
  dispute: ['insert into "disputes"', 'commit'],
  cancel: [
    ...transaction,
    ...books,
    ...job('payments.disburse'),
    ...['POST /v1/refunds', 'GET /v1/payments/pay_…'].flatMap(around),
    ...disbursement,
  ],
  confirm: [
    ...transaction,
    ...books,
    ...job('payments.disburse'),
    ...['GET /v2/wallets', 'POST /v2/batch_transfers'].flatMap(around),
    ...disbursement,
  ],
  chargeBack: [...event('dispute.created'), ...job('payments.event'), 'insert into "chargebacks"', 'commit'],
  decideChargeback: [...job('payments.event'), 'update "chargebacks"', 'commit'],
};

/** Every kind of step before which the process has to end. */
export const crashPointNames = [...new Set(Object.values(crashPoints).flat())].sort();
