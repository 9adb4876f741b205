import { expect, it, vi } from 'vitest';
import { findService, prepareServices, testServices } from './services.mjs';

/** A machine with some services, on which others can or cannot be installed. */
function openMachine(present, isDebian) {
  const there = new Set(present);
  const install = vi.fn(() => {
    if (isDebian) for (const name of testServices) there.add(name);
  });
  const say = vi.fn();
  return { install, say, find: (name) => (there.has(name) ? `/usr/bin/${name}` : null) };
}

it('installs at once all that is missing', () => {
  const machine = openMachine(['redis'], true);
  expect(prepareServices({ ...machine, names: testServices, installs: true })).toBe(true);
  expect(machine.install.mock.calls).toEqual([[['python3-swift', 'postgresql'], 'the tests']]);
  expect(machine.say).not.toHaveBeenCalled();
});

it.each([true, false])('says what is not tested where a service stays away (installs: %s)', (installs) => {
  const machine = openMachine(['swift', 'postgres'], false);
  expect(prepareServices({ ...machine, names: testServices, installs })).toBe(false);
  expect(machine.install).toHaveBeenCalledTimes(installs ? 1 : 0);
  expect(machine.say.mock.calls).toEqual([
    [
      'redis is not installed (apt-get install redis-server). Skipped are the tests of nodes that share a Redis.',
    ],
  ]);
});

it('installs nothing where all is there, and knows no other service', () => {
  const machine = openMachine(testServices, true);
  expect(prepareServices({ ...machine, names: testServices, installs: true })).toBe(true);
  expect(machine.install).not.toHaveBeenCalled();
  expect(() => findService('memcached')).toThrow('memcached is none of redis, swift, postgres, caddy.');
});
