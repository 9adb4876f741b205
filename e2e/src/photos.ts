import sharp from 'sharp';

const drawn = new Map<string, Promise<Buffer>>();

/** A real JPEG of a scene drawn from a seed: sky, sun, hills and sea. */
export function photo(seed: number, width = 1200, height = 900): Promise<Buffer> {
  const key = `${seed} ${width} ${height}`;
  const jpeg = drawn.get(key) ?? draw(seed, width, height);
  drawn.set(key, jpeg);
  return jpeg;
}

/** The same, but so small that the server is done with it at once: for pictures at which no spec looks. */
export const smallPhoto = (seed: number): Promise<Buffer> => photo(seed, 160, 120);

function draw(seed: number, width: number, height: number): Promise<Buffer> {
  const hue = (seed * 67) % 360;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 1200 900">
    <rect width="1200" height="900" fill="hsl(${hue} 70% 78%)"/>
    <circle cx="${300 + ((seed * 131) % 600)}" cy="330" r="110" fill="hsl(${(hue + 40) % 360} 95% 66%)"/>
    <path d="M0 560 Q 300 ${380 + ((seed * 37) % 120)} 620 560 T 1200 520 V 900 H 0 Z" fill="hsl(${(hue + 120) % 360} 35% 40%)"/>
    <rect y="660" width="1200" height="240" fill="hsl(${(hue + 200) % 360} 55% 45%)"/>
  </svg>`;
  return sharp(Buffer.from(drawing)).jpeg({ quality: 85 }).toBuffer();
}
