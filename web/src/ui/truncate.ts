/** Text cut for display after `limit` characters, with two dots (§9). Counts characters, not UTF-16 units. */
export function truncate(text: string, limit: number): string {
  const characters = [...text];
  return characters.length > limit ? `${characters.slice(0, limit).join('')}..` : text;
}
