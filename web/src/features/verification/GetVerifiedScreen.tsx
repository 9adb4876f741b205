import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts/accounts';
import { addressLength, timer } from '@tara/contract/limits';
import { BirthDate, profiles } from '@tara/contract/members/profiles';
import { VerificationForm, verification } from '@tara/contract/members/verification';
import { declineReasons, type VerificationDecline } from '@tara/contract/members/verification-declines';
import { notices } from '@tara/contract/notices';
import { problemNotice } from '@tara/contract/problems';
import { Check, IdCard, Info, LockKeyhole, type LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { call, isProblem, OfflineError } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { CheckboxField, Form, SubmitButton, TextField, termsFirst } from '../../lib/form-fields.tsx';
import { PhotoField } from '../../lib/photo-field.tsx';
import { invalidate } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { EmptyState, Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { BirthDateField } from '../profiles/index.ts';
import { UsualTime } from './UsualTime.tsx';

const route = getRouteApi('/_main/verifying-identity');

/** /verifying-identity (§2): sends a verification request to the admins, once. */
export function GetVerifiedScreen() {
  const { profile } = useSession();
  // Only the state on arrival: sending the request updates the session, which must not redirect.
  const [wasSent] = useState(profile.sentVerifiedReq);
  if (profile.verified) {
    return (
      <Page title="Get Verified" width="form">
        <EmptyState
          illustration="together"
          title="You are verified"
          text="Others see the mark beside your name. You can create plans and request those of others."
          action={
            <Link to="/profile/$id" params={{ id: profile.id }} className={buttonClass()}>
              Go to your profile
            </Link>
          }
        />
      </Page>
    );
  }
  if (wasSent) return <AlreadySent profileId={profile.id} />;
  return (
    <Page
      title="Get Verified"
      intro={
        <>
          Show who you are, so that others can trust you. Verified members create plans and request those of
          others. <UsualTime />
        </>
      }
      width="form"
    >
      <VerificationRequestForm />
    </Page>
  );
}

/** §5: if a request was already sent the page goes back. */
function AlreadySent({ profileId }: { profileId: string }) {
  const router = useRouter();
  const navigate = useNavigate();
  const left = useRef(false);
  useEffect(() => {
    if (left.current) return;
    left.current = true;
    toast(problemNotice('verification_already_sent'));
    if (router.history.canGoBack()) router.history.back();
    else void navigate({ to: '/profile/$id', params: { id: profileId }, replace: true });
  }, [router, navigate, profileId]);
  return null;
}

const pictureId = z.string().check(z.minLength(1, 'Please add a picture.'));

const RequestFields = z.extend(VerificationForm, {
  idFrontId: pictureId,
  idBackId: pictureId,
  photoId: pictureId,
  birthDate: z.pipe(z.string().check(z.minLength(1, 'Please choose your birth date.')), BirthDate),
  accepted: z.boolean(),
});

const pictures = [
  { name: 'idFrontId', label: 'Front of your ID', prompt: 'Add the front' },
  { name: 'idBackId', label: 'Back of your ID', prompt: 'Add the back' },
  { name: 'photoId', label: 'Photo of yourself', prompt: 'Add your photo' },
] as const;

const advice = [
  'The whole card is in the picture, all four corners.',
  'Every word can be read: no glare, no blur.',
  'Your face is easy to see and looks at the camera.',
];

/** The birth date, the three pictures, the address and the terms (§5). */
export function VerificationRequestForm() {
  const { profile } = useSession();
  const navigate = useNavigate();
  // The plan that the member wants to request.
  const { plan } = route.useSearch();
  const home = { to: '/profile/$id', params: { id: profile.id }, replace: true } as const;
  const form = useForm({
    schema: RequestFields,
    defaultValues: {
      ...{ idFrontId: '', idBackId: '', photoId: '', address: '', accepted: false },
      birthDate: profile.bDay ?? '',
    },
    // Identity pictures are never shown to their owner, so a draft could not show them.
    draft: { key: 'verification', fields: ['address', 'birthDate'] },
    leaveWarning: 'The pictures you added have to be chosen again.',
    send: ({ accepted: _, ...body }) => call(verification.send, { body }),
    onSuccess: () => {
      toast({ ...notices.verificationSent, tone: 'success' });
      void invalidate(accounts.session, profiles.get);
    },
    leaveTo: () => (plan ? { to: '/profile/plan-details/$id', params: { id: plan }, replace: true } : home),
    failureNotice: (error) => {
      if (isProblem(error, 'verification_already_sent')) {
        toast({ ...error.notice, durationMs: timer.formToastMs });
        void invalidate(accounts.session);
        void navigate({ ...home, ignoreBlocker: true });
        return null;
      }
      const { text } = error instanceof OfflineError ? error.notice : notices.verificationFailed;
      return { ...notices.verificationFailed, ...(text ? { text } : {}) };
    },
  });
  const accepted = useWatch({ control: form.control, name: 'accepted' });
  return (
    <Form form={form} className="flex flex-col gap-4">
      {profile.verificationDecline && <DeclineNote {...profile.verificationDecline} />}
      <DocumentsNotes />
      <div className="grid gap-x-5 gap-y-3 sm:grid-cols-2">
        {pictures.map(({ name, label, prompt }) => (
          <PhotoField
            key={name}
            form={form}
            name={name}
            bucket="verificationFiles"
            label={label}
            prompt={prompt}
            previewAlt={label}
            ratio="3 / 2"
          />
        ))}
        {/* On phones before the pictures that it is about, else in the place beside them. */}
        <ul className="flex flex-col justify-center gap-2 text-sm text-ink-soft max-sm:order-first sm:pt-6">
          {advice.map((line) => (
            <li key={line} className="flex gap-2">
              <Icon of={Check} size={18} className="mt-0.5 shrink-0 text-leaf" />
              {line}
            </li>
          ))}
        </ul>
      </div>
      <TextField
        form={form}
        name="address"
        label="Address"
        hint="Where you live: street, city and province."
        limit={addressLength.max}
        autoComplete="street-address"
      />
      <BirthDateField
        form={form}
        name="birthDate"
        hint="As it stands on your ID. Only you and admins see it; plans are for members of 18 years and older."
      />
      <CheckboxField
        form={form}
        name="accepted"
        label="I accept the terms and conditions"
        hint="These are my own documents, they are valid, and Tara may use them to check who I am."
      />
      <SubmitButton form={form} block pendingLabel="Sending..." disabledReason={!accepted && termsFirst}>
        Send request
      </SubmitButton>
    </Form>
  );
}

/** Why the latest request was declined, before what a new one needs. */
const DeclineNote = ({ reason, note }: VerificationDecline) => (
  <section className="flex gap-3 rounded-card bg-mango-soft p-4">
    <Icon of={Info} className="mt-0.5 shrink-0 text-mango-ink" />
    <div className="min-w-0">
      <h2 className="font-semibold">Your last request was declined</h2>
      <p>{declineReasons[reason].text}</p>
      {note !== '' && (
        <blockquote className="mt-2 border-l-2 border-mango-ink pl-3 wrap-anywhere whitespace-pre-line">
          {note}
        </blockquote>
      )}
      <p className="mt-2 text-sm text-ink-soft">
        Its pictures are deleted. You can send a new one at any time.
      </p>
    </div>
  </section>
);

/** What documents are good, who sees them and for how long. */
const DocumentsNotes = () => (
  <div className="grid gap-6 rounded-card bg-lagoon-soft p-4 text-sm sm:grid-cols-2">
    <Note icon={IdCard} title="Which ID is good">
      <li>A passport, of any country.</li>
      <li>A Philippine national ID, driver’s license, UMID, PRC or postal ID.</li>
      <li>It is valid, and shows your photo, name and birth date.</li>
    </Note>
    <Note icon={LockKeyhole} title="What happens with your documents">
      <li>They are stored encrypted.</li>
      <li>Only an admin sees them, to check who you are; each view is recorded.</li>
      <li>They are deleted when the request is declined, and 30 days after it was accepted.</li>
    </Note>
  </div>
);

function Note({ icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <section className="flex gap-3">
      <Icon of={icon} className="shrink-0 text-lagoon" />
      <div>
        <h2 className="font-semibold">{title}</h2>
        <ul className="mt-1 flex list-disc flex-col gap-1 pl-4">{children}</ul>
      </div>
    </section>
  );
}
