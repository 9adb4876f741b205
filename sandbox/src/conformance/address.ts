import { registerHooks } from 'node:module';

const PROVIDER = 'https://api.paymongo.com';
const CLIENTS = /\/node_modules\/(paymongo|paymongo-node|paymongo\.js|@theyahia\/paymongo-mcp)\//;

/** Replaces the provider's address in the published files as they are loaded: the only change to the clients. */
export function replaceAddress(address: string): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!CLIENTS.test(url) || !loaded.source) return loaded;
      const source = Buffer.from(loaded.source as Uint8Array | string as string).toString('utf8');
      return { ...loaded, source: source.replaceAll(PROVIDER, address) };
    },
  });
}

/** The arguments by which Node does the same in a client that is a program of its own. */
export function replacingAddress(address: string): string[] {
  const script = `import { replaceAddress } from '${import.meta.url}'; replaceAddress('${address}');`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}
