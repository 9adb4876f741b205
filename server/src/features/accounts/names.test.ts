import { account, accounts as calls } from '@tara/contract/accounts/accounts';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { test } from '../../testing/features/settings.ts';
import { profiles } from '../profiles/index.ts';

test('the name of account and profile is one value, and is announced', async ({
  backend,
  newMember,
  send,
  stored,
}) => {
  const member = await newMember();
  backend.platform.announced.length = 0;
  expect(await send(member, account.updateName, { name: '  Bea Reyes ' })).toMatchObject({
    status: 200,
    body: { name: 'Bea Reyes' },
  });
  expect(await stored(member)).toMatchObject({
    accounts: { name: 'Bea Reyes' },
    profiles: { name: 'Bea Reyes' },
  });
  expect(backend.platform.announced).toMatchObject([
    { collection: 'users', id: member.profileId, document: { name: 'Bea Reyes' } },
  ]);
});

test('the username of the profile changes', async ({ newMember, send, stored }) => {
  const member = await newMember();
  expect(await send(member, calls.updateUsername, { username: 'Bea 25' })).toMatchObject({ status: 200 });
  expect((await stored(member))?.profiles.username).toBe('Bea 25');
});

test('another name takes the verified mark away, and stays behind for payouts', async ({
  database,
  newMember,
  send,
  stored,
}) => {
  const member = await newMember();
  const verified = { name: 'Ana', verified: true, sentVerifiedReq: true, verifiedName: 'Ana' };
  await database.update(profiles).set(verified).where(eq(profiles.id, member.profileId));
  await send(member, account.updateName, { name: 'Ana' });
  await send(member, calls.updateUsername, { username: 'Bea 25' });
  expect((await stored(member))?.profiles).toMatchObject(verified);
  await send(member, account.updateName, { name: 'Bea Reyes' });
  expect((await stored(member))?.profiles).toMatchObject({
    name: 'Bea Reyes',
    verified: null,
    sentVerifiedReq: false,
    verifiedName: 'Ana',
  });
});

test('a name that is being verified stays until that is decided', async ({
  database,
  newMember,
  send,
  stored,
}) => {
  const member = await newMember();
  await database.update(profiles).set({ sentVerifiedReq: true }).where(eq(profiles.id, member.profileId));
  const before = await stored(member);
  expect(await send(member, account.updateName, { name: 'Bea Reyes' })).toMatchObject({
    status: 409,
    body: {
      type: 'profile_name_in_verification',
      fields: { name: 'Your name cannot be changed now - an admin is verifying it' },
    },
  });
  expect(await stored(member)).toEqual(before);
});

test('who waits for a verification without a name gets one, and waits on', async ({
  database,
  newMember,
  send,
  stored,
}) => {
  const member = await newMember();
  await database
    .update(profiles)
    .set({ name: '', sentVerifiedReq: true })
    .where(eq(profiles.id, member.profileId));
  expect((await send(member, account.updateName, { name: 'Bea Reyes' })).status).toBe(200);
  expect((await stored(member))?.profiles).toMatchObject({ name: 'Bea Reyes', sentVerifiedReq: true });
});

test('a member of before a word was reserved keeps the name, and saves other fields with it (threat-lookalike-texts)', async ({
  database,
  newMember,
  send,
  stored,
}) => {
  const member = await newMember();
  await database
    .update(profiles)
    .set({ name: 'Ana Staff', username: 'niño staff' })
    .where(eq(profiles.accountId, member.accountId));
  expect((await send(member, account.updateName, { name: 'Ana Staff' })).status).toBe(200);
  const path = `/v1/databases/tara/collections/users/documents/${member.profileId}`;
  const data = { name: 'Ana Staff', username: 'niño staff', bio: 'Coffee and the sea.' };
  expect((await send(member, { method: 'PATCH', path }, { data })).status).toBe(200);
  expect(await stored(member)).toMatchObject({
    profiles: { name: 'Ana Staff', username: 'niño staff', bio: 'Coffee and the sea.' },
  });
  expect((await send(member, account.updateName, { name: 'Bea Staff' })).status).toBe(400);
  expect((await send(member, calls.updateUsername, { username: 'staff' })).status).toBe(400);
  await database.update(profiles).set({ username: 'staff' }).where(eq(profiles.accountId, member.accountId));
  expect((await send(member, calls.updateUsername, { username: 'staff' })).status).toBe(200);
});
