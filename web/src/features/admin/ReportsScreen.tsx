import { urlAtWidth } from '@tara/contract/files';
import { reportDetailLength, suspensionDays } from '@tara/contract/limits';
import {
  type BannedRequest,
  type Decision,
  type Report,
  type ReportedRecord,
  reportCan,
  reportReasons,
  reports,
  SuspensionFields,
  WarningFields,
} from '@tara/contract/members/reports';
import { Flag } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { invalidate, pagesOf, useCall, useLoadedPages } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { money } from '../../ui/facts.tsx';
import { type ConfirmOptions, confirm, toast } from '../../ui/feedback.ts';
import { Card } from '../../ui/Page.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import {
  AdminQueue,
  AuditedPlanChat,
  irreversible,
  PersonLine,
  UndecidableNote,
  useLeave,
} from './AdminQueue.tsx';

const areYouSure = (confirmLabel: string, text: string): ConfirmOptions => ({
  title: 'Are you sure?',
  text,
  confirmLabel,
  tone: 'danger',
});

/** What an admin can decide about a report; each decision asks first. */
function ReportDecisions({ report: { id, kind, member } }: { report: Report }) {
  const leave = useLeave('/reports', reports.open, id);
  const finish = () => {
    toast({ title: 'The report is decided.', tone: 'success' });
    void invalidate(reports.bannedRequests);
    leave();
  };
  const decide = useCall(reports.decide, { onSuccess: finish });
  const ask = async (decision: Decision, question: ConfirmOptions) => {
    if (await confirm(question)) decide.mutate({ body: { id, decision } });
  };
  const button = (decision: Decision, question: ConfirmOptions) => (
    <Button
      variant={decision === 'ban' ? 'danger' : 'secondary'}
      size="sm"
      disabledReason={decide.isPending && 'A decision is being sent.'}
      onClick={() => void ask(decision, question)}
    >
      {question.confirmLabel}
    </Button>
  );
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap gap-2">
        {button('dismiss', {
          ...areYouSure('Dismiss', 'Nothing happens to the record or the member.'),
          tone: 'primary',
        })}
        {kind !== 'member' &&
          button(
            'remove',
            areYouSure('Remove the record', `The record is removed for everybody. ${irreversible}`),
          )}
      </div>
      {member && (
        <>
          <WarningForm reportId={id} memberName={member.name} onSent={finish} />
          <SuspensionForm reportId={id} memberName={member.name} onSent={finish} />
          <div className="border-t border-line pt-5">
            {button(
              'ban',
              areYouSure(
                'Ban',
                `${member.name} is signed out everywhere and cannot sign in again. Their open paid requests are listed below.`,
              ),
            )}
          </div>
        </>
      )}
    </div>
  );
}

interface DecisionFormProps {
  reportId: string;
  memberName: string;
  onSent: () => void;
}

const formClass = 'flex flex-col items-start gap-3 border-t border-line pt-5 *:first:w-full';

function WarningForm({ reportId, memberName, onSent }: DecisionFormProps) {
  const form = useForm({
    schema: WarningFields,
    defaultValues: { note: '' },
    question: () => areYouSure('Warn', `${memberName} sees your warning once.`),
    send: ({ note }) => call(reports.decide, { body: { id: reportId, decision: 'warn', note } }),
    onSuccess: onSent,
  });
  return (
    <Form form={form} label="Warn the member" className={formClass}>
      <TextAreaField
        form={form}
        name="note"
        label="Warning"
        hint="The member reads it once."
        limit={reportDetailLength}
        rows={3}
      />
      <SubmitButton form={form} variant="secondary" size="sm">
        Warn
      </SubmitButton>
    </Form>
  );
}

function SuspensionForm({ reportId, memberName, onSent }: DecisionFormProps) {
  const form = useForm({
    schema: SuspensionFields,
    defaultValues: { days: '7' },
    question: ({ days }) =>
      areYouSure(
        'Suspend',
        `${memberName} can read but not write for ${days} ${days === 1 ? 'day' : 'days'}.`,
      ),
    send: ({ days }) => call(reports.decide, { body: { id: reportId, decision: 'suspend', days } }),
    onSuccess: onSent,
  });
  return (
    <Form form={form} label="Suspend the member" className={formClass}>
      <TextField
        form={form}
        name="days"
        label="Days of a suspension"
        hint={`${suspensionDays.min} to ${suspensionDays.max}`}
        inputMode="numeric"
      />
      <SubmitButton form={form} variant="secondary" size="sm">
        Suspend
      </SubmitButton>
    </Form>
  );
}

const reportPages = pagesOf(reports.open);
const bannedPages = pagesOf(reports.bannedRequests);

/** `/reports`: what members reported, to be decided by an admin. */
export function ReportsScreen() {
  return (
    <AdminQueue
      route="/reports"
      title="Reports"
      list={useLoadedPages(reportPages)}
      icon={Flag}
      about="What members report appears here."
      choose={{ title: 'Choose a report', text: 'See the record as it was when it was reported.' }}
      row={(report) => <ReportRow report={report} />}
      detail={(report) => <ReportDetail report={report} />}
    >
      <BannedRequests />
    </AdminQueue>
  );
}

