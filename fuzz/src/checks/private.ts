import { OwnProfile, Profile } from '@tara/contract/members/profiles';

/** The private data of an actor. */
export interface Owner {
  accountId: string;
  /** Texts that only the owner's replies may contain: email, phone number, birth date, address. */
  privateTexts: readonly string[];
  /** Whether the actor may read private fields of others (an admin). */
  admin: boolean;
}

/** Fields of a profile for its owner alone. */
const ownFields = Object.keys(OwnProfile.shape).filter((name) => !(name in Profile.shape));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Paths of fields that this reader must not get: of another's profile, or of a payment that is another's. */
function foreignFields(value: unknown, reader: Owner | null, path: string): string[] {
  if (!isRecord(value)) return [];
  const here: string[] = [];
  const { accountId, clientAccountId, checkoutUrl } = value;
  if (typeof accountId === 'string' && accountId !== reader?.accountId)
    here.push(...ownFields.filter((field) => value[field] !== undefined && value[field] !== null));
  if (typeof checkoutUrl === 'string' && clientAccountId !== reader?.accountId) here.push('checkoutUrl');
  return [
    ...here.map((field) => `${path}.${field}`),
    ...Object.entries(value).flatMap(([key, inner]) => foreignFields(inner, reader, `${path}.${key}`)),
  ];
}

/** Private data of others in a reply to its reader (null: a guest), or null. An error reply, without `json`, repeats field names. */
export function privateFault(
  text: string,
  json: unknown,
  reader: Owner | null,
  owners: readonly Owner[],
): string | null {
  const [field] = foreignFields(json, reader, 'reply');
  if (field !== undefined) return `${field} of another member`;
  if (reader?.admin) return null;
  for (const owner of owners) {
    if (owner.accountId === reader?.accountId) continue;
    const secret = owner.privateTexts.find((one) => text.includes(one));
    if (secret !== undefined) return `a private text of another member: ${secret}`;
  }
  return null;
}
