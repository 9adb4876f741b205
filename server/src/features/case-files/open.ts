import { nowDate } from '@tara/contract/clock';
import type { CaseFile } from '@tara/contract/money/case-files';
import { pesos } from '@tara/contract/plans/plans';
import { eq } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { audit } from '../audit/index.ts';
import { findDisputes } from '../disputes/index.ts';
import { findInteraction, presentSteps } from '../interactions/index.ts';
import { chargebacks, listConfirmations } from '../payments/index.ts';

/**
 * What the card issuer may be shown about a chargeback. Each opening is written to the audit log before anything of it is read.
 * @throws Problem `chargeback_not_found`, `admin_own_record` for a party of its request.
 */
export async function openCaseFile(
  database: Database,
  admin: Viewer,
  chargebackId: string,
): Promise<CaseFile> {
  const [chargeback] = await database.select().from(chargebacks).where(eq(chargebacks.id, chargebackId));
  const row = chargeback && (await findInteraction(database, chargeback.interactionId));
  if (!row) throw new Problem('chargeback_not_found');
  const { request, client, creator } = row;
  if ([request.clientId, request.creatorId].includes(admin.profileId)) throw new Problem('admin_own_record');
  await audit(database, admin, {
    ...{ action: 'dispute.file', subject: `dispute:${chargebackId}` },
    after: { interactionId: request.id },
  });
  const disputes = await findDisputes(database, [request.id]);
  return {
    chargeback: {
      ...{ id: chargebackId, paymentId: chargeback.paymentId, amount: pesos(chargeback.amountCentavos) },
      ...{ reason: chargeback.reason, state: chargeback.state },
      createdAt: chargeback.createdAt.toISOString(),
    },
    openedAt: nowDate().toISOString(),
    booked: {
      ...{ planTitle: request.planTitle, price: pesos(request.priceCentavos), place: request.place },
      meetsAt: request.meetsAt?.toISOString() ?? null,
      meetsUntil: request.meetsUntil?.toISOString() ?? null,
      ...{ referenceNumber: request.referenceNumber, terms: request.terms },
    },
    client: request.clientName ?? client.name,
    creator: request.creatorName ?? creator.name,
    steps: presentSteps(row),
    confirmations: await listConfirmations(database, request.id),
    dispute: disputes.get(request.id) ?? null,
  };
}