const kindLabel = {
  ...{ member: 'Profile', post: 'Post', comment: 'Comment', review: 'Review', plan: 'Plan' },
  message: 'Message',
};

function ReportRow({ report: { kind, reason, member, createdAt } }: { report: Report }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block font-semibold">{reportReasons[reason]}</span>
      <span className="flex items-baseline justify-between gap-2 text-sm text-ink-soft">
        <span className="truncate">
          {kindLabel[kind]} {member && `by ${member.name}`}
        </span>
        <TimeLabel iso={createdAt} />
      </span>
    </span>
  );
}

/** One report with the copy of the record, and the decisions. */
function ReportDetail({ report }: { report: Report }) {
  const { kind, reason, detail, reporter, member, snapshot, earlierDecisions } = report;
  const { profile } = useSession();
  const verdict = reportCan.decide(profile.id, {
    reporterId: reporter?.id ?? null,
    memberId: member?.id ?? null,
  });
  return (
    <Card className="flex flex-col gap-5">
      <h2 tabIndex={-1} className="text-lg font-bold">
        {reportReasons[reason]}
      </h2>
      {detail && <p className="wrap-anywhere whitespace-pre-line">{detail}</p>}
      <div className="flex flex-col gap-3">
        {member && <PersonLine person={member} part={`${kindLabel[kind]} by`} />}
        {earlierDecisions > 0 && (
          <p className="text-sm text-ink-soft">Earlier decisions against this member: {earlierDecisions}</p>
        )}
        {reporter && <PersonLine person={reporter} part="Reported by" />}
      </div>
      <RecordCopy {...snapshot} label="The record when it was reported" alt="Of the reported record">
        <p className="mt-2 text-sm text-ink-soft">
          Created: <TimeLabel iso={snapshot.createdAt} />
        </p>
      </RecordCopy>
      {report.hasOriginal && verdict === true && <Original reportId={report.id} />}
      {report.hasPlanChat && verdict === true && <ReportedChat report={report} />}
      {verdict === true ? <ReportDecisions report={report} /> : <UndecidableNote reason={verdict} />}
    </Card>
  );
}

interface RecordCopyProps extends Pick<ReportedRecord, 'text' | 'imageUrl'> {
  label: string;
  /** Alternative text of the picture. */
  alt: string;
  title?: string;
  children?: ReactNode;
}

function RecordCopy({ label, imageUrl, alt, title, text, children }: RecordCopyProps) {
  return (
    <section aria-label={label} className="rounded-card bg-sunken p-4">
      {imageUrl && (
        <img
          src={urlAtWidth(imageUrl, 640)}
          alt={alt}
          className="mb-3 h-60 w-full rounded-control object-contain"
        />
      )}
      {title && <p className="font-semibold wrap-anywhere">{title}</p>}
      <p className="wrap-anywhere whitespace-pre-line">{text}</p>
      {children}
    </section>
  );
}

/** What a reported message said before it was taken back: looked at only by a press, since each look is audited. */
function Original({ reportId }: { reportId: string }) {
  const look = useCall(reports.original, {});
  if (!look.data) {
    return (
      <div className="flex flex-col items-start gap-2">
        <p className="text-sm text-ink-soft">
          The message was unsent. Looking at its original is written to the audit log.
        </p>
        <Button
          variant="secondary"
          size="sm"
          disabledReason={look.isPending && 'The original is being loaded.'}
          onClick={() => look.mutate({ body: { id: reportId } })}
        >
          Show the original
        </Button>
      </div>
    );
  }
  return <RecordCopy {...look.data} label="The original of the unsent message" alt="Of the unsent message" />;
}

function ReportedChat({ report: { id, recordId } }: { report: Report }) {
  const { mutate, isPending } = useCall(reports.planChat, {});
  return (
    <AuditedPlanChat
      isPending={isPending}
      reportedId={recordId}
      read={(where, onSuccess) => mutate({ body: { id, ...where } }, { onSuccess })}
    />
  );
}

const stageLabel: Record<BannedRequest['stage'], string> = {
  ...{ requested: 'requested', paid: 'paid', accepted: 'accepted', ready: 'paid and accepted' },
  ...{ fulfilled: 'fulfilled', disputed: 'problem', completed: 'completed', cancelled: 'cancelled' },
};

/** Money that is under way with a banned member: an admin looks after it. */
function BannedRequests() {
  const { items } = useLoadedPages(bannedPages);
  if (items.length === 0) return null;
  return (
    <section aria-label="Paid requests of banned members" className="mt-8">
      <h2 className="mb-3 text-lg font-semibold">Paid requests of banned members</h2>
      <Card padding="none">
        <ul className="divide-y divide-line">
          {items.map(({ id, planTitle, client, creator, price, banned, stage }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3">
              <span className="min-w-0 wrap-anywhere">
                <span className="font-semibold">{planTitle}</span> · {client} with {creator}
              </span>
              <span className="text-sm text-ink-soft">
                {money(price)} · {stageLabel[stage]} · banned: {banned}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}
