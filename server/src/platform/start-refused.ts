/**
 * Exit code of a server that refused to start: a person has to change something, so `npm start` does not try again
 * (scripts/setup/supervise.mjs). It is EX_CONFIG of sysexits.h.
 */
export const refusedExitCode = 78;

/** A setting, or what the server finds at its start, does not allow it to run; the message says what to change. */
export class StartRefused extends Error {
  override readonly name: string = 'StartRefused';
}
