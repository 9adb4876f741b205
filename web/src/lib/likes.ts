import type { Likes } from '@tara/contract/posts/likes';
import { showErrorToast } from './call.ts';
import { answerInTime, createOutbox, type Unsent } from './outbox.ts';

/** A record that members like. */
type Liked = Likes & { id: string };

/** What the viewer wants of a record, until the server has it. */
interface OutgoingLike extends Unsent, Likes {
  recordId: string;
  /** What was shown before, for the case that the server refuses. */
  before: Likes;
  /** Whether a request may have reached the server, although no answer came. */
  mayBeStored: boolean;
}

interface LikeOptions<Name extends string> {
  /** Of the outbox. */
  name: Name;
  /** Where the records are cached: the likes show in all of them. */
  cache: {
    change: (id: string, likes: Likes) => void;
    showLikes: (readLikes: () => ReadonlyMap<string, boolean>) => () => void;
  };
  /** Makes one of the calls of likes; resolves with the server's count. */
  send: (call: 'like' | 'unlike', id: string, totalLikes: number, signal: AbortSignal) => Promise<Likes>;
}

/**
 * Returns the function that likes a record, or takes that back (§4): it shows on all screens at once, waits while the
 * server cannot be reached, also over loads of the page, and is rolled back if the server refuses. Presses are ignored
 * on every screen while a call for the same record is pending; while the like waits, a press changes what is sent.
 */
export function createLikes<Name extends string>({ name, cache, send }: LikeOptions<Name>) {
  const outbox = createOutbox<Name, OutgoingLike>({
    name,
    queueOf: () => name,
    repeats: true,
    async send({ clientKey }, signal) {
      for (;;) {
        const like = outbox.find(clientKey);
        if (!like) return;
        const { recordId, liked, totalLikes } = like;
        if (navigator.onLine) outbox.update(clientKey, { mayBeStored: true });
        const counted = await answerInTime(signal, (signal) =>
          send(liked ? 'like' : 'unlike', recordId, totalLikes, signal),
        );
        const known = { liked: counted.liked, totalLikes: counted.totalLikes };
        if (outbox.find(clientKey)?.liked === liked) {
          cache.change(recordId, known);
          return;
        }
        // A press has changed it meanwhile.
        outbox.update(clientKey, { before: known });
      }
    },
    onRefuse({ recordId, liked, totalLikes, before }, error) {
      cache.change(recordId, before);
      showErrorToast(error, () => want(recordId, { liked, totalLikes }, before));
    },
  });
  const likes = () => outbox.store.getState()[name];
  outbox.store.subscribe(
    cache.showLikes(() => new Map(likes().map(({ recordId, liked }) => [recordId, liked]))),
  );

  function want(recordId: string, wanted: Likes, before: Likes): void {
    const waiting = likes().find((like) => like.recordId === recordId);
    if (!waiting) {
      outbox.add({ recordId, ...wanted, before, mayBeStored: false });
      return;
    }
    if (!outbox.isOffline(waiting)) return;
    if (wanted.liked !== waiting.before.liked || waiting.mayBeStored) {
      outbox.update(waiting.clientKey, wanted);
      return;
    }
    // As the server has it.
    outbox.discard(waiting.clientKey);
    cache.change(recordId, waiting.before);
  }

  return ({ id, liked, totalLikes }: Liked): void =>
    want(
      id,
      { liked: !liked, totalLikes: Math.max(0, totalLikes + (liked ? -1 : 1)) },
      { liked, totalLikes },
    );
}
