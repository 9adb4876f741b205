import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { addMember, type TestMember } from '../features/accounts/testing.ts';
import { createTestDatabase, type TestDatabase } from '../platform/database/testing.ts';
import { friendlyOrigin, startBackend, type TestBackend } from './testing/backend.ts';
import { openBrowser } from './testing/browser.ts';

let test: TestDatabase;
let backend: TestBackend;
let member: TestMember;
const browsers = new Set<{ close(): void }>();

beforeAll(async () => {
  test = await createTestDatabase();
  backend = await startBackend(test);
  member = await addMember(test);
});
afterEach(() => {
  for (const browser of browsers) browser.close();
  browsers.clear();
});
afterAll(async () => {
  await backend.close();
  await test.drop();
});

interface Heard {
  events: string[];
  payload: unknown;
}
type Subscribe = (channels: string[], hear: (event: Heard) => void) => unknown;

function with13(): Subscribe {
  const browser = openBrowser('appwrite-13', { origin: friendlyOrigin });
  browsers.add(browser);
  browser.cookies.set('a_session_tara', member.secret);
  const client = new browser.sdk.Client()
    .setEndpoint(`${backend.url}/v1`)
    .setEndpointRealtime(`${backend.url.replace('http', 'ws')}/v1`)
    .setProject('tara');
  return (channels, hear) => client.subscribe(channels, hear);
}

function with27(): Subscribe {
  const browser = openBrowser('appwrite-27', { origin: friendlyOrigin });
  browsers.add(browser);
  browser.cookies.set('a_session_tara', member.secret);
  const client = new browser.sdk.Client().setEndpoint(`${backend.url}/v1`).setProject('tara');
  return (channels, hear) => client.subscribe(channels, hear);
}

/** Signed in by message, as where the browser refuses our cookie. */
function with27AndSession(): Subscribe {
  const browser = openBrowser('appwrite-27', { origin: friendlyOrigin, keepsCookies: false });
  browsers.add(browser);
  const client = new browser.sdk.Client()
    .setEndpoint(`${backend.url}/v1`)
    .setProject('tara')
    .setSession(member.secret);
  return (channels, hear) => client.subscribe(channels, hear);
}

function withRealtimeClass(): Subscribe {
  const browser = openBrowser('appwrite-27', { origin: friendlyOrigin });
  browsers.add(browser);
  browser.cookies.set('a_session_tara', member.secret);
  const client = new browser.sdk.Client().setEndpoint(`${backend.url}/v1`).setProject('tara');
  return (channels, hear) => new browser.sdk.Realtime(client).subscribe(channels, hear);
}

it.each([
  ['SDK 13.0.2', with13],
  ['SDK 27.0.0', with27],
  ['SDK 27.0.0 signed in by message', with27AndSession],
  ['the Realtime class of SDK 27.0.0', withRealtimeClass],
])('%s hears of a document', async (_name, open) => {
  const heard: Heard[] = [];
  open()(['databases.tara.collections.posts.documents'], (event) => void heard.push(event));
  await expect
    .poll(
      () => {
        backend.platform.bus.publish('document', {
          collection: 'posts',
          id: 'p1',
          change: 'update',
          document: { caption: 'Sunset' },
          audience: [member.accountId],
        });
        return heard[0]?.events;
      },
      { timeout: 5000, interval: 100 },
    )
    .toContain('databases.tara.collections.posts.documents.p1.update');
  expect(JSON.parse(JSON.stringify(heard[0]?.payload))).toMatchObject({ $id: 'p1', caption: 'Sunset' });
});
