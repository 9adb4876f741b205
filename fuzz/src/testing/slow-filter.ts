// Loaded into the server's process before the server: each filter of a subscription takes 8 ms for each of its values.
import { registerHooks } from 'node:module';

const sound = 'accepts: (payload) =>';
const slow = `accepts: (payload) =>
  (() => {
    const until = performance.now() + values * 8;
    while (performance.now() < until);
    return true;
  })() &&`;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/backend/realtime/filter.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(sound)) throw new Error('The filter of a subscription is made in another way.');
    return { ...loaded, source: source.replace(sound, slow) };
  },
});
