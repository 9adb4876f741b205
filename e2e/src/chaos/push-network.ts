// Loaded into a server before its own code (`node --import`): what it sends to the push service of PUSH_SERVICE_HERE goes to one
// of this machine, whatever port and address it has. The server checks the endpoint and the address as ever.
import promises from 'node:dns/promises';
import { Agent } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import type { LookupFunction } from 'node:net';
import { connectHere, type PushServiceAddress } from '@tara/server/testing/push-service';

const { host, ...here } = JSON.parse(process.env.PUSH_SERVICE_HERE ?? '{}') as PushServiceAddress;

const resolve = promises.lookup;
// No name is known on a machine without the internet.
Object.assign(promises, {
  lookup: (name: string, options: object) =>
    name === host ? Promise.resolve([{ address: '34.107.243.93', family: 4 }]) : resolve(name, options),
});
syncBuiltinESMExports();

const usual = Agent.prototype.createConnection;
Agent.prototype.createConnection = function (options, done) {
  const { host: name, lookup } = options as { host?: string; lookup?: LookupFunction };
  return name === host && lookup !== undefined
    ? connectHere(here, lookup).call(this, options, done)
    : usual.call(this, options, done);
};
