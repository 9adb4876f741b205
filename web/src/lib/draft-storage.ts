/** Drafts live in this tab only. A forbidden or full storage means no draft, never an error. */
export function readDraft(key: string): string | null {
  try {
    return sessionStorage.getItem(`draft:${key}`);
  } catch {
    return null;
  }
}

export function writeDraft(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(`draft:${key}`);
    else sessionStorage.setItem(`draft:${key}`, text);
  } catch {
    // Storage is forbidden or full: the form works without a draft.
  }
}

/** The stored values of a form's fields; none where nothing readable is stored. */
export function readDraftValues(key: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readDraft(key) ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Invalid JSON, or written by an older version.
    return {};
  }
}

/** Stores the values of a form's fields. */
export const writeDraftValues = (key: string, values: Record<string, unknown>) =>
  writeDraft(key, JSON.stringify(values));

/** Forgets what is stored under a key. */
export const clearDraft = (key: string) => writeDraft(key, null);
