/** Trusted Types, which the content policy requires for script URLs. The only policy is created here. */
interface ScriptPolicy {
  createScriptURL(address: string): string;
}
interface TrustedTypesFactory {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

let policy: ScriptPolicy | undefined;

/** The address if it is one of our own scripts. @throws TypeError for any other */
function createScriptURL(address: string): string {
  const { origin, pathname } = new URL(address, location.href);
  const isOurs =
    pathname === '/service-worker.js' || pathname.startsWith(import.meta.env.DEV ? '/' : '/assets/');
  if (origin !== location.origin || !isOurs) throw new TypeError(`${address} is none of our scripts`);
  return address;
}

/** The address of a script of ours, as the browser wants it for workers. */
export function trustedScriptUrl(address: string): string {
  // Not in every browser, and not in TypeScript's library.
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  if (!factory) return address;
  policy ??= factory.createPolicy('tara-worker', { createScriptURL });
  return policy.createScriptURL(address);
}
