/**
 * The content policy forbids `eval`, and zod must not even probe for it. Said before zod is there, the way zod
 * itself keeps it (`z.config` writes to the same object), so that the first page need not load zod to say it.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
