import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signDelivery, verifySignature } from './signature.ts';

const now = 1_700_000_000_000;
const secret = 'whsk_test';
const rawBody = Buffer.from('{"data":{"id":"evt_1","name":"Peña"}}');
const header = signDelivery({ rawBody, secret, now, live: false });
const delivery = { header, rawBody, secret, now, live: false };

describe('verifySignature', () => {
  it('accepts a delivery signed with the same secret, with the body as text or bytes', () => {
    expect(verifySignature(delivery)).toBe(true);
    expect(verifySignature({ ...delivery, rawBody: rawBody.toString() })).toBe(true);
  });

  it('follows the documented algorithm', () => {
    const mac = createHmac('sha256', secret).update(`1700000000.${rawBody}`).digest('hex');
    expect(header).toBe(`t=1700000000,te=${mac},li=`);
    expect(verifySignature({ ...delivery, header: `t=1700000000,te=,li=${mac}`, live: true })).toBe(true);
  });

  it('refuses another body, secret or mode', () => {
    expect(verifySignature({ ...delivery, rawBody: Buffer.from('{}') })).toBe(false);
    expect(verifySignature({ ...delivery, secret: 'whsk_other' })).toBe(false);
    expect(verifySignature({ ...delivery, secret: '' })).toBe(false);
    expect(verifySignature({ ...delivery, live: true })).toBe(false);
  });

  it('refuses what is more than five minutes old, or from the future (threat-forged-webhooks)', () => {
    expect(verifySignature({ ...delivery, now: now + 300_000 })).toBe(true);
    expect(verifySignature({ ...delivery, now: now + 301_000 })).toBe(false);
    expect(verifySignature({ ...delivery, now: now - 301_000 })).toBe(false);
  });

  it.each([
    undefined,
    null,
    '',
    't=1',
    'te=,li=',
    `t=x,${header.split(',')[1]}`,
    `${header},${header}`,
    '=,=',
    'é',
  ])('refuses the header %s without throwing', (broken) => {
    expect(verifySignature({ ...delivery, header: broken })).toBe(false);
  });
});
