/** A moment before now. */
export function ago({
  days = 0,
  hours = 0,
  minutes = 0,
}: {
  days?: number;
  hours?: number;
  minutes?: number;
}): Date {
  return new Date(Date.now() - ((days * 24 + hours) * 60 + minutes) * 60_000);
}
