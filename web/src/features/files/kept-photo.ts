const nameOf = (form: string) => `photo:${form}`;

/** The id of the photo that was sent for a form before the page was loaded again; null when there is none. */
export function keptPhoto(form: string): string | null {
  try {
    return sessionStorage.getItem(nameOf(form));
  } catch {
    // Storage can be forbidden: then nothing was kept.
    return null;
  }
}

export function keepPhoto(form: string, id: string): void {
  try {
    sessionStorage.setItem(nameOf(form), id);
  } catch {
    // Full or forbidden: the form still works.
  }
}

export function forgetPhoto(form: string): void {
  try {
    sessionStorage.removeItem(nameOf(form));
  } catch {
    // As above.
  }
}
