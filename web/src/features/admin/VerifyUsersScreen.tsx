import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { displayLength } from '@tara/contract/limits';
import { empty } from '@tara/contract/notices';
import { type VerificationRequest, verification, verificationCan } from '@tara/contract/verification';
import { BadgeCheck, Check, X } from 'lucide-react';
import { errorNotice } from '../../lib/failure.ts';
import { pagesOf, useCall, useLoadedPages } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { PersonName, truncate } from '../../ui/facts.tsx';
import { confirm, toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { Avatar } from '../../ui/Picture.tsx';
import { fullDate, TimeLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { BirthDateCorrection } from '../profiles/index.ts';
import { AdminQueue, AdminQueueSkeleton, PersonLine, UndecidableNote } from './AdminQueue.tsx';
import { IdentityPictures } from './IdentityPictures.tsx';
import { removeFromList } from './remove-from-list.ts';

const route = getRouteApi('/_main/_admin/verify-users');

export const verificationPages = pagesOf(verification.pending);

export const VerifyUsersSkeleton = () => <AdminQueueSkeleton title="Verify Users" />;

/** /verify-users (§2): the pending verification requests. */
export function VerifyUsersScreen() {
  const { open } = route.useSearch();
  const list = useLoadedPages(verificationPages);
  return (
    <Page title="Verify Users" width="grid">
      <AdminQueue
        route="/verify-users"
        list={list}
        open={open}
        icon={BadgeCheck}
        about="Verification requests appear here."
        choose={{ title: 'Choose a request', text: 'See its pictures. Each view of them is recorded.' }}
        row={(request) => <RequestRow request={request} />}
        detail={(request) => <RequestDetail request={request} />}
      />
    </Page>
  );
}

/** The member, the time of the request, and the beginning of the address (§9). */
function RequestRow({ request: { creator, address, createdAt } }: { request: VerificationRequest }) {
  return (
    <>
      <Avatar name={creator.name} src={urlAtWidth(creator.picture.imageUrl, 96)} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <PersonName person={creator} className="font-semibold" />
          <TimeLabel iso={createdAt} className="text-sm text-ink-soft" />
        </span>
        <span className="block truncate text-sm text-ink-soft">@{creator.username}</span>
        <span className="block text-sm wrap-anywhere text-ink-soft">
          {truncate(address, displayLength.adminAddress)}
        </span>
      </span>
    </>
  );
}

/** One request with its pictures, to be accepted or declined (§4). */
function RequestDetail({ request }: { request: VerificationRequest }) {
  const { id, creator, address, birthDate, createdAt } = request;
  const navigate = useNavigate();
  const leave = () => {
    removeFromList(verification.pending, id);
    void navigate({ to: '/verify-users', replace: true });
  };
  const outcome = (title: string) => ({
    quiet: true,
    onSuccess: () => {
      toast({ title, tone: 'success' as const });
      leave();
    },
    onError: (error: unknown) => {
      toast({ ...errorNotice(error), tone: 'danger' });
      leave();
    },
  });
  const accept = useCall(verification.accept, outcome(`${creator.name} is verified.`));
  const decline = useCall(verification.decline, outcome(`The request of ${creator.name} was declined.`));
  const { profile } = useSession();
  const verdict = verificationCan.decide(request, profile.id);
  const busy = accept.isPending || decline.isPending;
  const askToDecline = async () => {
    const isConfirmed = await confirm({
      title: 'Are you sure?',
      text: `The request of ${creator.name} and its three pictures will be deleted. You will not be able to change it after.`,
      confirmLabel: 'Decline',
      tone: 'danger',
    });
    if (isConfirmed) decline.mutate({ body: { id } });
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
          <dt className="text-sm text-ink-soft">Birth date, to be compared with the ID</dt>
          <dd className="flex flex-wrap items-center justify-between gap-2">
            <span className={birthDate === null ? undefined : 'figures font-semibold'}>
              {birthDate === null ? empty.date : fullDate(birthDate)}
            </span>
            {verdict === true && <BirthDateCorrection member={creator} birthDate={birthDate} />}
          </dd>
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
            disabledReason={
              birthDate === null
                ? 'Enter the birth date from the ID first.'
                : decline.isPending && 'The request is being declined.'
            }
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
