import { createPaymongo } from '@tara/paymongo';
import { expect } from 'vitest';
import { openLog } from '../../platform/log.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { testPlatform } from '../../testing/platform.ts';
import { test } from '../../testing/test.ts';
import { checkPayment } from './links.ts';

test('shows what is known while the provider cannot be reached, and logs why without the secret key (threat-leaked-secrets)', async ({
  database,
}) => {
  const secretKey = 'sk_test_never_to_be_logged';
  const creator = await insertMember(database, { verified: true });
  const client = await insertMember(database, { verified: true });
  const planId = await insertPlan(database, creator);
  const state = { linkId: 'link_1', checkoutUrl: 'https://pay.example/1' };
  const id = await insertInteraction(database, { creator, client, planId }, state);
  const lines: string[] = [];
  const log = openLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
  // Nothing listens on the discard port.
  const provider = createPaymongo({ secretKey, baseUrl: 'http://127.0.0.1:9' });
  const context = { ...testPlatform(database), log, provider };
  const reply = await checkPayment(context, client, id);
  expect(reply).toMatchObject({ paid: false, checkoutUrl: 'https://pay.example/1' });
  const logged = lines.join('');
  expect(logged).toContain('could not be checked');
  expect(logged).not.toContain(secretKey);
  expect(logged).not.toContain(Buffer.from(`${secretKey}:`).toString('base64'));
});
