/**
 * The codes with which this server closes a socket. The SDKs reconnect after every one but 1008, so only what will be
 * refused each time has that code. A socket that is cut off without a close (`terminate`) has 1006 at its client.
 */
export const closeCode = {
  /** Its page, project or address is refused, and will be again: the client must not reconnect. */
  refused: 1008,
  /** The server stops: the client comes back, to another node where there is one. */
  goingAway: 1001,
  /** Something failed here. */
  failed: 1011,
  /** Events of other nodes may be missing: a client that reconnects fetches what is newer. */
  eventsMissed: 1012,
  /** Too many sockets now. */
  busy: 1013,
  /** The session is over: a client reconnects as a guest. */
  sessionEnded: 4401,
} as const;
