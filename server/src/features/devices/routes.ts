import { devices } from '@tara/contract/notifications/devices';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { readVisit } from '../accounts/index.ts';
import { sendTest } from './deliver.ts';
import { listDevices, ownDevice, registerDevice, removeDevice, renewDevice, updateDevice } from './own.ts';

/** Binds the calls of the devices that get notifications. */
export function deviceRoutes(
  app: FastifyInstance,
  platform: Pick<Platform, 'database' | 'config' | 'push' | 'log'>,
): void {
  serve(app, devices.list, ({ viewer }) => listDevices(platform, viewer));
  serve(
    app,
    devices.register,
    ({ viewer, body, request }) => registerDevice(platform, viewer, body, readVisit(request).userAgent),
    { perMinute: 10 },
  );
  serve(
    app,
    devices.renew,
    ({ viewer, body, request }) => renewDevice(platform, viewer, body, readVisit(request).userAgent),
    { perMinute: 30 },
  );
  serve(app, devices.update, ({ viewer, body }) => updateDevice(platform, viewer, body), { perMinute: 30 });
  serve(app, devices.remove, ({ viewer, body }) => removeDevice(platform, viewer, body.deviceId), {
    perMinute: 30,
  });
  serve(
    app,
    devices.test,
    async ({ viewer, body }) => sendTest(platform, await ownDevice(platform, viewer, body.deviceId)),
    { perMinute: 6 },
  );
}
