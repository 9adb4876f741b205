import { expect } from 'vitest';
import { documentsTest, refused, sdks } from '../../testing/backend/documents.ts';
import { insertPlan } from '../../testing/features/interactions.ts';

const test = documentsTest();

test.for(sdks)(
  'a suspended member ends with %s what they may end in the web, and writes nothing (threat-rule-breakers)',
  async ([, openSdk], { backend, connection, ana, ben }) => {
    const [asAna, asBen] = [openSdk(backend.url, ana), openSdk(backend.url, ben)];
    const conversation = await asBen.create('conversations', 'unique()', {
      creators: [ben.profileId, ana.profileId],
    });
    await connection.sql`update profiles set verified = true where id = ${ana.profileId}`;
    const planId = await insertPlan(connection.database, ana);
    const until = (time: string) =>
      connection.sql`update accounts set suspended_until = ${time}::timestamptz where id = ${ana.accountId}`.then(
        () => backend.platform.bus.publish('viewerChanged', { accountId: ana.accountId }),
      );
    await until('2999-01-01');
    const suspended = refused(403, 'user_suspended');
    await expect(asAna.create('posts', 'unique()', { caption: 'Sea' })).rejects.toEqual(suspended);
    await expect(asAna.update('users', ana.profileId, { bio: 'Hi' })).rejects.toEqual(suspended);
    await expect(asAna.delete('friendLists', ana.profileId)).rejects.toEqual(suspended);
    expect(await asAna.update('plans', planId, { closed: true })).toMatchObject({ closed: true });
    for (const data of [{ closed: false }, { title: 'Tea' }, { closed: true, title: 'Tea' }])
      await expect(asAna.update('plans', planId, data)).rejects.toEqual(suspended);
    expect(await asAna.update('conversations', conversation.$id, { read: 1 })).toMatchObject({
      $id: conversation.$id,
    });
    await asAna.delete('conversations', conversation.$id);
    await until('2000-01-01');
  },
);
