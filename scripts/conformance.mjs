// `npm run conformance NAME`: drives the payment sandbox (`payments`) or the backend service (`backend`) with clients that
// others published.
import { install } from './install.mjs';
import { main } from './setup/main.mjs';
import { runNode } from './setup/run.mjs';

const programs = new Map([
  ['payments', 'sandbox/src/conformance/payments.ts'],
  ['backend', 'e2e/src/conformance/backend.ts'],
]);

await main(async ([name, ...args]) => {
  await install();
  const program = programs.get(name ?? '');
  if (!program)
    throw new Error(`npm run conformance NAME, where NAME is ${[...programs.keys()].join(' or ')}.`);
  return runNode([program, ...args]);
});
