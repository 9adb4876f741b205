import { nowMs } from '@tara/contract/clock';
import { createPaymongo } from '@tara/paymongo';
import { jobHandlers } from '@tara/server/feature-list';
import { disputeRoutes } from '@tara/server/features/disputes/index';
import { interactionRoutes } from '@tara/server/features/interactions/index';
import { paymentRoutes } from '@tara/server/features/payments/index';
import { registerWebhook } from '@tara/server/features/payments/registration';
import { reviewRoutes } from '@tara/server/features/reviews/index';
import type { TestPlatform } from '@tara/server/testing/platform';
import { testServer } from '@tara/server/testing/server';
import { beside } from '../lives/beside.ts';
import type { Served } from '../lives/product.ts';
import { type Mortal, runFor } from '../machine/machine.ts';
import type { Provider } from './provider.ts';

const registerEveryMs = 600_000;
const webhookUrl = 'http://tara.test/api/payment/webhook';

/** The registration of the webhook, which the provider may end. */
export interface Registration {
  /** Registers it, as every start does. A provider that is away is asked again by the next round. */
  begin(): Promise<void>;
  /** The same every now and then. */
  keep(): Promise<void>;
}

function openRegistration(register: () => Promise<void>): Registration {
  let againMs = 0;
  const begin = async () => {
    againMs = 0;
    try {
      await runFor('the round', register);
      againMs = nowMs() + registerEveryMs;
    } catch {
      // The product logs it and goes on.
    }
  };
  return {
    begin,
    keep: async () => {
      if (nowMs() >= againMs) await begin();
    },
  };
}

/** The calls and jobs of requests and their money, with the provider in this process. */
export async function serveMoney(
  platform: TestPlatform,
  provider: Provider,
  life: Mortal,
): Promise<{ served: Served; registration: Registration }> {
  const client = createPaymongo({
    ...{ secretKey: provider.secretKey, baseUrl: provider.origin, fetch: provider.fetchOf(life) },
    ...{ links: platform.config.payMongoLinks, now: nowMs },
  });
  const server = await testServer(platform, (app) => {
    interactionRoutes(app, platform);
    disputeRoutes(app, platform);
    paymentRoutes(app, platform, client);
    reviewRoutes(app, platform);
  });
  const handlers = jobHandlers(platform, beside(platform, client));
  const context = { ...platform, provider: client };
  const registration = openRegistration(() => registerWebhook(context, webhookUrl));
  return { served: { server, handlers, begin: registration.begin }, registration };
}
