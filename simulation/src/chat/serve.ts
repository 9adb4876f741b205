import { createPaymongo } from '@tara/paymongo';
import { realtimeRoutes } from '@tara/server/backend/realtime/realtime';
import { jobHandlers } from '@tara/server/feature-list';
import { createResolveViewer } from '@tara/server/features/accounts/index';
import { blockRoutes } from '@tara/server/features/blocks/index';
import { conversationRoutes } from '@tara/server/features/conversations/index';
import { countRoutes } from '@tara/server/features/counts/index';
import { messageRoutes, repairEntries } from '@tara/server/features/messages/index';
import { receiptRoutes } from '@tara/server/features/receipts/index';
import { runAs } from '@tara/server/platform/work';
import type { TestPlatform } from '@tara/server/testing/platform';
import { testServer } from '@tara/server/testing/server';
import { beside } from '../lives/beside.ts';
import type { Served } from '../lives/product.ts';

/** Nothing of chats calls it. */
const provider = createPaymongo({
  ...{ secretKey: 'sk_test_simulation', baseUrl: 'http://provider.test', links: 'classic' },
  fetch: () => Promise.reject(new TypeError('fetch failed')),
});

/** The calls, sockets and jobs of chats and blocks, for viewers as the product reads and caches them. */
export async function serveChats(platform: TestPlatform): Promise<Served> {
  const resolveViewer = createResolveViewer(platform, { ...platform, rateLimits: false });
  const server = await testServer(
    platform,
    async (app) => {
      conversationRoutes(app, platform);
      receiptRoutes(app, platform);
      messageRoutes(app, platform);
      blockRoutes(app, platform);
      countRoutes(app, platform);
      await realtimeRoutes(app, platform, resolveViewer);
    },
    resolveViewer,
  );
  return {
    server,
    handlers: jobHandlers(platform, beside(platform, provider)),
    // As at the start of the product.
    begin: () => runAs('background', () => repairEntries(platform)),
  };
}
