import { test } from 'vitest';
import { openTara } from '../../tara.ts';
import { openChats } from '../chats.ts';

/** Tests of a server in a process of its own, with a chat of each kind. */
export const chaosTest = test
  .extend('options', { scope: 'file' }, (): Parameters<typeof openTara>[0] => ({}))
  .extend('tara', { scope: 'file' }, async ({ options }, { onCleanup }) => {
    const tara = await openTara(options);
    onCleanup(() => tara.remove());
    return tara;
  })
  .extend('chats', { scope: 'file' }, ({ tara }) => openChats(tara, 1));
