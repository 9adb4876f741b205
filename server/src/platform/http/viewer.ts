/** Who makes a request, read from the session; what policies decide by. */
export interface Viewer {
  accountId: string;
  profileId: string;
  sessionId: string;
  name: string;
  email: string;
  emailVerified: boolean;
  /** Identity accepted by an admin (§4). */
  verified: boolean;
  admin: boolean;
}

/** Finds the viewer of a session secret; null for an unknown or expired one. */
export type ResolveViewer = (secret: string) => Promise<Viewer | null>;
