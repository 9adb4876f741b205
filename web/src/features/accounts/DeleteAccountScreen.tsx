import { Link, linkOptions } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts/accounts';
import { DeleteAccount, type OpenRequest, personalData } from '@tara/contract/accounts/personal-data';
import { interactionLists } from '@tara/contract/interactions/stages';
import { deletedName } from '@tara/contract/limits';
import { problemNotice } from '@tara/contract/problems';
import { CalendarX2, ChevronRight, EyeOff, ReceiptText, Trash2 } from 'lucide-react';
import { call, errorNotice, isProblem } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton } from '../../lib/form-fields.tsx';
import { invalidate, queryOf, useLoaded } from '../../lib/queries.ts';
import { buttonClass, linkClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { CurrentPasswordField, passwordMissingTitle } from './AccountFields.tsx';
import { leaveDeletedAccount, sessionQuery, useSession } from './session.ts';

const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
const dayOf = (iso: string) => longDay.format(new Date(iso));

const CONSEQUENCES = [
  {
    icon: EyeOff,
    text: 'At once you are hidden from everybody, and logged out everywhere. Requests that are not paid are cancelled.',
  },
  { icon: CalendarX2, text: 'For 14 days you can sign in and keep your account.' },
  {
    icon: Trash2,
    text: 'Then your profile, posts, comments, messages, pictures and documents are deleted for good.',
  },
  {
    icon: ReceiptText,
    text: `Records of money stay, under the name “${deletedName}”.`,
  },
];

/** `/settings/delete`: what a deletion means, and the password that begins it. */
export function DeleteAccountScreen() {
  const { openRequests } = useLoaded(queryOf(personalData.get));
  const { passwordUpdatedAt } = useLoaded(queryOf(accounts.settings));
  return (
    <Page title="Delete my account" width="form">
      <div className="flex flex-col gap-6">
        <Card>
          <ul className="flex flex-col gap-4">
            {CONSEQUENCES.map(({ icon, text }) => (
              <li key={text} className="flex gap-3">
                <Icon of={icon} className="mt-0.5 text-ink-soft" />
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </Card>
        <p className="text-ink-soft">
          You may want to{' '}
          <Link to="/settings" hash="your-data" className={linkClass}>
            download your data
          </Link>{' '}
          first.
        </p>
        {openRequests.length > 0 ? (
          <OpenRequests requests={openRequests} />
        ) : passwordUpdatedAt === null ? (
          <DeletionNeedsPassword />
        ) : (
          <DeleteForm />
        )}
      </div>
    </Page>
  );
}

/** Why the account cannot be deleted yet. */
function OpenRequests({ requests }: { requests: OpenRequest[] }) {
  const { profile } = useSession();
  return (
    <Card as="section" aria-labelledby="open-requests">
      <h2 id="open-requests" className="text-lg font-semibold">
        {problemNotice('account_requests_open').title}
      </h2>
      <p className="mt-1 text-ink-soft">
        Their money belongs to somebody. You can delete your account once they are over:
      </p>
      <ul className="mt-4 divide-y divide-line">
        {requests.map((request) => (
          <li key={request.id}>
            <Link
              {...requestLink(request, profile.id)}
              className="-mx-2 flex min-h-14 items-center gap-3 rounded-control px-2 py-2 hover:bg-sunken"
            >
              <span className="min-w-0 flex-1">
                <span className="block font-medium wrap-anywhere">{request.planTitle}</span>
                <span className="block text-sm text-ink-soft wrap-anywhere">with {request.otherName}</span>
              </span>
              <Icon of={ChevronRight} className="shrink-0 text-ink-soft" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** A deletion begins with the password, which a member who joined without one sets first. */
const DeletionNeedsPassword = () => (
  <Card as="section" aria-labelledby="password-missing">
    <h2 id="password-missing" className="text-lg font-semibold">
      {passwordMissingTitle}
    </h2>
    <p className="mt-1 text-ink-soft">
      Deleting your account asks for your password, and you have none yet. Set it in{' '}
      <Link to="/settings" className={linkClass}>
        your settings
      </Link>
      , then come back.
    </p>
  </Card>
);

/** Where a request is shown: in its chat, else in the history or in Plan Manager. */
function requestLink({ receiptId, stage }: OpenRequest, profileId: string) {
  const isPast = interactionLists.history.stages.some((past) => past === stage);
  if (receiptId)
    return linkOptions({
      to: '/manage-plans/conversation-receipt/$conversationReceipt',
      params: { conversationReceipt: receiptId },
    });
  if (isPast) return linkOptions({ to: '/profile/history/$id', params: { id: profileId } });
  return linkOptions({ to: '/manage-plans' });
}

function DeleteForm() {
  // Null from the moment the server ended the session until the layout goes to /sign-in.
  const email = useLoaded(sessionQuery)?.account.email ?? '';
  const form = useForm({
    schema: DeleteAccount,
    defaultValues: { password: '' },
    clears: true,
    send: (body) => call(personalData.delete, { body }),
    onSuccess: ({ deletesAt }) => {
      // The server ended all sessions, this one too: the layout goes to /sign-in.
      leaveDeletedAccount();
      toast({
        title: 'Your account is hidden',
        text: `It is deleted on ${dayOf(deletesAt)}. Sign in before then to keep it.`,
        tone: 'success',
        durationMs: Number.POSITIVE_INFINITY,
      });
    },
    failureNotice: (error) => {
      if (!isProblem(error, 'account_requests_open')) return errorNotice(error);
      // Somebody paid meanwhile: the screen lists the request.
      void invalidate(personalData.get);
      return null;
    },
  });
  return (
    <Form form={form} label="Delete my account">
      <Card className="flex flex-col gap-3">
        <CurrentPasswordField form={form} name="password" email={email} label="Your password" lines={2} />
        <div className="flex flex-wrap justify-end gap-3">
          <Link to="/settings" className={buttonClass({ variant: 'secondary' })}>
            Cancel
          </Link>
          <SubmitButton form={form} variant="danger" pendingLabel="Deleting...">
            Delete my account
          </SubmitButton>
        </div>
      </Card>
    </Form>
  );
}
