import { Name, Username } from '@tara/contract/accounts/forms';
import { Id, text } from '@tara/contract/fields';
import { defaultUsername, profileLength, startLimitedPlan } from '@tara/contract/limits';
import { BirthDate, eachAboutText } from '@tara/contract/members/profiles';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { accounts, updateName, updateUsername } from '../../../features/accounts/index.ts';
import {
  hasConfirmedEmail,
  profiles as table,
  updateAbout,
  updatePicture,
} from '../../../features/profiles/index.ts';
import { visibleTo } from '../../../features/visibility/index.ts';
import { bestHits } from '../../../platform/database/search.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { attribute, type Collection, change, creation, derivedByServer } from '../collection.ts';
import { inOneTransaction } from '../write.ts';
import { personSource } from './people.ts';

const person = personSource(table);

/** Until the email is confirmed one's own alone. */
const visible = (viewer: Viewer) =>
  and(
    isNull(table.deletedAt),
    viewer.emailVerified ? visibleTo(viewer, table.id) : eq(table.id, viewer.profileId),
  );

/** Lists and searches have nobody who never confirmed an email (decision 0002) but the viewer. */
const listed = (viewer: Viewer) => and(visible(viewer), viewer.emailVerified ? hasConfirmedEmail : undefined);

const names = { name: z.optional(Name), username: z.optional(Username), imageUrl: derivedByServer };

const aboutFields = {
  ...eachAboutText((name) => z.optional(text(profileLength[name]))),
  /** Null or empty for none. */
  bDay: z.union([BirthDate, z.literal('').transform(() => null)]).nullish(),
};

/** What a change of the About section goes on from: the owner reads all of it. */
const OwnAbout = z.object({
  ...eachAboutText(() => z.string()),
  bDay: z.string().nullable(),
  phoneNumber: z.string(),
});

/**
 * Profiles (§3). Each account has its profile from the beginning: to create one's document is to give the profile its
 * name and username, once; to create it again answers it as it is. Name and email are the account's; neither email nor phone number change here (decisions §1).
 */
export const users: Collection = {
  source: {
    ...person,
    joins: [{ table: accounts, on: eq(accounts.id, table.accountId) }],
    attributes: {
      ...person.attributes,
      accountId: attribute('string', table.accountId, { indexed: true }),
      name: attribute('string', table.name, {
        // The product's own search: the best 30 (decision 0034).
        search: (words, viewer) => {
          const best = bestHits(table, table, words, listed(viewer));
          return sql`${table.number} in (select ${best.number} from ${best.table})`;
        },
      }),
      imageId: attribute('string', table.imageId, { indexed: true }),
      username: {
        ...attribute('string', table.username, { indexed: true, folded: true }),
        column: sql`lower(${table.username})`,
      },
      // Of others it is neither shown nor looked for.
      email: {
        ...attribute('string', sql`coalesce(${accounts.email}, '')`, { private: true }),
        ...{ indexed: true, folded: true, searchable: ({ profileId }: Viewer) => eq(table.id, profileId) },
      },
      phoneNumber: attribute('string', table.phoneNumber, { private: true }),
      bDay: attribute('string', table.birthDate, { private: true }),
      ...eachAboutText((name) => attribute('string', table[name])),
      sentVerifiedReq: attribute('boolean', table.sentVerifiedReq, { private: true }),
      limitedPlan: attribute('integer', table.limitedPlan, { private: true }),
      totalPlan: attribute('integer', table.totalPlan, { private: true }),
      totalInteraction: attribute('integer', table.totalInteraction, { private: true }),
    },
  },
  readable: { list: listed, one: visible },
  announced: true,
  whileUnconfirmed: true,
  create: creation({
    fields: z.strictObject(names),
    sets: ({ accountId, email }) => ({
      ...{ accountId, email, phoneNumber: '', imageId: null, sentVerifiedReq: false, verified: null },
      ...eachAboutText(() => ''),
      ...{ bDay: null, limitedPlan: startLimitedPlan, totalPlan: 0, totalInteraction: 0 },
    }),
    findExisting: async (_context, { profileId }) => profileId,
    perMinute: 10,
    unconfirmed: true,
    run: async (context, viewer, { data: { name, username } }) => {
      const { profileId } = viewer;
      const [profile] = await context.database
        .select({ username: table.username })
        .from(table)
        .where(eq(table.id, profileId));
      if (profile?.username !== defaultUsername) return profileId;
      await inOneTransaction(context, async (once) => {
        if (name !== undefined && name !== viewer.name) await updateName(once, viewer, name, once.visit);
        if (username !== undefined) await updateUsername(once, viewer, username);
      });
      return profileId;
    },
  }),
  update: change({
    fields: z.strictObject({ ...names, ...aboutFields, imageId: z.optional(Id) }),
    perMinute: 30,
    run: (context, viewer, { data, document }) =>
      inOneTransaction(context, async (once) => {
        const { name, username, imageId, imageUrl: _derived, ...about } = data;
        // The names first: they lock the account before the profile, as everywhere.
        if (name !== undefined) await updateName(once, viewer, name, once.visit);
        if (username !== undefined) await updateUsername(once, viewer, username);
        if (Object.keys(about).length > 0) {
          const { bDay, ...texts } = { ...OwnAbout.parse(document), ...about };
          await updateAbout(once, viewer, { ...texts, birthDate: bDay ?? '' });
        }
        if (imageId !== undefined) await updatePicture(once, viewer, imageId);
      }),
  }),
};
