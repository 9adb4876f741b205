/** A move of the database cannot begin or go on; the message says why and what to do, and holds no secret. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
}
