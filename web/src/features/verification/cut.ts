/** At most `length` signs of a text, then two dots (§9). */
export function cut(text: string, length: number): string {
  const signs = [...text];
  return signs.length > length ? `${signs.slice(0, length).join('')}..` : text;
}
