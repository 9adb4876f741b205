/** Whether an error of the system, a connection or the database has one of these codes. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

/** Whether an error means that a file or folder does not exist. */
export const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT');
