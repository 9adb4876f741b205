import type { DecidedSending } from '@tara/contract/money/admin-money';
import { isDefiniteRefusal } from '@tara/paymongo';
import { and, eq, ne, or } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { audit } from '../audit/index.ts';
import { announceInteraction } from '../interactions/index.ts';
import { type Attempt, findAttempt } from './attempts.ts';
import { channelFor } from './channels.ts';
import { noteReference, storeEnding } from './disburse.ts';
import { type Disbursement, findDisbursement } from './disbursements.ts';
import type { PaymentContext } from './provider.ts';
import { orderTexts } from './sending.ts';
import { requireOthers } from './settle.ts';
import { attempts } from './tables.ts';

/**
 * Decides a sending of which the provider did not say what became of it, once it is repeated no more (`sending.ts`). Either it is what the
 * provider has under `reference`: then it is booked as the provider says of that. Or nothing of it left: then it is sent again.
 * @throws Problem `money_case_not_found`, `admin_own_record`, `money_case_not_possible`, `general_argument_invalid` with why the
 * reference is not the one.
 */
export async function decideSending(
  context: PaymentContext,
  admin: Viewer,
  { id, reference, reason }: DecidedSending,
): Promise<void> {
  const { database } = context;
  const known = await findDisbursement(database, id);
  const shown = known && reference !== undefined ? await look(context, known, reference) : null;
  const interactionId = await database.transaction(async (transaction) => {
    await requireOthers(transaction, admin, known);
    const disbursement = await findDisbursement(transaction, id);
    const attempt = await findAttempt(transaction, id);
    if (!disbursement || attempt?.reference !== null || attempt.age === 'repeatable')
      throw new Problem('money_case_not_possible');
    const { number } = attempt;
    if (reference === undefined)
      await storeEnding(transaction, disbursement, attempt, { problem: orderTexts.unsent, isLost: true });
    else {
      const problem = shown?.problem ?? (await whyAnother(transaction, attempt, reference, shown?.centavos));
      if (problem !== null) throw new Problem('general_argument_invalid', { fields: { reference: problem } });
      await noteReference(transaction, disbursement, number, reference);
      await tasks.disburse.enqueue(transaction, { disbursementId: id });
    }
    await audit(transaction, admin, {
      action: `${disbursement.purpose}.decideSending`,
      subject: `${disbursement.purpose}:${id}`,
      before: { attempt: number, problem: disbursement.problem },
      after: { reference: reference ?? null, reason },
    });
    return disbursement.interactionId;
  });
  await announceInteraction(context, interactionId);
}

/** What the provider has under a reference, in centavos, or why that cannot be the sending. */
async function look(
  context: PaymentContext,
  disbursement: Disbursement,
  reference: string,
): Promise<{ centavos?: number; problem?: string }> {
  try {
    const sent = await channelFor(context, disbursement, null).get(reference);
    return sent.status === 'failed'
      ? { problem: 'The provider says that it failed.' }
      : { centavos: sent.amountCentavos };
  } catch (error) {
    if (!isDefiniteRefusal(error)) throw error;
    return { problem: 'The provider does not show it.' };
  }
}

async function whyAnother(
  transaction: Transaction,
  { disbursementId, number, amountCentavos }: Attempt,
  reference: string,
  centavos: number | undefined,
): Promise<string | null> {
  if (centavos !== amountCentavos) return 'The provider has another amount under it.';
  const elsewhere = and(
    eq(attempts.reference, reference),
    or(ne(attempts.disbursementId, disbursementId), ne(attempts.number, number)),
  );
  return (await transaction.$count(attempts, elsewhere)) > 0 ? 'It belongs to another sending.' : null;
}
