import type { Paymongo } from '@tara/paymongo';
import type { jobHandlers } from '@tara/server/feature-list';
import { accountLimits } from '@tara/server/features/accounts/index';
import type { TestPlatform } from '@tara/server/testing/platform';

/** What jobs need beside the platform: nobody gets a mail or a text message. */
export const beside = (platform: TestPlatform, provider: Paymongo): Parameters<typeof jobHandlers>[1] => ({
  ...{ provider, sms: null, limits: accountLimits(false, platform.openCounter) },
  mailer: { send: async () => {}, close: () => {} },
  documentsKeys: async () => [Buffer.alloc(32, 1)],
});
