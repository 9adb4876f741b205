import { useState } from 'react';

/** What is being written in a chat; it survives a reload and a visit elsewhere, in this tab. */
export function useWrittenText(id: string): [string, (text: string) => void] {
  const name = `draft:receipt:${id}`;
  const [text, setText] = useState(() => {
    try {
      return sessionStorage.getItem(name) ?? '';
    } catch {
      // Storage can be forbidden: then there is no draft.
      return '';
    }
  });
  return [
    text,
    (written) => {
      setText(written);
      try {
        if (written === '') sessionStorage.removeItem(name);
        else sessionStorage.setItem(name, written);
      } catch {
        // As above.
      }
    },
  ];
}
