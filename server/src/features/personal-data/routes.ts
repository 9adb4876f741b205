import { personalData } from '@tara/contract/accounts/personal-data';
import type { FastifyInstance } from 'fastify';
import { encryptedStore, type Keyring } from '../../platform/files/encrypted.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { type AccountLimits, readVisit } from '../accounts/index.ts';
import { deleteAccount, enqueueDeletions } from './delete.ts';
import {
  findExport,
  makeExport,
  openExport,
  readPersonalData,
  removeEarlierExports,
  removeOldExports,
  requestExport,
} from './export.ts';
import { keepAccount, leaveByPassword } from './leave.ts';

/** Binds the calls about a member's own data. */
export function personalDataRoutes(app: FastifyInstance, platform: Platform, limits: AccountLimits): void {
  const { database } = platform;

  serve(app, personalData.get, ({ viewer }) => readPersonalData(database, viewer));

  serve(app, personalData.requestExport, ({ viewer, request }) =>
    requestExport(database, viewer, readVisit(request)),
  );

  serve(app, personalData.prepareDownload, async ({ viewer, body }) => {
    const { id } = await findExport(database, viewer, body.id);
    return { url: personalData.download.path.replace(':id', id) };
  });

  serve(app, personalData.download, async ({ viewer, params, reply }) => {
    const { sizeBytes, content } = await openExport(platform, viewer, params.id);
    return reply
      .type('application/zip')
      .header('content-length', sizeBytes)
      .header('content-disposition', 'attachment; filename="tara-data.zip"')
      .header('cache-control', 'no-store')
      .send(content);
  });

  serve(app, personalData.delete, async ({ viewer, body, request }) => {
    const deletesAt = await leaveByPassword(platform, viewer, body.password, readVisit(request), limits);
    return { deletesAt: deletesAt.toISOString() };
  });

  serve(app, personalData.keep, ({ viewer, request }) => keepAccount(platform, viewer, readVisit(request)));
}

/** Jobs of this feature. `documentsKeys` opens the identity pictures of an export. */
export function personalDataTasks(platform: Platform, documentsKeys: Keyring | Buffer) {
  const documents = encryptedStore(platform.files, documentsKeys);
  return {
    ...tasks.deleteLeftAccounts.handledBy(
      async (_job, helpers) => void (await enqueueDeletions(platform.database, helpers)),
    ),
    ...tasks.deleteAccount.handledBy(({ accountId }, helpers) => deleteAccount(platform, accountId, helpers)),
    ...tasks.removeExports.handledBy(({ accountId }) => removeEarlierExports(platform, accountId)),
    ...tasks.exportData.handledBy(({ exportId }, helpers) =>
      makeExport({ ...platform, documents }, exportId, helpers),
    ),
    ...tasks.removeOldExports.handledBy(
      async (_job, helpers) => void (await removeOldExports(platform, helpers)),
    ),
  };
}
