import { interactions } from '@tara/contract/interactions/interactions';
import { adminMoney } from '@tara/contract/money/admin-money';
import { admin } from '@tara/contract/money/confirmations';
import { payments } from '@tara/contract/money/payments';
import type { Paymongo } from '@tara/paymongo';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import { openMoney, recordPayout, refundRequest, retryMoney } from './admin-money.ts';
import { assignDispute } from './assign-dispute.ts';
import { cancelRequest } from './cancel.ts';
import { confirmPlan } from './confirm.ts';
import { readConfirmation } from './confirmation.ts';
import { decideSending } from './decide-sending.ts';
import { lastLedgerCheck } from './ledger-check.ts';
import { checkPayment } from './links.ts';
import { settleManualTransfer } from './manual-transfers.ts';
import type { PaymentContext } from './provider.ts';
import { setRefundNumber } from './refund-number.ts';
import { statement, statementBalances } from './statement.ts';
import { listUnassigned } from './unassigned.ts';
import { takeDelivery } from './webhook.ts';

/** A check costs a call of the provider, and a person checks rarely. */
const checksPerMinute = 20;
/** More than any delivery has: one that is refused for its size would be repeated until the webhook is disabled. */
export const deliveryLimitBytes = 1024 * 1024;

/** The steps of people that move what is held for a request; the provider follows in jobs. */
export function escrowRoutes(app: FastifyInstance, platform: Omit<PaymentContext, 'provider'>): void {
  serve(app, interactions.cancelRequest, ({ viewer, body: { interactionId, reason } }) =>
    cancelRequest(platform, viewer, { interactionId, note: reason ?? '' }),
  );
  serve(app, interactions.setRefundNumber, ({ viewer, body }) => setRefundNumber(platform, viewer, body), {
    perMinute: 10,
  });
  serve(app, adminMoney.openMoney, ({ params, query }) => openMoney(platform, params.list, query.cursor));
  serve(app, payments.statement, ({ viewer, query }) =>
    statement(platform.database, viewer.profileId, query),
  );
  serve(app, payments.statementBalances, ({ viewer, query }) =>
    statementBalances(platform.database, viewer.profileId, query),
  );
  serve(app, payments.confirmation, ({ viewer, params }) =>
    readConfirmation(platform.database, viewer, params),
  );
  serve(app, adminMoney.ledgerCheck, async () => {
    const check = await lastLedgerCheck(platform.database);
    if (check === null) return { check };
    const { checkedAt, counts, differences } = check;
    return { check: { checkedAt: checkedAt.toISOString(), counts, differences } };
  });
  serve(app, adminMoney.refundRequest, ({ viewer, body }) => refundRequest(platform, viewer, body));
  serve(app, adminMoney.retryMoney, ({ viewer, body }) => retryMoney(platform, viewer, body));
  serve(app, adminMoney.unassignedDisputes, ({ query }) => listUnassigned(platform.database, query.cursor));
  serve(app, adminMoney.settleManualTransfer, ({ viewer, body }) =>
    settleManualTransfer(platform, viewer, body),
  );
  serve(app, adminMoney.recordPayout, ({ viewer, body }) => recordPayout(platform, viewer, body));
  serve(app, admin.confirmPlans, ({ viewer, body }) => confirmPlan(platform, viewer, body.interactionId));
}

/** The calls that move money or request it. */
export function paymentRoutes(
  app: FastifyInstance,
  platform: Omit<PaymentContext, 'provider'>,
  provider: Paymongo,
): void {
  const context = { ...platform, provider };
  serve(
    app,
    interactions.checkPayment,
    ({ viewer, body }) => checkPayment(context, viewer, body.interactionId),
    { perMinute: checksPerMinute },
  );
  serve(app, adminMoney.assignDispute, ({ viewer, body }) => assignDispute(context, viewer, body));
  serve(app, adminMoney.decideSending, ({ viewer, body }) => decideSending(context, viewer, body));
  escrowRoutes(app, platform);
  app.register(async (scope) => {
    // The signature is over the bytes as they came, so nothing may read them before.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    serve(
      scope,
      payments.webhook,
      async ({ request }) => {
        const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const header = request.headers['paymongo-signature'];
        await takeDelivery(context, { rawBody, signature: typeof header === 'string' ? header : undefined });
      },
      { bodyLimit: deliveryLimitBytes },
    );
  });
}
