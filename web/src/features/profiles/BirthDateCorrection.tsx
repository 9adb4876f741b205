import { BirthDate, profiles } from '@tara/contract/members/profiles';
import { verification } from '@tara/contract/members/verification';
import { useState } from 'react';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { DateField, FormDialog } from '../../lib/form-fields.tsx';
import { invalidate } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';

const Correction = z.strictObject({ birthDate: BirthDate });

interface BirthDateCorrectionProps {
  member: { id: string; name: string };
  /** The date as it is, null for none; absent where it is not shown. */
  birthDate?: string | null;
}

/** For admins: sets a member's birth date as it is on the ID. */
export default function BirthDateCorrection({ member, birthDate }: BirthDateCorrectionProps) {
  const [isOpen, setIsOpen] = useState(false);
  const form = useForm({
    schema: Correction,
    defaultValues: { birthDate: birthDate ?? '' },
    send: (fields) => call(verification.correctBirthDate, { body: { userId: member.id, ...fields } }),
    onSuccess: () => {
      setIsOpen(false);
      toast({ title: `The birth date of ${member.name} is set.`, tone: 'success' });
      void invalidate(verification.pending, profiles.get);
    },
  });
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setIsOpen(true)}>
        {birthDate === null ? 'Enter the birth date' : 'Correct the birth date'}
      </Button>
      <FormDialog
        form={form}
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Birth date of ${member.name}`}
        description="Enter it as it stands on the ID. The change is written to the audit log."
      >
        <DateField form={form} name="birthDate" label="Birth date" min="1900-01-01" />
      </FormDialog>
    </>
  );
}
