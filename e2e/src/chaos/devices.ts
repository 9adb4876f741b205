import { devices } from '@tara/contract/notifications/devices';
import { openPushService, testBrowser } from '@tara/server/testing/push-service';
import type { Person } from '../steps.ts';

/** A push as a device showed it. */
export interface ShownPush {
  /** The id of the notification that it is of. */
  id: string;
  /** The hash by which it replaces an earlier one at the push service. */
  topic: string;
  /** When it arrived, ms since the epoch. */
  at: number;
}

const host = 'updates.push.services.mozilla.com';

/** A push service on this machine, and the devices that it serves. */
export async function openDevices() {
  const service = await openPushService(host);
  const browsers = new Map<string, ReturnType<typeof testBrowser>>();
  const shown: ShownPush[] = [];
  service.state.answer = (response, { path, headers, body }) => {
    const { tag } = JSON.parse(browsers.get(path)?.decrypt(body) ?? '{}') as { tag?: string };
    shown.push({
      id: tag?.replace('notification-', '') ?? '',
      topic: String(headers.topic),
      at: Date.now(),
    });
    // As far away as a push service: some are killed while they wait.
    setTimeout(() => response.writeHead(201).end(), 50);
  };
  return {
    shown,
    /** The variables of a server whose pushes arrive here. */
    env: {
      NODE_OPTIONS: `--import ${new URL('push-network.ts', import.meta.url)}`,
      PUSH_SERVICE_HERE: JSON.stringify(service.address),
    },
    /** Has a person's browser get notifications. */
    register: async ({ client }: Person) => {
      const path = `/wpush/v2/${browsers.size}`;
      const browser = testBrowser(`https://${host}${path}`);
      browsers.set(path, browser);
      await client.call(devices.register, { body: browser.target });
    },
    stop: service.stop,
  };
}

export type Devices = Awaited<ReturnType<typeof openDevices>>;
