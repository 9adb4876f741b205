import { describe, expect, test } from 'vitest';
import { addressKey, wideAddressKey } from './client-address.ts';

describe('nobody passes a limit by changing the address within their own network (threat-password-bursts)', () => {
  test.each([
    ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8:1:2::', '2001:0db8:0001:0002:a:b:c:d'],
    ['203.0.113.9', '::ffff:203.0.113.9'],
    ['::ffff:203.0.113.9', '::ffff:cb00:7109'],
    ['fe80::1%eth0', 'fe80::1%eth1'],
    ['203.0.113.9:1001', '203.0.113.9:65535'],
    ['203.0.113.9:1001', '203.0.113.9'],
    ['[2001:db8:1:2::1]:1001', '[2001:db8:1:2::1]:1002'],
    ['[2001:db8:1:2::1]:1001', '2001:db8:1:2::1'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::1'],
    ['[::ffff:203.0.113.9]:1', '203.0.113.9'],
    ['[fe80::1%eth0]:1', 'fe80::1'],
    [' 203.0.113.9', '203.0.113.9'],
    ['x1', 'x2'],
    ['unknown', '_hidden:1'],
    ['203.0.113.9:x', '203.0.113.10:99999999'],
  ])('%s and %s share a key', (one, other) => {
    expect(addressKey(one)).toBe(addressKey(other));
    expect(wideAddressKey(one)).toBe(wideAddressKey(other));
  });

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['203.0.113.9', '203.0.113.10'],
    ['::1', '127.0.0.1'],
  ])('%s and %s do not', (one, other) => {
    expect(addressKey(one)).not.toBe(addressKey(other));
  });

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:ffff::1', true],
    ['2001:db8:1::1', '2001:db8:2::1', false],
    ['203.0.113.9', '203.0.113.250', true],
    ['203.0.113.9', '203.0.114.9', false],
  ])('%s and %s in the wider key: %s', (one, other, same) => {
    expect(wideAddressKey(one) === wideAddressKey(other)).toBe(same);
  });

  test.each(['', 'unknown', '1.2.3', 'a'.repeat(1000), ':::', '1.2.3.4.5', '1.2.3.4:', '[1.2.3.4', '::1]:3'])(
    '%s is no address, and has the key of all that is none',
    (ip) => {
      expect(addressKey(ip)).toBe(addressKey('unknown'));
      expect(wideAddressKey(ip)).toBe(wideAddressKey('unknown'));
    },
  );
});
