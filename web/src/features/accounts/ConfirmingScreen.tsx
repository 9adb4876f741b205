import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { Crashed } from '../../shell/Crashed.tsx';
import { Waiting } from '../../shell/Waiting.tsx';
import { ConfirmEmail } from './ConfirmEmail.tsx';
import { PleaseConfirm } from './PleaseConfirm.tsx';
import { sessionQuery } from './session.ts';
import { WaitForAccount } from './WaitForAccount.tsx';

interface ConfirmingScreenProps {
  secret?: string | undefined;
  userId?: string | undefined;
  username?: string | undefined;
}

/** Milliseconds between looks at the session: the mail may be opened on another device. */
const LOOK_AGAIN = 5_000;

/** /confirming: where the mailed link leads, and where a member with an unconfirmed e-mail is sent (§2). */
export function ConfirmingScreen({ secret, userId, username }: ConfirmingScreenProps) {
  if (secret && userId) return <ConfirmEmail secret={secret} userId={userId} username={username} />;
  return <WithoutSecret username={username} />;
}

function WithoutSecret({ username }: { username: string | undefined }) {
  const { data, isPending, error, refetch } = useQuery({
    ...sessionQuery,
    staleTime: 0,
    refetchInterval: LOOK_AGAIN,
  });
  if (data?.account.emailVerification) return <Navigate to="/" replace />;
  if (data) return <PleaseConfirm session={data} />;
  if (error) return <Crashed error={error} reset={() => void refetch()} />;
  return isPending ? <Waiting /> : <WaitForAccount username={username} />;
}
