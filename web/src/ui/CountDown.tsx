import { cx } from './cx.ts';
import { useCountDown } from './use-count-down.ts';

/** Seconds going down, e.g. '42 s'. A fresh `key` starts it again; `useCountDown` gives the figure itself. */
export function CountDown({
  seconds,
  onDone,
  className,
}: {
  seconds: number;
  onDone?: () => void;
  className?: string;
}) {
  const { left } = useCountDown(seconds, onDone);
  return (
    <span role="timer" className={cx('figures', className)}>
      {left} s
    </span>
  );
}
