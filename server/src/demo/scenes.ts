import sharp from 'sharp';

/** Pictures of the demo world: our own drawings, lit and grained like photographs. */

const width = 1440;
const height = 1080;

/** A repeatable sequence of numbers from 0 to 1 (mulberry32), so that the demo world looks the same everywhere. */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Next = () => number;
const between = (next: Next, low: number, high: number) => low + next() * (high - low);

const gradient = (id: string, stops: string[]) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops
    .map((color, at) => `<stop offset="${at / (stops.length - 1)}" stop-color="${color}"/>`)
    .join('')}</linearGradient>`;

/** A ridge from left to right, closed at the bottom. */
function ridge(next: Next, top: number, roughness: number, color: string): string {
  let path = `M0 ${top + between(next, -roughness, roughness)}`;
  for (let x = 120; x <= width + 120; x += 120) {
    const y = top + between(next, -roughness, roughness);
    path += ` Q ${x - 60} ${y + between(next, -roughness, roughness) / 2} ${x} ${y}`;
  }
  return `<path d="${path} V ${height} H 0 Z" fill="${color}"/>`;
}

function glow(x: number, y: number, size: number, color: string): string {
  return `<circle cx="${x}" cy="${y}" r="${size * 3}" fill="${color}" opacity=".22" filter="url(#soft)"/>
    <circle cx="${x}" cy="${y}" r="${size}" fill="${color}"/>`;
}

function palm(x: number, foot: number, size: number, color: string): string {
  const top = foot - size;
  const leaves = [-150, -115, -75, -35, 5, 40].map((angle) => {
    const radians = (angle * Math.PI) / 180;
    const tipX = x + 26 + Math.cos(radians) * size * 0.42;
    const tipY = top + Math.sin(radians) * size * 0.3 + size * 0.14;
    return `<path d="M${x + 26} ${top} Q ${(x + 26 + tipX) / 2} ${Math.min(top, tipY) - size * 0.1} ${tipX} ${tipY} Q ${(x + 26 + tipX) / 2} ${Math.min(top, tipY) + size * 0.02} ${x + 26} ${top}" fill="${color}"/>`;
  });
  return `<path d="M${x} ${foot} Q ${x - 14} ${foot - size / 2} ${x + 26} ${top}" stroke="${color}" stroke-width="${size * 0.04}" fill="none" stroke-linecap="round"/>${leaves.join('')}`;
}

function boat(x: number, y: number, size: number): string {
  return `<g fill="#2b2230"><path d="M${x - size} ${y} Q ${x} ${y + size * 0.42} ${x + size} ${y} Q ${x} ${y + size * 0.12} ${x - size} ${y}"/>
    <path d="M${x - size * 1.1} ${y + size * 0.3} H ${x + size * 1.1}" stroke="#2b2230" stroke-width="5"/>
    <path d="M${x} ${y + 10} V ${y - size * 1.15} L ${x + size * 0.72} ${y - size * 0.1} Z" fill="#f3d9b8"/></g>`;
}

function waves(next: Next, from: number, color: string): string {
  return Array.from({ length: 60 }, () => {
    const y = between(next, from, height);
    const length = between(next, 40, 190) * ((y - from) / (height - from) + 0.3);
    return `<rect x="${between(next, -60, width)}" y="${y}" width="${length}" height="${2 + ((y - from) / (height - from)) * 4}" rx="2" fill="${color}" opacity="${between(next, 0.1, 0.45)}"/>`;
  }).join('');
}

function beach(next: Next): string {
  const sun = between(next, 350, 1100);
  return `<rect width="${width}" height="${height}" fill="url(#sky)"/>${glow(sun, 470, 84, '#fff0c4')}
    ${ridge(next, 560, 26, '#7d5a78')}<rect y="585" width="${width}" height="500" fill="url(#sea)"/>${waves(next, 600, '#ffe9c9')}
    ${boat(between(next, 250, 1180), 690, between(next, 70, 110))}
    <path d="M0 930 Q 420 850 800 950 T ${width} 900 V ${height} H 0 Z" fill="#e9c69b"/>${palm(between(next, 60, 220), 980, 620, '#33273a')}`;
}

function mountains(next: Next): string {
  const peak = between(next, 480, 980);
  return `<rect width="${width}" height="${height}" fill="url(#sky)"/>${glow(between(next, 150, 420), 220, 60, '#fff6dc')}
    <path d="M${peak - 620} 760 Q ${peak - 120} 600 ${peak - 34} 250 Q ${peak} 228 ${peak + 34} 250 Q ${peak + 130} 610 ${peak + 640} 760 Z" fill="#6d7391"/>
    <path d="M${peak - 76} 380 Q ${peak - 40} 300 ${peak - 34} 250 Q ${peak} 228 ${peak + 34} 250 Q ${peak + 44} 320 ${peak + 80} 390 Q ${peak + 30} 350 ${peak} 400 Q ${peak - 30} 340 ${peak - 76} 380" fill="#f1ede8" opacity=".85"/>
    ${ridge(next, 720, 36, '#4f6f64')}${ridge(next, 820, 40, '#3b5a48')}${ridge(next, 930, 44, '#27402f')}`;
}

function city(next: Next): string {
  const towers = Array.from({ length: 26 }, (_, at) => {
    const wide = between(next, 46, 110);
    const tall = between(next, 170, 560);
    const x = at * 58 - 40;
    const windows = Array.from({ length: Math.floor(tall / 17) }, (_, row) =>
      next() > 0.45
        ? `<rect x="${x + 8 + next() * (wide - 30)}" y="${820 - tall + row * 16 + 10}" width="${between(next, 6, 16)}" height="6" fill="${next() > 0.3 ? '#ffd98e' : '#9fd6ff'}" opacity="${between(next, 0.5, 1)}"/>`
        : '',
    );
    return `<rect x="${x}" y="${820 - tall}" width="${wide}" height="${tall}" fill="hsl(${235 + next() * 25} 28% ${10 + next() * 10}%)"/>${windows.join('')}`;
  });
  return `<rect width="${width}" height="${height}" fill="url(#sky)"/>${glow(between(next, 900, 1250), 200, 50, '#fdeccf')}${towers.join('')}
    <rect y="818" width="${width}" height="270" fill="url(#sea)"/>${waves(next, 826, '#ffce85')}`;
}

function terraces(next: Next): string {
  const steps = Array.from({ length: 13 }, (_, at) => {
    const y = 420 + at * 54;
    const light = 56 - at * 3;
    return `<path d="M0 ${y + between(next, -18, 18)} Q ${360} ${y - 70 + between(next, -20, 20)} ${720} ${y} T ${width} ${y - 10 + between(next, -24, 24)} V ${height} H 0 Z" fill="hsl(${96 + between(next, -14, 16)} ${40 + at}% ${light}%)"/>
      <path d="M0 ${y + 4} Q 360 ${y - 66} 720 ${y + 4} T ${width} ${y - 6}" stroke="#dff3e6" stroke-width="3" fill="none" opacity=".4"/>`;
  });
  return `<rect width="${width}" height="${height}" fill="url(#sky)"/>${ridge(next, 360, 60, '#86a3a6')}${steps.join('')}`;
}

function table(next: Next): string {
  const cups = Array.from({ length: 3 }, (_, at) => {
    const x = 330 + at * 390 + between(next, -50, 50);
    const y = 620 + between(next, -90, 130);
    const brew = next() > 0.5 ? '#5b3418' : '#c98a4b';
    return `<ellipse cx="${x + 14}" cy="${y + 26}" rx="178" ry="150" fill="#000" opacity=".22" filter="url(#soft)"/>
      <ellipse cx="${x}" cy="${y}" rx="170" ry="142" fill="#f7efe4"/><ellipse cx="${x}" cy="${y}" rx="112" ry="94" fill="#fffaf2"/>
      <ellipse cx="${x}" cy="${y}" rx="98" ry="81" fill="${brew}"/><path d="M${x - 40} ${y} q 40 -52 80 0 q -40 48 -80 0" fill="#f4dfc3" opacity=".9"/>
      <rect x="${x + 150}" y="${y - 16}" width="70" height="34" rx="17" fill="#f7efe4"/>`;
  });
  const planks = Array.from(
    { length: 8 },
    (_, at) =>
      `<rect y="${at * 136}" width="${width}" height="134" fill="hsl(${24 + next() * 8} ${34 + next() * 10}% ${38 + next() * 8}%)"/>`,
  );
  return `${planks.join('')}${cups.join('')}<circle cx="${width * 0.1}" cy="60" r="520" fill="#ffe2ae" opacity=".28" filter="url(#soft)"/>`;
}

const moods = {
  beach: { draw: beach, sky: ['#4f5d95', '#e98f7d', '#ffd39a'], sea: ['#e79f86', '#4a5d86'] },
  island: { draw: beach, sky: ['#3c93c9', '#a9dcec', '#fdf3d8'], sea: ['#5fc6cf', '#1c6f92'] },
  mountains: { draw: mountains, sky: ['#6fa3cf', '#f5c8a8', '#fdeed2'], sea: ['#fff', '#fff'] },
  city: { draw: city, sky: ['#161c3c', '#3d3466', '#b9677c'], sea: ['#3a2f58', '#12152c'] },
  terraces: { draw: terraces, sky: ['#8bbfd8', '#dcecdf', '#fdf4dc'], sea: ['#fff', '#fff'] },
  table: { draw: table, sky: ['#fff', '#fff'], sea: ['#fff', '#fff'] },
} as const;

export type Scene = keyof typeof moods;
export const scenes = Object.keys(moods) as Scene[];

/** A JPEG of one scene, 1440 × 1080; another seed moves everything in it. */
export async function drawScene(scene: Scene, seed: number): Promise<Buffer> {
  const { draw, sky, sea } = moods[scene];
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>${gradient('sky', [...sky])}${gradient('sea', [...sea])}
    <filter id="soft" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="34"/></filter>
    <radialGradient id="lens" r=".78"><stop offset=".55" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".34"/></radialGradient></defs>
    ${draw(numbersFrom(seed))}<rect width="${width}" height="${height}" fill="url(#lens)"/></svg>`;
  const grain = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 11 },
    },
  })
    .png()
    .toBuffer();
  return sharp(Buffer.from(drawing))
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 86 })
    .toBuffer();
}
