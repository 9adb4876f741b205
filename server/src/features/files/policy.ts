import type { Viewer } from '../../platform/http/viewer.ts';
import type { files } from './tables.ts';

type Known = Pick<typeof files.$inferSelect, 'bucket' | 'ownerAccountId' | 'usedAt' | 'readers'>;

/** Stands for all admins among the readers of a picture; no account has such an id. */
export const adminReaders = '*admins';

type Reader = Pick<Viewer, 'accountId' | 'hiddenAccountIds' | 'admin'>;

export const fileCan = {
  /**
   * Whether a member may see a stored picture by the storage calls (§6): an upload nobody uses yet only its owner; posts'
   * and profiles' pictures every member from whom the owner is not hidden; message pictures their readers, of
   * reported messages also admins, and once taken back nobody. Identity pictures nobody: they have a way of their own, whose every step is audited.
   */
  see: (viewer: Reader, file: Known): boolean => {
    if (file.bucket === 'verificationFiles') return false;
    if (file.readers?.length === 0) return false;
    // Taken back, and looked at for a report.
    if (file.readers?.every((id) => id === adminReaders)) return viewer.admin;
    if (file.ownerAccountId === viewer.accountId) return true;
    if (file.usedAt === null) return false;
    if (file.readers !== null)
      return file.readers.includes(viewer.accountId) || (viewer.admin && file.readers.includes(adminReaders));
    const isHidden = viewer.hiddenAccountIds.some((id) => id === file.ownerAccountId);
    return file.bucket === 'images' && !isHidden;
  },
  /** Whether a member may know what is known of a file; its owner also of an identity picture, whose bytes nobody sees here. */
  seeDetails: (viewer: Reader, file: Known): boolean =>
    fileCan.see(viewer, file) ||
    (file.bucket === 'verificationFiles' && file.ownerAccountId === viewer.accountId),
} as const;

/** Accounts that may know of a file, by `fileCan.seeDetails`; those from whom its owner is hidden among them. */
export function fileAudience({
  bucket,
  ownerAccountId,
  usedAt,
  readers,
}: Known): readonly string[] | 'members' {
  const owner = ownerAccountId === null ? [] : [ownerAccountId];
  if (bucket === 'verificationFiles' || usedAt === null) return owner;
  if (readers !== null) {
    const accountIds = readers.filter((id) => id !== adminReaders);
    return accountIds.length === 0 ? [] : [...new Set([...owner, ...accountIds])];
  }
  return bucket === 'images' ? 'members' : owner;
}

/**
 * The other member of a chat's picture, if one of the two is hidden from the other: then the chat decides whether the
 * viewer sees it. Undefined of all other pictures, and for admins who look at a reported one.
 */
export function hiddenPartner(
  { accountId, hiddenAccountIds }: Pick<Viewer, 'accountId' | 'hiddenAccountIds'>,
  { bucket, readers }: Known,
): string | undefined {
  if (bucket !== 'messageFiles' || !readers?.includes(accountId)) return undefined;
  return readers.find((id) => id !== accountId && hiddenAccountIds.includes(id));
}
