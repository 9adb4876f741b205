import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { sdk13, sdk27, withBrowsers } from '../../testing/backend/account-sdk.ts';
import { backendTest, friendlyOrigin, linkOf } from '../../testing/backend/backend.ts';
import { refused, type SdkDatabases } from '../../testing/backend/documents.ts';
import { addMember } from '../../testing/features/sessions.ts';

const base = backendTest();
const password = 'correct horse battery';
const own = ['users', 'friendLists', 'conversationOwners'] as const;

/** What an SDK answers comes from a context of its own: a copy equals what a test expects. */
const copy = async <Value>(answer: Promise<Value>): Promise<Value> =>
  JSON.parse(JSON.stringify(await answer));

describe.each([
  { ...sdk13, equal: (name: string, value: string) => `equal("${name}", ["${value}"])` },
  {
    ...sdk27,
    equal: (attribute: string, value: string) =>
      JSON.stringify({ method: 'equal', attribute, values: [value] }),
  },
])('the usual order of an app with $name', ({ open: openSdk, equal }) => {
  const test = withBrowsers(base, openSdk).extend('page', ({ backend, open }) => () => {
    const page = open();
    const { Client, Databases } = page.sdk;
    const client = new Client().setEndpoint(`${backend.url}/v1`).setProject('tara');
    const databases = new Databases(client as never) as SdkDatabases;
    return { ...page, databases };
  });

  test('signs up, signs in, makes its own profile and lists and finds them, before the email is confirmed (§7-documents-create, §7-sign-up)', async ({
    backend,
    connection,
    page,
  }) => {
    const other = await addMember(connection, { name: 'Ben Reyes' });
    const { account, databases } = page();
    const email = `${newId()}@example.com`;
    const user = await account.create('unique()', email, password, 'Ana Cruz');
    const data = {
      accountId: user.$id,
      name: 'Ana Cruz',
      email,
      username: 'ana',
      imageUrl: 'https://a.test/a.png',
    };
    // A guest writes nothing: the profile still takes its names.
    await expect(databases.createDocument('tara', 'users', 'unique()', data)).rejects.toEqual(
      refused(401, 'general_unauthorized_scope'),
    );
    await account.signIn(email, password);
    const created = await copy(databases.createDocument('tara', 'users', 'unique()', data));
    expect(created).toMatchObject({ accountId: user.$id, name: 'Ana Cruz', username: 'ana', email });
    const again = { ...data, username: 'other' };
    expect(await copy(databases.createDocument('tara', 'users', 'unique()', again))).toEqual(created);

    expect((await account.get()).emailVerification).toBe(false);
    // What §7 calls the related setup: the server made both with the profile.
    const id = created.$id;
    const setup = {
      conversationOwners: { owner: id, accountId: user.$id, conversations: [] },
      friendLists: { owner: id, ownerId: id, friends: [] },
    };
    for (const [collection, list] of Object.entries(setup)) {
      const create = (data: object) => databases.createDocument('tara', collection, 'unique()', data);
      for (const sent of [{ owner: id }, list])
        expect(await copy(create(sent))).toEqual(await copy(databases.getDocument('tara', collection, id)));
      await expect(create({ owner: other.profileId })).rejects.toEqual(
        refused(400, 'document_invalid_structure'),
      );
    }
    const ownUsers = await copy(databases.listDocuments('tara', 'users', [equal('accountId', user.$id)]));
    expect(ownUsers).toEqual({ total: 1, documents: [created] });
    for (const collection of own) {
      const { total, documents } = await copy(databases.listDocuments('tara', collection));
      expect([collection, total]).toEqual([collection, 1]);
      const id = documents[0]?.$id ?? '';
      expect(id).toBe(created.$id);
      expect(await copy(databases.getDocument('tara', collection, id))).toEqual(documents[0]);
      // Nobody else's, which do not exist for them.
      await expect(databases.getDocument('tara', collection, other.profileId)).rejects.toEqual(
        refused(404, 'document_not_found'),
      );
    }
    // Not confirmed is told apart from a missing profile.
    expect(
      await copy(databases.listDocuments('tara', 'users', [equal('accountId', other.accountId)])),
    ).toEqual({ total: 0, documents: [] });
    for (const refusal of [
      databases.listDocuments('tara', 'posts'),
      databases.updateDocument('tara', 'users', created.$id, { bio: 'Hi' }),
    ])
      await expect(refusal).rejects.toEqual(refused(403, 'user_email_unverified'));

    // The mail came by itself, once, and leads to our own page.
    const mails = (await backend.mails()).filter(({ to }) => to === email);
    expect(mails).toHaveLength(1);
    const link = linkOf(mails[0]);
    expect(link.href).toMatch('http://localhost:3000/confirming?username=User025&');
    const { userId = '', secret = '' } = Object.fromEntries(link.searchParams);
    await account.confirm(userId, secret);
    expect(await copy(databases.listDocuments('tara', 'posts'))).toMatchObject({ documents: [] });
  });

  test('is mailed the link again by a refused call, an hour after the last one', async ({
    backend,
    connection,
    page,
  }) => {
    const { account, databases } = page();
    const email = `${newId()}@example.com`;
    const user = await account.create('unique()', email, password);
    await account.signIn(email, password);
    const refuse = async () => {
      for (let call = 0; call < 2; call++)
        await expect(databases.listDocuments('tara', 'posts')).rejects.toEqual(
          refused(403, 'user_email_unverified'),
        );
      return (await backend.mails()).filter(({ to }) => to === email).length;
    };
    expect(await refuse()).toBe(1);
    expect(await refuse()).toBe(0);
    const hourAgo = () =>
      connection.sql`update tokens set created_at = created_at - interval '61 minutes' where account_id = ${user.$id}`;
    await hourAgo();
    expect(await refuse()).toBe(1);
    // One that the app asked for counts.
    await hourAgo();
    await account.verify(`${friendlyOrigin}/verify`);
    expect(await refuse()).toBe(1);
    // One to a new password does not.
    await hourAgo();
    await account.recover(email, `${friendlyOrigin}/recover`);
    await backend.mails();
    expect(await refuse()).toBe(1);
  });
});
