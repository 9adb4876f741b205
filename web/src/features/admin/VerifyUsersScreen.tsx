// biome-ignore lint/style/noRestrictedImports: links that need a recent password; making them is audited, and hovering a link runs loaders.
import { useQuery } from '@tanstack/react-query';
import { displayLength } from '@tara/contract/limits';
import { type VerificationRequest, verification, verificationCan } from '@tara/contract/members/verification';
import { empty } from '@tara/contract/notices';
import { BadgeCheck, Check, ImageOff, Info, Maximize2, RotateCw, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { errorNotice } from '../../lib/call.ts';
import { pagesOf, queryOf, useCall, useLoadedPages } from '../../lib/queries.ts';
import { PersonAvatar } from '../../lib/stored-picture.tsx';
import { Button } from '../../ui/Button.tsx';
import { PersonName, truncate } from '../../ui/facts.tsx';
import { confirm, toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ImageViewer, useOpenState } from '../../ui/lazy-overlays.tsx';
import { Card, ErrorState, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { fullDate, TimeLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { BirthDateCorrection } from '../profiles/index.ts';
import { AdminQueue, irreversible, PersonLine, UndecidableNote, useLeave } from './AdminQueue.tsx';
import { DeclineDialog } from './DeclineDialog.tsx';

const verificationPages = pagesOf(verification.pending);

/** /verify-users (§2): the pending verification requests. */
export function VerifyUsersScreen() {
  return (
    <AdminQueue
      route="/verify-users"
      title="Verify Users"
      list={useLoadedPages(verificationPages)}
      icon={BadgeCheck}
      about="Verification requests appear here."
      choose={{ title: 'Choose a request', text: 'See its pictures. Each view of them is recorded.' }}
      row={(request) => <RequestRow request={request} />}
      detail={(request) => <RequestDetail request={request} />}
      hasKeys
    />
  );
}

/** The member, the time of the request, and the beginning of the address (§9). */
function RequestRow({ request: { creator, address, createdAt } }: { request: VerificationRequest }) {
  return (
    <>
      <PersonAvatar person={creator} />
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
  const leave = useLeave('/verify-users', verification.pending, id);
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
  const { profile } = useSession();
  const verdict = verificationCan.decide(profile.id, request);
  const declining = useOpenState();
  const askToAccept = async () => {
    const isConfirmed = await confirm({
      title: 'Are you sure?',
      text: `${creator.name} is shown as verified, and can offer and request plans. ${irreversible}`,
      confirmLabel: 'Accept',
    });
    if (isConfirmed) accept.mutate({ body: { id } });
  };
  return (
    <Card className="flex flex-col gap-5">
      <PersonLine person={creator} heading />
      <dl className="flex flex-col gap-3">
        <Fact name="Address">
          <span className="wrap-anywhere">{address}</span>
        </Fact>
        <Fact name="Birth date, to be compared with the ID">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <span className={birthDate === null ? undefined : 'figures font-semibold'}>
              {birthDate === null ? empty.date : fullDate(birthDate)}
            </span>
            {verdict === true && <BirthDateCorrection member={creator} birthDate={birthDate} />}
          </div>
        </Fact>
        <Fact name="Sent">
          <TimeLabel iso={createdAt} />
        </Fact>
      </dl>
      <IdentityPictures request={request} />
      {verdict === true && birthDate === null && (
        <p className="flex items-start gap-2 rounded-control bg-mango-soft p-3">
          <Icon of={Info} className="mt-0.5 shrink-0 text-mango-ink" />
          To accept, enter the birth date from the ID first.
        </p>
      )}
      {verdict === true ? (
        <div className="flex gap-3 max-sm:flex-col-reverse sm:justify-end">
          <Button
            variant="secondary"
            aria-keyshortcuts="d"
            icon={<Icon of={X} />}
            disabledReason={accept.isPending && 'The request is being accepted.'}
            onClick={() => !accept.isPending && declining.open()}
          >
            Decline
          </Button>
          <Button
            variant="approve"
            aria-keyshortcuts="a"
            icon={<Icon of={Check} />}
            pending={accept.isPending}
            disabledReason={birthDate === null && 'Enter the birth date from the ID first.'}
            onClick={() => !accept.isPending && void askToAccept()}
          >
            Accept
          </Button>
        </div>
      ) : (
        <UndecidableNote reason={verdict} />
      )}
      {declining.isOpen && (
        <DeclineDialog
          request={request}
          onClose={declining.close}
          {...outcome(`The request of ${creator.name} was declined.`)}
        />
      )}
    </Card>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-sm text-ink-soft">{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** The three pictures of a request. Their links are created when it is opened and need a recent password. */
export function IdentityPictures({ request }: { request: VerificationRequest }) {
  const { id, creator } = request;
  const links = useQuery({
    ...queryOf(verification.pictures, { params: { id } }),
    // Fetch new links only when a picture needs them: changing windows must not prompt for the password.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const refetch = async () => void (await links.refetch());
  if (links.data) {
    const { idFront, idBack, photo } = links.data;
    return (
      <div className="grid gap-4 sm:grid-cols-2">
        <IdentityPicture src={idFront} label="Front of ID" refetch={refetch} />
        {/* Beside the portrait of the ID, with which it is compared. */}
        <IdentityPicture src={photo} label={`Photo of ${creator.name}`} refetch={refetch} />
        <IdentityPicture src={idBack} label="Back of ID" refetch={refetch} />
      </div>
    );
  }
  if (links.isError) {
    const { title, text } = errorNotice(links.error);
    return (
      <ErrorState title={title} text={text} retrying={links.isFetching} onRetry={() => void refetch()} />
    );
  }
  return (
    <Skeletons count={3} label="Loading the pictures" className="grid gap-4 sm:grid-cols-2">
      {() => <Skeleton shape="box" height={160} />}
    </Skeletons>
  );
}

interface IdentityPictureProps {
  /** A short-lived link; a new one is fetched when it expires. */
  src: string;
  label: string;
  refetch: () => Promise<void>;
}

/** One identity picture; opens over the whole screen. */
function IdentityPicture({ src, label, refetch }: IdentityPictureProps) {
  const { url: shown, failed, onError, retry } = useRenewedUrl(src, refetch);
  const viewer = useOpenState();
  return (
    <figure className="flex flex-col gap-1.5">
      <figcaption className="text-sm text-ink-soft">{label}</figcaption>
      {failed ? (
        <div
          role="alert"
          className="flex aspect-3/2 flex-col items-center justify-center gap-2 rounded-control bg-sunken p-3 text-center text-sm text-ink-soft"
        >
          <Icon of={ImageOff} size={24} />
          This picture could not be loaded.
          <Button size="sm" variant="secondary" icon={<Icon of={RotateCw} size={16} />} onClick={retry}>
            Try again
          </Button>
        </div>
      ) : (
        <button
          type="button"
          aria-label={`${label}, open full screen`}
          onClick={viewer.open}
          className="group relative aspect-3/2 cursor-zoom-in overflow-hidden rounded-control bg-sunken"
        >
          <img src={shown} alt={label} onError={onError} className="size-full object-contain" />
          <span className="absolute right-2 bottom-2 flex size-8 items-center justify-center rounded-full bg-black/55 text-white">
            <Icon of={Maximize2} size={16} />
          </span>
        </button>
      )}
      <ImageViewer open={viewer.isOpen} onClose={viewer.close} src={shown} alt={label} />
    </figure>
  );
}

/** The URL of a picture behind a short-lived link. It is kept while it works, even if the list has a newer one: each
 * load is recorded as a view. If it fails, new links are fetched once; after that the person must press `retry`.
 */
export function useRenewedUrl(newest: string, refetch: () => Promise<void>) {
  const [url, setUrl] = useState(newest);
  const [failed, setFailed] = useState(false);
  const hasRetried = useRef(false);
  useEffect(() => {
    if (!failed || newest === url) return;
    setUrl(newest);
    setFailed(false);
  }, [failed, newest, url]);
  return {
    url,
    failed,
    onError() {
      setFailed(true);
      if (hasRetried.current) return;
      hasRetried.current = true;
      void refetch();
    },
    retry() {
      void refetch();
    },
  };
}
