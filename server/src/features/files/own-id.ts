import { createHash } from 'node:crypto';

/**
 * The id under which a file is stored whose id its sender chose: of the same choice of two accounts two ids are made, so
 * that nobody learns from their own upload whether another's file exists. By it and by the chosen id its owner finds it.
 */
export const ownFileId = (ownerAccountId: string, chosenId: string) =>
  createHash('sha256').update(`${ownerAccountId}\n${chosenId}`).digest('hex').slice(0, 32);
