import { nowMs } from '@tara/contract/clock';
import { verification } from '@tara/contract/members/verification';
import { describe, expect } from 'vitest';
import { insertMember, type Member, withOldPassword } from '../../testing/features/members.ts';
import { pictureBytes } from '../../testing/features/pictures.ts';
import { key, test } from '../../testing/features/verification.ts';
import { auditLog } from '../audit/tables.ts';
import { linkLifetime, openLinks } from './pictures.ts';

test.beforeEach(async ({ connection }) => {
  await connection.sql`delete from verifications`;
});

describe('identity pictures', () => {
  test('an admin sees one by its link; the view is written down; nothing keeps it (threat-identity-documents)', async ({
    server,
    admin,
    ana,
    request,
    readPictures,
    lastAudit,
  }) => {
    const { photo } = await readPictures((await request(ana)).id);
    const shown = await server.request(admin, { url: photo });
    expect([shown.statusCode, shown.headers['content-type'], shown.headers['cache-control']]).toEqual([
      200,
      'image/jpeg',
      'no-store',
    ]);
    expect(shown.rawPayload).toEqual(await pictureBytes());
    expect(await lastAudit()).toMatchObject({
      actorAccountId: admin.accountId,
      action: 'verification.viewPicture',
      subject: `profile:${ana.profileId}`,
    });
  });

  test('a link opens for nobody else, not changed, and not for long (threat-identity-documents)', async ({
    database,
    server,
    admin,
    ana,
    request,
    readPictures,
  }) => {
    const { photo, idFront } = await readPictures((await request(ana)).id);
    const other = await insertMember(database, { admin: true });
    const fileId = photo.split('/').at(-1)?.split('?')[0] ?? '';
    const old = await openLinks(key).make(fileId, admin.accountId, nowMs() - linkLifetime - 1);
    const audits = await database.$count(auditLog);
    const expectRefused = async (who: Member | null, url: string, type: string) => {
      const answer = await server.request(who, { url });
      expect([url.slice(0, 30), answer.json().type]).toEqual([url.slice(0, 30), type]);
    };
    await expectRefused(other, photo, 'storage_file_not_found');
    await expectRefused(admin, old, 'storage_file_not_found');
    await expectRefused(
      admin,
      photo.replace(/until=(\d+)/, 'until=99999999999999'),
      'storage_file_not_found',
    );
    await expectRefused(admin, `${idFront.split('?')[0]}?${photo.split('?')[1]}`, 'storage_file_not_found');
    await expectRefused(admin, photo.split('?')[0] ?? '', 'general_argument_invalid');
    await expectRefused(ana, photo, 'admin_only');
    await expectRefused(null, photo, 'general_unauthorized_scope');
    expect(await database.$count(auditLog)).toBe(audits);
  });

  test('a session that showed its password long ago opens neither the links nor a picture (threat-admin-errors)', async ({
    database,
    server,
    admin,
    ana,
    request,
    readPictures,
  }) => {
    const { id } = await request(ana);
    const { photo } = await readPictures(id);
    const stolen = withOldPassword(admin);
    const { problem } = await server.call(stolen, verification.pictures, { params: { id } });
    expect(problem.type).toBe('user_recent_password_required');
    const audits = await database.$count(auditLog);
    const answer = await server.request(stolen, { url: photo });
    expect(answer.json().type).toBe('user_recent_password_required');
    expect(await database.$count(auditLog)).toBe(audits);
  });

  test('links are made for a request that waits, and for no other id', async ({
    server,
    admin,
    ana,
    ben,
    request,
  }) => {
    const [declined, accepted] = [await request(ana), await request(ben)];
    await server.call(admin, verification.decline, { body: { id: declined.id } });
    const expectNone = async ({ id }: { id: string }) =>
      expect((await server.call(admin, verification.pictures, { params: { id } })).problem.type).toBe(
        'verification_not_found',
      );
    await expectNone(declined);
    expect((await server.call(admin, verification.accept, { body: { id: accepted.id } })).status).toBe(200);
    await expectNone(accepted);
  });

  test('a good link to a file that belongs to no request shows nothing', async ({
    server,
    admin,
    ana,
    uploadForm,
  }) => {
    const { photoId } = await uploadForm(ana);
    const answer = await server.request(admin, { url: await openLinks(key).make(photoId, admin.accountId) });
    expect(answer.json().type).toBe('storage_file_not_found');
  });
});
