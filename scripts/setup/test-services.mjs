import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installOnDebian } from './debian.mjs';

/** Programs that tests start, with their Debian packages and what is not tested without them. */
const services = [
  { program: 'redis-server', debianPackage: 'redis-server', tests: 'the tests of nodes that share a Redis' },
];

const isInstalled = (program) =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'].some((folder) =>
    existsSync(join(folder, program)),
  );

/** Installs what tests need under CI=true; elsewhere it says which tests are skipped. */
export function installTestServices() {
  for (const { program, debianPackage, tests } of services) {
    if (isInstalled(program)) continue;
    if (process.env.CI === 'true') installOnDebian(debianPackage, tests);
    else console.error(`${program} was not found: ${tests} are skipped.`);
  }
}
