import { accounts, Username } from '@tara/contract/accounts';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { type FormEvent, useState } from 'react';
import { isProblem } from '../../lib/failure.ts';
import { useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { toast } from '../../ui/toast.ts';
import { useCountDown } from '../../ui/use-count-down.ts';

interface ResendBoxProps {
  /** Seconds before the first time (§9). */
  initial: number;
  /** Known already, from the link or the session. */
  username?: string | undefined;
}

/** Has the confirmation mailed again, by username (§2, §5). */
export function ResendBox({ initial, username: known = '' }: ResendBoxProps) {
  const [username, setUsername] = useState(known);
  const [broken, setBroken] = useState<string>();
  const { left, done, restart } = useCountDown(initial);
  const resend = useCall(accounts.resendVerification, {
    quiet: true,
    onSuccess: () => {
      toast({ ...notices.emailResent, tone: 'success' });
      restart(timer.resendCountdown);
    },
    onError: (error) => {
      const words = isProblem(error, 'general_rate_limit_exceeded') ? error.words : notices.emailResendFailed;
      toast({ ...words, tone: 'danger', duration: timer.formToast });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (username.trim() === '') {
      setBroken(notices.usernameMissing.title);
      toast({ ...notices.usernameMissing, tone: 'danger', duration: timer.formToast });
      return;
    }
    const read = Username.safeParse(username);
    setBroken(read.error?.issues[0]?.message);
    if (read.success) resend.mutate({ body: { username: read.data } });
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <Field label="Username" error={broken}>
        <TextInput
          autoComplete="nickname"
          autoCapitalize="none"
          value={username}
          onChange={(event) => {
            setUsername(event.target.value);
            setBroken(undefined);
          }}
        />
      </Field>
      <Button
        type="submit"
        variant="secondary"
        block
        pending={resend.isPending}
        disabledReason={!done && `You can ask again in ${left} s.`}
      >
        {done ? 'Resend email' : `Resend email in ${left} s`}
      </Button>
    </form>
  );
}
