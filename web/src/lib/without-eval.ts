import * as z from 'zod';

/** The content policy forbids `eval`; zod must not even probe for it. Import this before anything with a schema. */
z.config({ jitless: true });
