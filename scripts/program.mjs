// The programs of the workspaces, with their arguments:
// `npm run admin -- …`: commands for operators.
// `npm run bench NAME`: one of the workloads in bench/src.
// `npm run chaos NAME`: random schedules and kills against a real server, of e2e/src/chaos.
// `npm run conformance NAME`: drives the payment sandbox (`payments`) or the backend service (`backend`) with clients that
// others published; `models` reads from the sources of such clients what they require of replies.
// `npm run matrix NAME`: one of the matrices of server/src/matrix.
// `npm run simulate NAME`: lives from seeds, with everything in one process, for example with `-- --seeds 1000`.
// `npm run fuzz`: sends inputs generated from the contract to a separate server, for example with `-- --minutes 20 --seed 7`.
import { readdirSync } from 'node:fs';
import { install } from './install.mjs';
import { inRoot } from './setup/paths.mjs';
import { main, runNode } from './setup/run.mjs';
import { prepareServices } from './setup/services.mjs';

/** The programs of a folder, by the names of its files that match; `ending` is that of the program's file. */
const programsIn = (folder, pattern, ending = '.ts') =>
  Object.fromEntries(
    readdirSync(inRoot(folder))
      .flatMap((file) => pattern.exec(file)?.[1] ?? [])
      .map((name) => [name, `${folder}/${name}${ending}`]),
  );

/** Each command's program, or its programs by the name that it takes. */
const commands = {
  admin: { program: 'server/src/admin.ts' },
  bench: { programs: programsIn('bench/src', /^([a-z-]+)\.ts$/), env: { NODE_ENV: 'production' } },
  // Those with a short version in `npm test`, and those without.
  chaos: {
    programs: {
      ...programsIn('e2e/src/chaos', /^([a-z]+)\.test\.ts$/),
      nodes: 'e2e/src/chaos/nodes.ts',
      notifications: 'e2e/src/chaos/notifications.ts',
    },
  },
  conformance: {
    programs: {
      payments: 'sandbox/src/conformance/payments.ts',
      backend: 'e2e/src/conformance/backend.ts',
      models: 'e2e/src/conformance/models.ts',
    },
  },
  fuzz: { program: 'fuzz/src/main.ts' },
  simulate: { programs: programsIn('simulation/src', /^([a-z]+)\.ts$/) },
  matrix: {
    programs: programsIn('server/src/matrix', /^([a-z]+)\.test\.ts$/, '.test.ts'),
    runner: 'server/src/matrix/run.ts',
  },
};

await main(async ([command, ...args]) => {
  await install();
  const { program, programs, runner, env } = commands[command];
  if (program) return runNode([program, ...args]);
  const [name, ...rest] = args;
  if (!Object.hasOwn(programs, name ?? ''))
    throw new Error(`npm run ${command} NAME, where NAME is ${Object.keys(programs).join(' or ')}.`);
  // It has services beside Tara.
  if (command === 'chaos' && name === 'nodes' && !prepareServices({ installs: true })) return 1;
  return runNode([...(runner ? [runner] : []), programs[name], ...rest], { env });
});
