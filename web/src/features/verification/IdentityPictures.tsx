import { useQuery } from '@tanstack/react-query';
import { type VerificationRequest, verification } from '@tara/contract/verification';
import { wordsOfFailure } from '../../lib/failure.ts';
import { queryOf } from '../../lib/queries.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton, Skeletons } from '../../ui/Skeleton.tsx';
import { IdentityPicture } from './IdentityPicture.tsx';

/** The three pictures of a request, behind links that are made when it is opened and need a recent password. */
export function IdentityPictures({ request }: { request: VerificationRequest }) {
  const { id, creator } = request;
  const links = useQuery({
    ...queryOf(verification.pictures, { params: { id } }),
    // New links only when a picture needs them: nobody is asked for the password by a mere change of window.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const askAgain = async () => void (await links.refetch());
  if (links.data) {
    const { idFront, idBack, photo } = links.data;
    return (
      <div className="grid gap-4 sm:grid-cols-2">
        <IdentityPicture src={idFront} label="Front of ID" askAgain={askAgain} />
        <IdentityPicture src={idBack} label="Back of ID" askAgain={askAgain} />
        <IdentityPicture src={photo} label={`Photo of ${creator.name}`} askAgain={askAgain} />
      </div>
    );
  }
  if (links.isError) {
    const { title, text } = wordsOfFailure(links.error);
    return (
      <ErrorState title={title} text={text} retrying={links.isFetching} onRetry={() => void askAgain()} />
    );
  }
  return (
    <Skeletons count={3} label="Loading the pictures" className="grid gap-4 sm:grid-cols-2">
      {() => <Skeleton shape="box" height={160} />}
    </Skeletons>
  );
}
