/** A time of the backend service's wire: ISO with milliseconds and `+00:00`. */
export const wireTime = (date: Date) => date.toISOString().replace('Z', '+00:00');

/** The same of a time that may not be there: `''`. */
export const wireTimeOrEmpty = (date: Date | null) => (date === null ? '' : wireTime(date));
