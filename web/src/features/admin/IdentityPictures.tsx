import { useQuery } from '@tanstack/react-query';
import { type VerificationRequest, verification } from '@tara/contract/verification';
import { ImageOff, Maximize2, RotateCw } from 'lucide-react';
import { errorNotice } from '../../lib/failure.ts';
import { queryOf } from '../../lib/queries.ts';
import { useHistoryFlag } from '../../lib/use-history-flag.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ImageViewer } from '../../ui/lazy-overlays.tsx';
import { ErrorState, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { useRenewedUrl } from './use-renewed-url.ts';

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
        <IdentityPicture src={idBack} label="Back of ID" refetch={refetch} />
        <IdentityPicture src={photo} label={`Photo of ${creator.name}`} refetch={refetch} />
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
  const viewer = useHistoryFlag(label);
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
