import { Username } from '@tara/contract/account-forms';
import { account, accounts } from '@tara/contract/accounts';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { isProblem, noticeSentence } from '../../lib/failure.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton, TextField } from '../../lib/form-fields.tsx';
import { invalidate, useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { useCountDown } from '../../ui/TimeLabel.tsx';
import { confirmingUrl } from './sign-up.ts';

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

/** What a person is told when the email could not be sent again (§8). */
const resendFailure = (error: unknown) =>
  isProblem(error, 'general_rate_limit_exceeded') ? error.notice : notices.emailResendFailed;

/** Requests the confirmation email of the signed-in account again, and of no other. */
export function ResendButton({ initial, username }: { initial: number; username: string }) {
  const { left, done, restart } = useCountDown(initial);
  const resend = useCall(account.createVerification, {
    quiet: true,
    onSuccess: () => {
      toast({ ...notices.emailResent, tone: 'success' });
      restart(timer.resendCountdownSeconds);
    },
    onError: (error) => {
      // Confirmed elsewhere: the page goes on.
      if (isProblem(error, 'user_email_already_verified')) void invalidate(accounts.session);
      else toast({ ...resendFailure(error), tone: 'danger', durationMs: timer.formToastMs });
    },
  });
  return (
    <Button
      variant="secondary"
      block
      pending={resend.isPending}
      disabledReason={!done && `You can ask again in ${left} s.`}
      onClick={() => resend.mutate({ body: { url: confirmingUrl(username) } })}
    >
      {done ? 'Resend email' : `Resend email in ${left} s`}
    </Button>
  );
}

/** Requests the confirmation email again, by username (§2, §5): for guests. */
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
    failureNotice: resendFailure,
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
