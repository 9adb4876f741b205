// `node scripts/setup/services.mjs NAME …`: looks for services that tests run beside Tara, and with CI=true installs those that are
// missing. Ends with 1 and says what is missing when one is.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { installOnDebian } from './debian.mjs';

/** The services: Debian's packages of each, and a file that is there once it is installed. No package starts a service. */
const services = {
  swift: {
    packages: ['python3-swift'],
    file: '/usr/lib/python3/dist-packages/swift/proxy/server.py',
  },
};

/**
 * What of the named services is missing, in words; null when nothing is.
 * @param options `isThere` and `install` stand in for the machine in tests.
 */
export function prepareServices(
  names,
  { isThere = existsSync, install = installOnDebian, isCi = process.env.CI === 'true' } = {},
) {
  for (const name of names) {
    const service = services[name];
    if (service === undefined) throw new Error(`${name} is none of ${Object.keys(services).join(', ')}.`);
    if (isThere(service.file)) continue;
    if (isCi) install(service.packages, 'the tests');
    if (!isThere(service.file)) return `${name} is not installed (apt-get install ${service.packages.join(' ')})`;
  }
  return null;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const missing = prepareServices(process.argv.slice(2));
  if (missing !== null) console.log(missing);
  process.exitCode = missing === null ? 0 : 1;
}
