import type { DecidedSending } from '@tara/contract/money/admin-money';
import { isDefiniteRefusal, PaymongoError } from '@tara/paymongo';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { audit } from '../audit/index.ts';
import { announceInteraction } from '../interactions/index.ts';
import { type Attempt, findAttempt } from './attempts.ts';
import { channelFor } from './channels.ts';
import { recordReference, storeEnding } from './disburse.ts';
import { type Disbursement, findDisbursement } from './disbursements.ts';
import { isAway, type PaymentContext } from './provider.ts';
import { orderTexts } from './sending.ts';
import { requireOthers } from './settle.ts';

interface Sending {
  disbursement: Disbursement;
  attempt: Attempt;
}

/**
 * Decides a sending of which the provider did not say what became of it, once nothing of it can be on its way (`sending.ts`). Either it is
 * what the provider has under `reference`: then it is booked as the provider says of that. Or nothing of it left: then what is owed still is sent again.
 * @throws Problem `money_case_not_found`, `admin_own_record`, `money_case_not_possible`, `general_argument_invalid` with why the
 * reference is not the one, `general_unavailable` while the provider does not answer, or does not let us read it.
 */
export async function decideSending(
  context: PaymentContext,
  admin: Viewer,
  { id, reference, reason }: DecidedSending,
): Promise<void> {
  const { database } = context;
  const sending = await database.transaction((transaction) => requireUndecided(transaction, admin, id));
  await requireByProvider(context, sending, reference);
  await database.transaction(async (transaction) => {
    const { disbursement, attempt } = await requireUndecided(transaction, admin, id);
    const { number } = attempt;
    if (number !== sending.attempt.number) throw new Problem('money_case_not_possible');
    if (reference === undefined)
      await storeEnding(transaction, disbursement, attempt, { problem: orderTexts.unsent, isLost: true });
    else {
      await recordReference(transaction, disbursement, number, reference);
      await tasks.disburse.enqueue(transaction, { disbursementId: id });
    }
    await audit(transaction, admin, {
      action: `${disbursement.purpose}.decideSending`,
      subject: `${disbursement.purpose}:${id}`,
      before: { attempt: number, problem: disbursement.problem },
      after: { reference: reference ?? null, reason },
    });
  });
  await announceInteraction(context, sending.disbursement.interactionId);
}

/** Holds the request of a sending that is neither repeated nor on its way any more, and whose name at the provider nobody knows. */
async function requireUndecided(transaction: Transaction, admin: Viewer, id: string): Promise<Sending> {
  await requireOthers(transaction, admin, await findDisbursement(transaction, id));
  const disbursement = await findDisbursement(transaction, id);
  const attempt = await findAttempt(transaction, id);
  if (!disbursement || attempt?.reference !== null || attempt.age !== 'forgotten')
    throw new Problem('money_case_not_possible');
  return { disbursement, attempt };
}

const wrongReference = (text: string) =>
  new Problem('general_argument_invalid', { fields: { reference: text } });

/** What the provider shows is not contradicted: it has this sending under this name, or nothing that it can be. */
async function requireByProvider(
  context: PaymentContext,
  { disbursement, attempt }: Sending,
  reference: string | undefined,
): Promise<void> {
  const channel = channelFor(context, disbursement, null);
  const { amountCentavos } = attempt;
  try {
    if (reference !== undefined) {
      const sent = await channel.get(reference);
      if (!sent.isOurs) throw wrongReference('The provider has it for another payout or refund.');
      if (sent.status === 'failed') throw wrongReference('The provider says that it failed.');
      if (sent.amountCentavos !== amountCentavos)
        throw wrongReference('The provider has another amount under it.');
      return;
    }
    const [same] = ((await channel.find(attempt)) ?? []).filter(
      (sent) => sent.amountCentavos === amountCentavos,
    );
    if (same) throw new Problem('money_case_not_possible', { text: `the provider has it as ${same.id}` });
  } catch (error) {
    // Who may not read the list decides by the dashboard.
    if (reference === undefined && error instanceof PaymongoError && error.status === 403) return;
    if (isAway(error))
      throw new Problem('general_unavailable', { text: 'the provider does not answer', cause: error });
    if (reference !== undefined && isDefiniteRefusal(error))
      throw wrongReference('The provider does not show it.');
    if (error instanceof PaymongoError) {
      context.log.error({ err: error }, 'the provider does not let a sending be read');
      const text = 'the provider does not let us read it';
      throw new Problem('general_unavailable', { text, cause: error });
    }
    throw error;
  }
}
