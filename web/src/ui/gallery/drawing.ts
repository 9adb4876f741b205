const SCENES = [
  ['#f7b267', '#f25c54', '#2d6a8e'],
  ['#9ad1d4', '#3a7d7c', '#f4d35e'],
  ['#f9dcc4', '#c8553d', '#588b8b'],
  ['#cdb4db', '#6d597a', '#ffafcc'],
];

/** A little landscape as a picture's address, so that the gallery needs no files. */
export function drawing(which: number, width = 900, height = 675): string {
  const [sky, land, sea] = SCENES[which % SCENES.length] ?? [];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 90 60" preserveAspectRatio="xMidYMid slice"><path fill="${sky}" d="M0 0h90v60H0z"/><circle cx="62" cy="22" r="9" fill="#fff3d0"/><path fill="${land}" d="M0 44 24 18l14 16 10-8 42 26v8H0z"/><path fill="${sea}" d="M0 46h90v14H0z"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
