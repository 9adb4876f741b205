import { getRouteApi } from '@tanstack/react-router';
import { type CaseFile, caseFiles } from '@tara/contract/money/case-files';
import { datedSteps } from '@tara/contract/money/confirmations';
import { deletedText, disputeReasons, issuerReason, type Story } from '@tara/contract/money/disputes';
import type { Confirmation } from '@tara/contract/money/payments';
import { stepTime, timesArePhilippine } from '@tara/contract/money/step-times';
import { longDateTime } from '@tara/contract/philippine-time';
import { type ReactNode, useState } from 'react';
import { useCall } from '../../lib/queries.ts';
import { StoredPicture } from '../../lib/stored-picture.tsx';
import { Button } from '../../ui/Button.tsx';
import { Fact, money } from '../../ui/facts.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { PrintButton } from '../../ui/PrintButton.tsx';

const route = getRouteApi('/_main/_admin/case-file/$id');

/** `/case-file/{id}` of a chargeback: what the card issuer may be shown, to print. It opens by a press, since each opening is audited. */
export function CaseFileScreen() {
  const { id } = route.useParams();
  const [file, setFile] = useState<CaseFile | null>(null);
  const open = useCall(caseFiles.openCaseFile, { onSuccess: setFile });
  return (
    <Page title="Case file" width="chat" actions={file && <PrintButton />}>
      {file ? (
        <CaseSheet file={file} />
      ) : (
        <Card className="flex flex-col items-start gap-3">
          <p className="text-ink-soft">
            What the card issuer may be shown about this chargeback: the plan as booked, its terms, what
            happened when, the confirmations, and what both sides wrote in a dispute, with the messages that
            they added to it. Opening it is written to the audit log.
          </p>
          <Button pending={open.isPending} onClick={() => open.mutate({ body: { chargebackId: id } })}>
            Open the file
          </Button>
        </Card>
      )}
    </Page>
  );
}

function CaseSheet({ file }: { file: CaseFile }) {
  const { chargeback, booked, client, creator, steps, confirmations, dispute, openedAt } = file;
  return (
    <Card as="article" className="flex flex-col gap-6">
      <Part title="The disputed payment">
        <Fact label="Chargeback">{chargeback.id}</Fact>
        <Fact label="Payment">{chargeback.paymentId}</Fact>
        <Fact label="Disputed amount">{money(chargeback.amount)}</Fact>
        {chargeback.reason && <Fact label="Reason of the issuer">{issuerReason(chargeback.reason)}</Fact>}
        <Fact label="Opened">{longDateTime(chargeback.createdAt)}</Fact>
      </Part>
      <Part title="The plan as booked">
        <Fact label="Plan">{booked.planTitle}</Fact>
        <Fact label="Client">{client}</Fact>
        <Fact label="Creator">{creator}</Fact>
        <Fact label="Price">{money(booked.price)}</Fact>
        {booked.meetsAt && <Fact label="Agreed day">{longDateTime(booked.meetsAt)}</Fact>}
        {booked.meetsUntil && <Fact label="Until">{longDateTime(booked.meetsUntil)}</Fact>}
        {booked.place && <Fact label="Place">{booked.place}</Fact>}
        {booked.referenceNumber && <Fact label="Payment reference">{booked.referenceNumber}</Fact>}
      </Part>
      <Part title="What happened when">
        {steps.map((step) => (
          <Fact key={step.step} label={datedSteps[step.step]}>
            {stepTime(step)}
          </Fact>
        ))}
      </Part>
      <Part title="Confirmations">
        {confirmations.map((confirmation) => (
          <Fact
            key={confirmation.number}
            label={`${confirmationLabels[confirmation.kind]} ${confirmation.number}`}
          >
            {money(confirmation.amount)} ·{' '}
            <span className="inline-block">{longDateTime(confirmation.issuedAt)}</span>
            {confirmation.reference && <span className="block text-ink-soft">{confirmation.reference}</span>}
          </Fact>
        ))}
      </Part>
      {booked.terms && (
        <section aria-label="Terms">
          <h2 className="text-lg font-semibold">The terms that the client accepted</h2>
          <p className="mt-2 wrap-anywhere whitespace-pre-line">{booked.terms}</p>
        </section>
      )}
      {dispute && (
        <section aria-label="Dispute" className="flex flex-col gap-3">
          <h2 className="break-after-avoid text-lg font-semibold">What both sides wrote in a dispute</h2>
          <StoryPart name={client} story={dispute.client} note={disputeReasons[dispute.reason]} />
          {dispute.creator && <StoryPart name={creator} story={dispute.creator} />}
        </section>
      )}
      <p className="border-t border-line pt-3 text-sm text-ink-soft">
        {timesArePhilippine} Made by Tara on {longDateTime(openedAt)}.
      </p>
    </Card>
  );
}

const confirmationLabels: Record<Confirmation['kind'], string> = {
  payment: 'Payment',
  refund: 'Refund',
  payout: 'Payout',
};

function StoryPart({ name, story, note }: { name: string; story: Story; note?: string }) {
  return (
    <div>
      <p className="break-after-avoid text-sm text-ink-soft">
        <span className="font-semibold text-ink">{name}</span> · {longDateTime(story.createdAt)}
        {note && ` · ${note}`}
      </p>
      <p className="mt-1 wrap-anywhere whitespace-pre-line">{story.text || deletedText}</p>
      {story.messages.length > 0 && (
        <section aria-label={`Messages of ${name}`} className="mt-2">
          <p className="break-after-avoid text-sm font-semibold">From the plan chat</p>
          <ol className="mt-1.5 flex flex-col gap-2">
            {story.messages.map(({ id, text, sentAt }) => (
              <li key={id} className="border-l-2 border-line pl-3">
                <p className="break-after-avoid text-sm text-ink-soft">{longDateTime(sentAt)}</p>
                <p className="wrap-anywhere whitespace-pre-line">{text || deletedText}</p>
              </li>
            ))}
          </ol>
        </section>
      )}
      {story.photos.length > 0 && (
        <div className="mt-2 flex flex-wrap gap-2">
          {story.photos.map((photo) => (
            <StoredPicture key={photo.imageUrl} picture={photo} className="h-40 w-auto rounded-control" />
          ))}
        </div>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="break-inside-avoid">
      <h2 className="text-lg font-semibold">{title}</h2>
      <dl className="mt-2 flex flex-col gap-2">{children}</dl>
    </section>
  );
}
