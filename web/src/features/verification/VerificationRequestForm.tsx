import { useNavigate } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts';
import { addressLength, timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { VerificationForm, verification } from '@tara/contract/verification';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { isProblem, OfflineError } from '../../lib/failure.ts';
import { showFieldErrors, useDraft, useUnsavedWarning, useZodForm } from '../../lib/forms.ts';
import { invalidate, useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { DocumentsNote } from './DocumentsNote.tsx';
import { IdentityPhotos } from './IdentityPhotos.tsx';
import { firstMissing } from './missing.ts';
import { useIdentityPhotos } from './use-identity-photos.ts';

const Words = z.pick(VerificationForm, { address: true });

/** The three pictures, the address and the terms (§5). */
export function VerificationRequestForm() {
  const { profile } = useSession();
  const navigate = useNavigate();
  const photos = useIdentityPhotos();
  const [accepted, setAccepted] = useState(false);
  const form = useZodForm(Words, { defaultValues: { address: '' } });
  const clearDraft = useDraft('verification', form);
  const send = useCall(verification.send, {
    quiet: true,
    onSuccess: () => {
      clearDraft();
      toast({ ...notices.verificationSent, tone: 'success' });
      void invalidate(accounts.session);
    },
    onError: (error) => {
      if (isProblem(error, 'verification_already_sent')) {
        toast(error.words);
        void invalidate(accounts.session);
        return;
      }
      if (showFieldErrors(form, error)) return;
      const text = error instanceof OfflineError ? error.words.text : notices.verificationFailed.text;
      toast({ ...notices.verificationFailed, text, tone: 'danger', duration: timer.formToast });
    },
  });
  const over = send.isSuccess || isProblem(send.error, 'verification_already_sent');
  const somethingToLose = form.formState.isDirty || photos.some(({ photo }) => photo.chosen);
  useUnsavedWarning(somethingToLose && !over, 'The pictures you added have to be chosen again.');
  // After the warning is off, which stands above: effects run in their order.
  useEffect(() => {
    if (over) void navigate({ to: '/profile/$id', params: { id: profile.id }, replace: true });
  }, [over, navigate, profile.id]);

  const [front, back, face] = photos;
  const submit = form.handleSubmit(({ address }) => {
    const [idFrontId, idBackId, photoId] = [front.photo.id, back.photo.id, face.photo.id];
    if (idFrontId && idBackId && photoId) send.mutate({ body: { idFrontId, idBackId, photoId, address } });
  });
  return (
    <form noValidate className="flex flex-col gap-6" onSubmit={submit}>
      <IdentityPhotos photos={photos} />
      <Field
        label="Address"
        hint="Where you live: street, city and province."
        limit={addressLength.max}
        error={form.formState.errors.address?.message}
      >
        <TextInput autoComplete="street-address" {...form.register('address')} />
      </Field>
      <DocumentsNote />
      <Checkbox
        label="I accept the terms and conditions"
        hint="These are my own documents, they are valid, and Tara may use them to check who I am."
        checked={accepted}
        onChange={(event) => setAccepted(event.target.checked)}
      />
      <Button
        type="submit"
        block
        pending={send.isPending}
        pendingLabel="Sending..."
        disabledReason={firstMissing({ photos, address: form.watch('address'), accepted })}
      >
        Send request
      </Button>
    </form>
  );
}
