import { useNavigate } from '@tanstack/react-router';
import { type VerificationRequest, verification, verificationCan } from '@tara/contract/verification';
import { Check, X } from 'lucide-react';
import { wordsOfFailure } from '../../lib/failure.ts';
import { useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { confirm } from '../../ui/confirm.ts';
import { Icon } from '../../ui/Icon.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { leaveList, PersonLine, UndecidableNote } from '../admin/index.ts';
import { IdentityPictures } from './IdentityPictures.tsx';

/** One request with its pictures, to be accepted or declined (§4). */
export function RequestDetail({ request }: { request: VerificationRequest }) {
  const { id, creator, address, createdAt } = request;
  const navigate = useNavigate();
  const leave = () => {
    leaveList(verification.pending, id);
    void navigate({ to: '/verify-users', replace: true });
  };
  const told = (title: string) => ({
    quiet: true,
    onSuccess: () => {
      toast({ title, tone: 'success' as const });
      leave();
    },
    onError: (error: unknown) => {
      toast({ ...wordsOfFailure(error), tone: 'danger' });
      leave();
    },
  });
  const accept = useCall(verification.accept, told(`${creator.name} is verified.`));
  const decline = useCall(verification.decline, told(`The request of ${creator.name} was declined.`));
  const { profile } = useSession();
  const verdict = verificationCan.decide(request, profile.id);
  const busy = accept.isPending || decline.isPending;
  const askToDecline = async () => {
    const sure = await confirm({
      title: 'Are you sure?',
      text: `The request of ${creator.name} and its three pictures are deleted. You will not be able to change it after.`,
      confirmLabel: 'Decline',
      tone: 'danger',
    });
    if (sure) decline.mutate({ body: { id } });
  };
  return (
    <Card className="flex flex-col gap-5">
      <PersonLine person={creator} heading />
      <dl className="flex flex-col gap-3">
        <div>
          <dt className="text-sm text-ink-soft">Address</dt>
          <dd className="wrap-anywhere">{address}</dd>
        </div>
        <div>
          <dt className="text-sm text-ink-soft">Sent</dt>
          <dd>
            <TimeLabel iso={createdAt} />
          </dd>
        </div>
      </dl>
      <IdentityPictures request={request} />
      {verdict === true ? (
        <div className="flex gap-3 max-sm:flex-col-reverse sm:justify-end">
          <Button
            variant="secondary"
            icon={<Icon of={X} />}
            pending={decline.isPending}
            disabledReason={accept.isPending && 'The request is being accepted.'}
            onClick={() => !busy && void askToDecline()}
          >
            Decline
          </Button>
          <Button
            icon={<Icon of={Check} />}
            pending={accept.isPending}
            disabledReason={decline.isPending && 'The request is being declined.'}
            onClick={() => !busy && accept.mutate({ body: { id } })}
          >
            Accept
          </Button>
        </div>
      ) : (
        <UndecidableNote reason={verdict} />
      )}
    </Card>
  );
}
