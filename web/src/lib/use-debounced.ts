import { useEffect, useState } from 'react';

/** The value once it has not changed for `delay` milliseconds (§9: 500 for what is searched). */
export function useDebounced<Value>(value: Value, delay: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
