import { createPaymongo } from '@tara/paymongo';
import { backendWire } from '../backend/wire.ts';
import { bindCalls } from '../feature-list.ts';
import { createResolveViewer } from '../features/accounts/index.ts';
import type { Keyring } from '../platform/files/encrypted.ts';
import type { TestPlatform } from './platform.ts';
import { testServer } from './server.ts';

/** Serves every call of both APIs on a port. Nothing answers where the payment provider would be. */
export async function serveAllCalls(platform: TestPlatform, documentsKeys: Keyring) {
  const provider = createPaymongo({ secretKey: 'sk_test', baseUrl: 'http://127.0.0.1:9', links: 'classic' });
  const resolveViewer = createResolveViewer(platform, platform.config);
  const server = await testServer(
    platform,
    async (app) => {
      backendWire(app, platform);
      await bindCalls(app, platform, { provider, documentsKeys, resolveViewer });
    },
    resolveViewer,
  );
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  return { server, url, provider };
}
