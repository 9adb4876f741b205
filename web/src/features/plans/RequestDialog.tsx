import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { interactions } from '@tara/contract/interactions/interactions';
import { type MeetingForm, meetingFields, meetingTime } from '@tara/contract/interactions/meetings';
import { meetingAheadDays, planLength, timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { offeredDays, readPlanTime } from '@tara/contract/plans/plan-times';
import { type PlanDetail, plans } from '@tara/contract/plans/plans';
import { clsx } from 'clsx';
import { Send } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useController } from 'react-hook-form';
import { call, errorNotice, isProblem } from '../../lib/call.ts';
import { type FormHandle, useForm } from '../../lib/form.tsx';
import { DateField, Form, SubmitButton, TextField, termsFirst } from '../../lib/form-fields.tsx';
import { offerPush } from '../../lib/push-choice.ts';
import { invalidate, setQueryData } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { stepsToLeave } from '../../ui/back.ts';
import { Checkbox } from '../../ui/Field.tsx';
import { Collapsible } from '../../ui/facts.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { useSession } from '../accounts/index.ts';
import { dayLabel, freeMeetingForm, MeetingTimeField, upsertInteraction } from '../interactions/index.ts';
import { UsualTime } from '../verification/index.ts';
import { GetVerifiedLink, NoticeBox, type RefusalNotice, TermsList } from './PlanTerms.tsx';
import { durationText, PriceLabel } from './PlanTitle.tsx';
import { requestDraft } from './request-draft.ts';

interface RequestDialogProps {
  detail: PlanDetail;
  open: boolean;
  onClose: () => void;
  /** The request is sent, and has to be paid next. */
  onSent: () => void;
  /** Why it can be filled in and not sent: the member is not verified yet. */
  refusal: RefusalNotice | null;
}

/** How many days are offered beside 'Another day'. */
const OFFERED_DAYS = 11;

/** Day, time, place and terms of a request, and 'Send Request' (§2, §4): a dialog, on phones a drawer. */
export default function RequestDialog({ detail, open, onClose, onSent, refusal }: RequestDialogProps) {
  const { plan, taken } = detail;
  const { account, profile } = useSession();
  const [accepted, setAccepted] = useState(false);
  const back = useGoBack(plan.creator.id);
  const [days] = useState(() => offeredDays({ ...plan, taken, now: Date.now() }, OFFERED_DAYS));
  const form = useForm({
    schema: freeMeetingForm(taken, plan.durationMinutes),
    defaultValues: { day: '', time: readPlanTime(plan.time).start ?? '', place: plan.place },
    draft: requestDraft(account.id, plan.id),
    leaveWarning: null,
    send: ({ day, time, place }) =>
      call(interactions.createInteraction, {
        body: { planId: plan.id, meetsAt: meetingTime(day, time), place },
      }),
    problemField: { interaction_time_taken: 'time' },
    failureNotice: (error) => {
      if (!isProblem(error, 'interaction_already_requested')) return errorNotice(error);
      toast({ ...notices.duplicateRequest, tone: 'danger', durationMs: timer.formToastMs });
      // It was sent elsewhere: the plan shows it from now on.
      void invalidate(plans.get);
      back();
      return null;
    },
    onSuccess: (request) => {
      upsertInteraction(request, account.id);
      void invalidate(interactions.interactionList);
      offerPush('request');
      if (request.paid) {
        // A free plan has no next step: one is back (§4).
        toast({ ...notices.requestSent, tone: 'success' });
        void invalidate(plans.get);
        back();
      } else {
        // The next step, to pay, is on this screen, where a toast would cover it.
        onClose();
        onSent();
        setQueryData(plans.get, { params: { id: plan.id } }, { ...detail, openInteractionId: request.id });
      }
    },
  });
  return (
    <ResponsiveDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="When do you want to meet?"
      description={
        <>
          {plan.title} · {plan.time && `${plan.time} · `}
          {durationText(plan.durationMinutes)}
        </>
      }
      size="md"
      actions={
        <div className="flex w-full flex-wrap items-center justify-between gap-x-4 gap-y-2">
          {/* In one line beside the button, which fills a line of its own where the text is large. */}
          <p className="min-w-0 grow-999 basis-32">
            <span className="sr-only">Price: </span>
            <PriceLabel pesos={plan.price} className="text-lg font-bold" />
            {plan.price > 0 && <span className="block text-sm text-ink-soft">held until you have met</span>}
          </p>
          {refusal && !profile.sentVerifiedReq ? (
            <GetVerifiedLink planId={plan.id} className={`${buttonClass({ size: 'lg' })} max-sm:grow`} />
          ) : (
            <SubmitButton
              form={form}
              size="lg"
              icon={<Icon of={Send} />}
              pendingLabel="Sending..."
              disabledReason={refusal ? refusal.text : !accepted && termsFirst}
              onClick={() => void form.submit()}
              className="max-sm:grow"
            >
              Send Request
            </SubmitButton>
          )}
        </div>
      }
    >
      <Form form={form} label="When and where" className="flex flex-col gap-3">
        {refusal && (
          <NoticeBox
            title={
              profile.sentVerifiedReq ? 'Your ID is being checked' : 'Only verified members send requests'
            }
          >
            <p>
              What you choose here stays on this device until you are verified. <UsualTime />
            </p>
          </NoticeBox>
        )}
        <DayField form={form} days={days} />
        <MeetingTimeField form={form} taken={taken} creatorName={plan.creator.name} />
        <TextField
          form={form}
          name="place"
          label="Place"
          hint="A public place that both of you know."
          limit={planLength.place}
        />
        <div>
          <Checkbox
            label="Accept terms and conditions"
            checked={accepted}
            onChange={(event) => setAccepted(event.target.checked)}
          />
          <Collapsible title={<span className="text-base font-medium text-lagoon">Read them</span>}>
            <h3 className="font-semibold">Conditions of {plan.creator.name}</h3>
            <p className="mt-1 mb-4 wrap-anywhere whitespace-pre-line text-ink-soft">{plan.terms}</p>
            <h3 className="mb-1 font-semibold">Terms for every plan</h3>
            <TermsList />
          </Collapsible>
        </div>
      </Form>
    </ResponsiveDialog>
  );
}

