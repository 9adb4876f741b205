import { useCallback, useEffect, useEffectEvent, useState } from 'react';

export interface CountDownState {
  /** Whole seconds left. */
  left: number;
  done: boolean;
  /** Starts again, from as many seconds as given or as at first. */
  restart: (seconds?: number) => void;
}

/** Counts seconds down by the clock, so that a sleeping tab does not lag behind. `onDone` is called once per run. */
export function useCountDown(seconds: number, onDone?: () => void): CountDownState {
  const [endsAt, setEndsAt] = useState(() => Date.now() + seconds * 1000);
  const [left, setLeft] = useState(seconds);
  const finish = useEffectEvent(() => onDone?.());
  useEffect(() => {
    const tick = () => {
      const secondsLeft = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
      setLeft(secondsLeft);
      if (secondsLeft > 0) return;
      clearInterval(timer);
      finish();
    };
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [endsAt]);
  const restart = useCallback(
    (again = seconds) => {
      setLeft(again);
      setEndsAt(Date.now() + again * 1000);
    },
    [seconds],
  );
  return { left, done: left === 0, restart };
}
