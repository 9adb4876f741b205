import { accounts, Username } from '@tara/contract/accounts';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { isProblem, noticeSentence } from '../../lib/failure.ts';
import { Form, SubmitButton, useForm } from '../../lib/form.tsx';
import { TextField } from '../../lib/form-fields.tsx';
import { toast } from '../../ui/toast.ts';
import { useCountDown } from '../../ui/use-count-down.ts';

const Resend = z.strictObject({
  username: z.pipe(
    z.string().check(z.refine((value) => value.trim() !== '', noticeSentence(notices.usernameMissing))),
    Username,
  ),
});

interface ResendBoxProps {
  /** Seconds until the email can be sent again for the first time (§9). */
  initial: number;
  /** Prefilled from the link or the session. */
  username?: string | undefined;
}

/** Requests the confirmation email again, by username (§2, §5). */
export function ResendBox({ initial, username = '' }: ResendBoxProps) {
  const { left, done, restart } = useCountDown(initial);
  const form = useForm({
    schema: Resend,
    defaultValues: { username },
    send: (body) => call(accounts.resendVerification, { body }),
    onSuccess: () => {
      toast({ ...notices.emailResent, tone: 'success' });
      restart(timer.resendCountdownSeconds);
    },
    failureNotice: (error) =>
      isProblem(error, 'general_rate_limit_exceeded') ? error.notice : notices.emailResendFailed,
  });
  return (
    <Form form={form} label="Resend the email" className="flex flex-col gap-2">
      <TextField
        form={form}
        name="username"
        label="Username"
        autoComplete="nickname"
        autoCapitalize="none"
        lines={2}
      />
      <SubmitButton
        form={form}
        variant="secondary"
        block
        disabledReason={!done && `You can ask again in ${left} s.`}
      >
        {done ? 'Resend email' : `Resend email in ${left} s`}
      </SubmitButton>
    </Form>
  );
}
