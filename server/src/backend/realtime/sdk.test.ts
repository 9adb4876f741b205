import { afterEach, expect } from 'vitest';
import { noOwners } from '../../platform/documents.ts';
import { announcedRecord, backendTest, friendlyOrigin } from '../../testing/backend/backend.ts';
import { openBrowser } from '../../testing/backend/browser.ts';
import { addMember } from '../../testing/features/sessions.ts';

const browsers = new Set<{ close(): void }>();
const test = backendTest({}, { read: announcedRecord }).extend(
  'member',
  { scope: 'file' },
  ({ connection }) => addMember(connection),
);

afterEach(() => {
  for (const browser of browsers) browser.close();
  browsers.clear();
});

interface Heard {
  events: string[];
  payload: unknown;
}
type Subscribe = (channels: string[], hear: (event: Heard) => void) => unknown;

function with13(url: string, secret: string): Subscribe {
  const browser = openBrowser('appwrite-13', { origin: friendlyOrigin });
  browsers.add(browser);
  browser.cookies.set('a_session_tara', secret);
  const client = new browser.sdk.Client()
    .setEndpoint(`${url}/v1`)
    .setEndpointRealtime(`${url.replace('http', 'ws')}/v1`)
    .setProject('tara');
  return (channels, hear) => client.subscribe(channels, hear);
}

function with24(url: string, secret: string): Subscribe {
  const browser = openBrowser('appwrite-24', { origin: friendlyOrigin });
  browsers.add(browser);
  browser.cookies.set('a_session_tara', secret);
  const client = new browser.sdk.Client().setEndpoint(`${url}/v1`).setProject('tara');
  return (channels, hear) => client.subscribe(channels, hear);
}

function with27(url: string, secret: string): Subscribe {
  const browser = openBrowser('appwrite-27', { origin: friendlyOrigin });
  browsers.add(browser);
  browser.cookies.set('a_session_tara', secret);
  const client = new browser.sdk.Client().setEndpoint(`${url}/v1`).setProject('tara');
  return (channels, hear) => client.subscribe(channels, hear);
}

/** Signed in by message, as where the browser refuses our cookie. */
function with27AndSession(url: string, secret: string): Subscribe {
  const browser = openBrowser('appwrite-27', { origin: friendlyOrigin, keepsCookies: false });
  browsers.add(browser);
  const client = new browser.sdk.Client().setEndpoint(`${url}/v1`).setProject('tara').setSession(secret);
  return (channels, hear) => client.subscribe(channels, hear);
}

function withRealtimeClass(url: string, secret: string): Subscribe {
  const browser = openBrowser('appwrite-27', { origin: friendlyOrigin });
  browsers.add(browser);
  browser.cookies.set('a_session_tara', secret);
  const client = new browser.sdk.Client().setEndpoint(`${url}/v1`).setProject('tara');
  return (channels, hear) => new browser.sdk.Realtime(client).subscribe(channels, hear);
}

test.for([
  ['SDK 13.0.2', with13],
  ['SDK 24.2.0', with24],
  ['SDK 27.0.0', with27],
  ['SDK 27.0.0 signed in by message', with27AndSession],
  ['the Realtime class of SDK 27.0.0', withRealtimeClass],
] as const)('%s receives a document', async ([_name, open], { backend, member }) => {
  const heard: Heard[] = [];
  open(backend.url, member.secret)(
    ['databases.tara.collections.posts.documents'],
    (event) => void heard.push(event),
  );
  await expect
    .poll(
      () => {
        backend.platform.bus.publish('document', {
          collection: 'posts',
          id: 'p1',
          change: 'update',
          document: { caption: 'Sunset' },
          audience: [member.accountId],
          owners: noOwners,
        });
        return heard[0]?.events;
      },
      { timeout: 30_000, interval: 100 },
    )
    .toContain('databases.tara.collections.posts.documents.p1.update');
  expect(JSON.parse(JSON.stringify(heard[0]?.payload))).toMatchObject({ $id: 'p1', caption: 'Sunset' });
});