/** The days on which the plan can take place; another one is written into a field. */
function DayField({ form, days }: { form: FormHandle<MeetingForm>; days: readonly string[] }) {
  const { field, fieldState } = useController({ control: form.control, name: 'day' });
  const id = useId();
  const [wantsOther, setWantsOther] = useState(days.length === 0);
  const isOther = wantsOther || (field.value !== '' && !days.includes(field.value));
  const error = fieldState.error?.message;
  const [[earliest, latest]] = useState(() =>
    [0, meetingAheadDays].map(
      (count) => meetingFields(new Date(Date.now() + count * 86_400_000).toISOString()).day,
    ),
  );
  return (
    <div>
      <div
        role="radiogroup"
        aria-labelledby={`${id}-label`}
        aria-invalid={(error !== undefined && !isOther) || undefined}
        aria-describedby={error !== undefined && !isOther ? `${id}-error` : undefined}
        className="group"
      >
        <p id={`${id}-label`} className="mb-1.5 text-sm font-semibold">
          Which day?
        </p>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(max(68px,3.75rem),1fr))] gap-2">
          {days.map((day) => {
            const { weekday, date, month } = dayLabel(day);
            return (
              <DayChoice
                key={day}
                name={id}
                checked={!isOther && field.value === day}
                onChoose={() => {
                  setWantsOther(false);
                  field.onChange(day);
                }}
              >
                <span className="text-xs">{weekday}</span>{' '}
                <span className="figures text-lg leading-none font-bold">{date}</span>{' '}
                <span className="text-xs">{month}</span>
              </DayChoice>
            );
          })}
          <DayChoice
            name={id}
            checked={isOther}
            onChoose={() => {
              setWantsOther(true);
              field.onChange('');
            }}
          >
            <span className="text-sm leading-tight font-semibold">Another day</span>
          </DayChoice>
        </div>
        {!isOther && (
          <p id={`${id}-error`} className="mt-1 min-h-5 text-sm leading-hint font-medium text-ember">
            {error}
          </p>
        )}
      </div>
      {isOther && (
        <div className="mt-3">
          <DateField form={form} name="day" label="Day" min={earliest} max={latest} lines={1} />
        </div>
      )}
    </div>
  );
}

interface DayChoiceProps {
  name: string;
  checked: boolean;
  onChoose: () => void;
  children: ReactNode;
}

function DayChoice({ name, checked, onChoose, children }: DayChoiceProps) {
  return (
    <label
      className={clsx(
        'relative flex min-h-18 flex-col items-center justify-center gap-1 rounded-control border-2 px-1 text-center transition-colors outline-offset-2 outline-lagoon has-focus-visible:outline-2 group-aria-invalid:outline-ember group-aria-invalid:has-focus:outline-2',
        checked
          ? 'border-ink bg-ink text-paper'
          : 'border-line group-aria-invalid:border-ember hover:border-edge',
      )}
    >
      {/* Over the whole choice, which screen readers outline and a finger finds. */}
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={onChoose}
        className="absolute inset-0 m-0 size-full cursor-pointer opacity-0"
      />
      {children}
    </label>
  );
}

/** Goes one screen back (§4), or to the creator's plans if this is the first page of the visit. */
function useGoBack(creatorId: string): () => void {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const navigate = useNavigate();
  return () => {
    if (canGoBack) router.history.go(-stepsToLeave());
    else void navigate({ to: '/profile/plans/$id', params: { id: creatorId }, replace: true });
  };
}
