/** A refusal of the command, with its message for the person who typed it. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
