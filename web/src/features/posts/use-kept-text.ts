import { useState } from 'react';

function read(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? '';
  } catch {
    // Storage can be forbidden: then nothing is kept.
    return '';
  }
}

/** A text of one field that survives a reload, in this tab. */
export function useKeptText(key: string): [text: string, setText: (text: string) => void] {
  const name = `draft:${key}`;
  const [text, setText] = useState(() => read(name));
  return [
    text,
    (next) => {
      setText(next);
      try {
        if (next === '') sessionStorage.removeItem(name);
        else sessionStorage.setItem(name, next);
      } catch {
        // As above: the field still works.
      }
    },
  ];
}
