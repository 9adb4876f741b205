/** As the server reads it (server/src/config-variables.ts); what it refuses counts as unset. */
const readSeconds = (text, usual) => (/^\d{1,4}$/.test(text?.trim() ?? '') ? Number(text) : usual);

/** ms after a signal until a server that still runs is killed: a second after it would have ended by itself. */
export const killAfterMs = ({ DRAIN_DELAY, DRAIN_SECONDS } = process.env) =>
  (readSeconds(DRAIN_DELAY, 0) + readSeconds(DRAIN_SECONDS, 5) + 1) * 1000;
