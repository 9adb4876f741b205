import type { Post } from '@tara/contract/posts';
import { Heart } from 'lucide-react';
import { type MouseEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { announce } from '../../ui/feedback.ts';
import { useLikePost } from './PostActions.tsx';

/** Time after a tap in which a second one makes it a double tap. */
const DOUBLE_TAP_MS = 280;
const HEART_MS = 700;

interface DoubleTap {
  /** For the link or button that the picture is in. */
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onClick: (event: MouseEvent<HTMLElement>) => void;
  };
  /** Shown over the picture after a double tap. */
  heart: ReactNode;
}

/**
 * A double tap on a post's picture likes it; it never takes a like back. A single tap does `single` once no second one
 * follows. Clicks of a mouse or the keyboard do not wait: a link opens by itself, a button does `single`.
 */
export function useDoubleTapLike(post: Post, single: () => void): DoubleTap {
  const like = useLikePost(post);
  const isTouch = useRef(false);
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [hearts, setHearts] = useState(0);
  const [isShown, setIsShown] = useState(false);
  useEffect(() => () => clearTimeout(pending.current), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each double tap shows the heart anew
  useEffect(() => {
    if (!isShown) return;
    const timeout = setTimeout(() => setIsShown(false), HEART_MS);
    return () => clearTimeout(timeout);
  }, [isShown, hearts]);

  const handleDoubleTap = () => {
    setHearts((count) => count + 1);
    setIsShown(true);
    if (post.liked) return;
    like();
    announce('You like this post.');
  };
  const handlers = {
    onPointerDown: ({ pointerType }: PointerEvent) => {
      isTouch.current = pointerType === 'touch';
    },
    onClick: (event: MouseEvent<HTMLElement>) => {
      // A key press has no count of clicks.
      if (!isTouch.current || event.detail === 0) {
        if (event.currentTarget.tagName !== 'A') single();
        return;
      }
      event.preventDefault();
      if (pending.current === undefined) {
        pending.current = setTimeout(() => {
          pending.current = undefined;
          single();
        }, DOUBLE_TAP_MS);
        return;
      }
      clearTimeout(pending.current);
      pending.current = undefined;
      handleDoubleTap();
    },
  };
  const heart = isShown && (
    <span
      key={hearts}
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 flex animate-burst items-center justify-center text-white"
    >
      <Heart size={96} strokeWidth={0} className="fill-white drop-shadow-[0_2px_12px_rgb(0_0_0/0.45)]" />
    </span>
  );
  return { handlers, heart };
}
