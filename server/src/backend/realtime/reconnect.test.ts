import { afterEach, expect } from 'vitest';
import { noOwners } from '../../platform/documents.ts';
import { announcedRecord, friendlyOrigin, startBackend } from '../../testing/backend/backend.ts';
import { type Browser, openBrowser } from '../../testing/backend/browser.ts';
import { openCuttableNetwork } from '../../testing/faults/cuttable-network.ts';
import { addMember } from '../../testing/features/sessions.ts';
import { test } from '../../testing/test.ts';

/** `REALTIME_SPEED=1` lets the SDKs wait as long as they do in a browser. */
const speed = Number(process.env.REALTIME_SPEED ?? 20);
/** ms of an SDK's clock within which it tries again. */
const withinMs = 12_000;

const browsers = new Set<Pick<Browser<'appwrite-27'>, 'close' | 'delaysMs'>>();
afterEach(() => {
  for (const browser of browsers) browser.close();
  browsers.clear();
});

type Hear = (payload: { $id?: string }) => void;

const channels = ['databases.tara.collections.posts.documents'];
const names = ['appwrite-13', 'appwrite-24', 'appwrite-27'] as const;

/** Subscribes by the unmodified SDK, in a browser whose clock runs faster. */
function listen(name: (typeof names)[number], url: string, secret: string, hear: Hear) {
  const browser = openBrowser(name, { origin: friendlyOrigin, speed });
  browsers.add(browser);
  browser.cookies.set('a_session_tara', secret);
  const endpoint = `${url}/v1`;
  const client = new browser.sdk.Client().setEndpoint(endpoint).setProject('tara');
  client.setEndpointRealtime(endpoint.replace('http', 'ws'));
  client.subscribe(channels, ({ payload }: { payload: unknown }) => hear(payload as { $id?: string }));
}

test('SDKs 13.0.2, 24.2.0 and 27.0.0 receive documents again after three cuts and a restart', async ({
  connection,
  onTestFinished,
}) => {
  const member = await addMember(connection);
  let backend = await startBackend(connection, {}, { read: announcedRecord });
  onTestFinished(() => backend.close());
  const network = await openCuttableNetwork(backend.url);
  onTestFinished(() => network.close());
  const heard = new Map(names.map((name) => [name, new Set<string>()]));
  for (const name of names)
    listen(name, network.url, member.secret, ({ $id = '' }) => void heard.get(name)?.add($id));

  /** Announces documents until each SDK has received one that was announced from now on. */
  const hearAgain = async (occasion: string) => {
    let count = 0;
    await expect
      .poll(
        () => {
          backend.platform.bus.publish('document', {
            ...{ collection: 'posts', id: `${occasion} ${count++}`, change: 'create', document: {} },
            ...{ audience: [member.accountId], owners: noOwners },
          });
          return names.filter((name) => [...(heard.get(name) ?? [])].every((id) => !id.startsWith(occasion)));
        },
        { timeout: 30_000, interval: 20 },
      )
      .toEqual([]);
  };

  await hearAgain('first');
  // Each comes at once when it may, so that what follows is the SDK's own waiting.
  network.cut();
  network.restore();
  await hearAgain('reset');
  network.freeze();
  network.cut();
  network.restore();
  await hearAgain('frozen');
  // Away until each SDK has failed to connect.
  network.cut();
  await expect.poll(() => network.refused(), { timeout: 30_000 }).toBeGreaterThanOrEqual(2 * names.length);
  network.restore();
  await hearAgain('away');

  await backend.close();
  backend = await startBackend(connection, {}, { read: announcedRecord });
  network.leadTo(backend.url);
  await hearAgain('restarted');
  for (const { delaysMs } of browsers) {
    const triesAfterMs = delaysMs.filter((ms) => ms >= 1_000);
    // After three cuts and a restart.
    expect(triesAfterMs.length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...triesAfterMs)).toBeLessThan(withinMs);
  }
});
