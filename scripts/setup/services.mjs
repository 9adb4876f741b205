// `node scripts/setup/services.mjs NAME`: prints the file of a service that tests run beside Tara; where it is not installed, ends with 1.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installOnDebian } from './debian.mjs';

const postgresFolder = '/usr/lib/postgresql';

/** Programs of Debian's Postgres, oldest first. */
const postgresPrograms = () =>
  (existsSync(postgresFolder) ? readdirSync(postgresFolder) : [])
    .sort((one, other) => Number(one) - Number(other))
    .map((version) => join(postgresFolder, version, 'bin', 'postgres'));

/** The services: Debian's packages, the files one of which is there once it is installed, and what is not tested without it. */
const services = {
  redis: {
    packages: ['redis-server'],
    files: () => ['/usr/bin/redis-server', '/usr/local/bin/redis-server'],
    tests: 'nodes that share a Redis',
  },
  swift: {
    packages: ['python3-swift'],
    files: () => ['/usr/lib/python3/dist-packages/swift/proxy/server.py'],
    tests: 'files in a store that was not written for tests',
  },
  postgres: {
    packages: ['postgresql'],
    files: postgresPrograms,
    tests: 'a Postgres older than the embedded one',
  },
  caddy: {
    packages: ['caddy'],
    files: () => ['/usr/bin/caddy', '/usr/local/bin/caddy'],
    tests: 'nodes behind a proxy',
  },
};

/** The file of a service; null where it is not installed. */
export function findService(name) {
  const service = services[name];
  if (service === undefined) throw new Error(`${name} is none of ${Object.keys(services).join(', ')}.`);
  return service.files().find((file) => existsSync(file)) ?? null;
}

/** Those that tests of `npm test` start; the others are for browser tests and chaos runs of several nodes. */
export const testServices = ['redis', 'swift', 'postgres'];

/**
 * Installs services where the machine is a Debian, and says what is not tested where one is missing.
 * @param options `names` are all unless given; `installs` is true under CI=true alone unless given; the others stand in for the
 * machine in tests.
 * @returns whether all are there
 */
export function prepareServices({
  names = Object.keys(services),
  find = findService,
  install = installOnDebian,
  say = console.error,
  installs = process.env.CI === 'true',
} = {}) {
  const findMissing = () => names.filter((name) => find(name) === null);
  const before = findMissing();
  const packages = before.flatMap((name) => services[name].packages);
  if (installs && packages.length > 0) install(packages, 'the tests');
  const missing = findMissing();
  for (const name of missing)
    say(
      `${name} is not installed (apt-get install ${services[name].packages.join(' ')}). Skipped are the tests of ${services[name].tests}.`,
    );
  return missing.length === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = findService(process.argv[2]);
  if (file !== null) console.log(file);
  process.exitCode = file === null ? 1 : 0;
}
