// The world of our drawings: dusk over the sea, lanterns, a vinta, friends on the sea wall, and the cat.
// Each part is drawn around an origin, and placed with x, y and size.
import { type ReactNode, useId } from 'react';

/** One colour for day's end (light theme) and one for nightfall (dark theme). */
export const duo = (light: string, dark: string) => `light-dark(${light}, ${dark})`;

export const DARK = duo('#3b2f5c', '#0d0f22');
export const RIM = duo('#ffd9a0', '#ffab6b');
export const HAIR = duo('#2b2140', '#0b0b1a');
export const SUN = duo('#fff1cc', '#ffc078');
export const FAR = duo('#a9709f', '#3d2a57');
export const CITY = duo('#8a5f96', '#2c2149');
export const LIT = duo('#ffdf9a', '#ffcf7a');
export const WALL = duo('#6a5079', '#211b39');
export const LEDGE = duo('#a0718a', '#3a2b55');

type Stops = readonly (readonly [offset: number, color: string])[];

export const SKY: Stops = [
  [0, duo('#6f63ad', '#10122b')],
  [0.3, duo('#b873ac', '#2b2150')],
  [0.58, duo('#f28a83', '#6d3560')],
  [0.8, duo('#fdb57c', '#c25a55')],
  [1, duo('#ffd694', '#f08c5a')],
];
export const SEA: Stops = [
  [0, duo('#f7a982', '#a34d5c')],
  [0.25, duo('#c57f98', '#57325c')],
  [0.7, duo('#5f6aa6', '#232750')],
  [1, duo('#41568f', '#171c3a')],
];

export function Gradient({ id, stops }: { id: string; stops: Stops }) {
  return (
    <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
      {stops.map(([offset, color]) => (
        <stop key={offset} offset={offset} stopColor={color} />
      ))}
    </linearGradient>
  );
}

interface Placed {
  x: number;
  y: number;
  size?: number;
}

const place = ({ x, y, size = 1 }: Placed) => `translate(${x} ${y}) scale(${size})`;

export const MANGO = '#ffb52e';
export const GUAVA = '#f26a5a';
export const LAGOON = '#38b6b0';

/** A parol, the star of paper, hanging from (x, y). `glow` 0 is one that is not lit. */
export function Lantern({ color, glow = 1, ...at }: Placed & { color: string; glow?: number }) {
  const id = useId();
  return (
    <g transform={place(at)}>
      <radialGradient id={id}>
        <stop offset="0" stopColor="#ffe6a8" stopOpacity={0.75 * glow} />
        <stop offset="1" stopColor="#ffd27a" stopOpacity={0} />
      </radialGradient>
      <path d="M0 0v22" stroke={DARK} strokeWidth={2.5} />
      {glow > 0 && <circle cy="52" r="64" fill={`url(#${id})`} />}
      <path
        d="M0 20 8.5 41 31 42 13 56 19 78 0 66-19 78-13 56-31 42-8.5 41Z"
        fill={color}
        stroke={color}
        strokeWidth={5}
        strokeLinejoin="round"
      />
      <path d="M0 20V52L31 42ZM19 78 0 52-13 56ZM-31 42 0 52-8.5 41Z" fill="#fff" opacity={0.16} />
      <circle cy="52" r="10" fill="#fff3d0" opacity={0.25 + 0.75 * glow} />
      <path d="M-13 84v18M13 84v18" stroke={color} strokeWidth={5} strokeLinecap="round" />
    </g>
  );
}

const STRIPES = ['#f2c230', '#e2483d', '#2f9e77', '#f4ead2', '#3f63c4', '#f2994a'];

/** A vinta, the striped sail of the south; (x, y) is its waterline. With `furled` the sail is tied to the mast. */
export function Vinta({ furled = false, ...at }: Placed & { furled?: boolean }) {
  const id = useId();
  return (
    <g transform={place(at)}>
      <ellipse cy="40" rx="120" ry="9" fill={DARK} opacity={0.3} />
      {furled ? (
        <g fill="none" strokeLinecap="round">
          <path d="M-66-20Q16-42 98-20" stroke="#f4ead2" strokeWidth={24} />
          {STRIPES.map((color, index) => (
            <path
              key={color}
              d={`M${-58 + index * 28}-${23 + (index > 0 && index < 5 ? 6 : 0)}l20 ${index < 3 ? -2 : 2}`}
              stroke={color}
              strokeWidth={18}
              strokeLinecap="butt"
            />
          ))}
          <path d="M-34-38l-4 24M16-44v24M66-38l4 24" stroke={DARK} strokeWidth={3} />
        </g>
      ) : (
        <>
          <clipPath id={id}>
            <path d="M-66-14 52-206Q112-104 98-14Q16-30-66-14Z" />
          </clipPath>
          <g clipPath={`url(#${id})`}>
            <path d="M-70-210H120V0H-70Z" fill="#f2994a" />
            {STRIPES.map((color, index) => (
              <path
                key={color}
                d={`M52-206 ${-66 + index * 28}-4h30Z`}
                stroke={color}
                strokeWidth={2}
                fill={color}
              />
            ))}
            <path d="M52-206Q112-104 98-14 60-24 40-23Z" fill="#241a46" opacity={0.18} />
          </g>
        </>
      )}
      <g stroke={DARK} strokeLinecap="round" fill="none">
        <path d="M52-214 30 0M-74-12Q16-32 106-12" strokeWidth={4} />
        <path d="M-128 30H118M-70 8-84 30M62 10 76 30" strokeWidth={5} />
      </g>
      <path d="M-112-10Q-78 10 10 10T128-14Q104 26 4 26T-112-10Z" fill={DARK} />
    </g>
  );
}

/** The cat of the sea wall, from behind; (x, y) is where it sits. */
export function Cat(at: Placed) {
  return (
    <g transform={place(at)} fill={HAIR} stroke={RIM} strokeWidth={2.5}>
      <path d="M36-6q34 2 30-34" fill="none" strokeWidth={7} stroke={HAIR} strokeLinecap="round" />
      <path d="M-34 0C-44-54-30-92-12-104L-20-136-2-122H16L32-138 30-108C50-90 44-40 40 0Z" />
    </g>
  );
}

export const HAIRS = {
  short: 'M-30-166C-36-216 36-216 30-166 28-146 16-138 0-138S-28-146-30-166Z',
  long: 'M-30-176C-34-226 34-226 32-176 36-130 40-100 30-72 8-58-12-60-30-72-40-104-32-136-30-176Z',
  cap: 'M-34-168C-40-224 40-224 34-168Q0-180-34-168Z',
};

interface FriendProps extends Placed {
  shirt: string;
  skin: string;
  /** Degrees to the right. */
  lean: number;
  children: ReactNode;
}

/** Someone who sits on the wall with their back to us; (x, y) is where they sit. */
export function Friend({ shirt, skin, lean, children, ...at }: FriendProps) {
  return (
    <g transform={`${place(at)} rotate(${lean})`}>
      <path d="M-56 0H56Q66 14 48 16H-48Q-66 14-56 0Z" fill={HAIR} opacity={0.85} />
      <path d="M-12-152h24v34h-24Z" fill={skin} />
      <path
        d="M-52 6C-46-34-58-74-54-100-51-120-32-126-14-130Q0-120 14-130C32-126 51-120 54-100 58-74 46-34 52 6"
        fill={shirt}
        stroke={RIM}
        strokeWidth={2.5}
      />
      <path d="M-2-112Q6-60-2 4 30 8 52 6 46-34 54-100Q30-116-2-112Z" fill="#1d1440" opacity={0.13} />
      {children}
    </g>
  );
}

/** A sleeve along `d`, with a hand at its end. */
export function Arm({
  d,
  shirt,
  skin,
  hand,
}: {
  d: string;
  shirt: string;
  skin: string;
  hand: [number, number];
}) {
  return (
    <>
      <circle cx={hand[0]} cy={hand[1]} r="12" fill={skin} />
      <path d={d} stroke={shirt} strokeWidth={23} strokeLinecap="round" fill="none" />
    </>
  );
}

export function Hair({ d, color = HAIR }: { d: string; color?: string }) {
  return <path d={d} fill={color} stroke={RIM} strokeWidth={2.5} />;
}

const FRONDS = [
  'M0 0C-60-70-150-84-232-20-150-50-72-34 0 0Z',
  'M0 0C-90-24-176 16-214 104-150 36-74 12 0 0Z',
  'M0 0C-54 18-106 84-104 176-76 96-40 44 0 0Z',
  'M0 0C-30-84-96-140-186-148-106-110-48-62 0 0Z',
  'M0 0C6-90 62-146 140-156 76-106 34-60 0 0Z',
  'M0 0C56-60 140-60 200-4 124-26 62-22 0 0Z',
  'M0 0C60 6 112 66 118 152 86 82 48 34 0 0Z',
];

/** The crown of a palm; `trunk` is its path from (0, 0). */
export function Palm({ trunk, ...at }: Placed & { trunk: string }) {
  return (
    <g fill={DARK} transform={place(at)}>
      <path d={trunk} />
      {FRONDS.map((d) => (
        <path key={d} d={d} />
      ))}
      <circle cx="-12" cy="16" r="13" />
      <circle cx="14" cy="20" r="12" />
    </g>
  );
}

/** The volcano on the horizon; (x, y) is the middle of its foot. */
export function Volcano(at: Placed) {
  return (
    <g transform={place(at)}>
      <path d="M-190 0C-110-24-60-80-18-146q10-12 22-8 12-5 20 8C68-80 130-22 230 0Z" fill={FAR} />
      <path d="M12-154q8 0 12 8C68-80 130-22 230 0H80C50-50 26-100 12-154Z" fill={SUN} opacity={0.16} />
      <path
        d="M2-158q-12-16 2-28 14-10 4-26 24 10 16 30-4 12-8 24Z"
        fill={duo('#fff', '#c9a5b8')}
        opacity={0.35}
      />
    </g>
  );
}

export function Gulls(at: Placed) {
  return (
    <path
      transform={place(at)}
      d="M40-32q14-14 24 2 10-16 24-2M0 0q10-18 18 2 8-12 18-2M84 6q8-8 14 1 6-9 14-1"
      fill="none"
      stroke={DARK}
      strokeWidth={4}
      strokeLinecap="round"
      opacity={0.7}
    />
  );
}

interface DuskProps {
  /** Width and height of the drawing. */
  frame?: [number, number];
  horizon?: number;
  /** Centre and radius. */
  sun: [number, number, number];
  sky?: Stops;
  sea?: Stops;
  /** In front of the sun and behind the sea. */
  far?: ReactNode;
  children?: ReactNode;
  className?: string | undefined;
}

/** Where stars and strips of cloud stand, and where light lies on the water, as shares of the drawing. */
const STARS = [
  0.06, 0.22, 0.13, 0.08, 0.24, 0.31, 0.36, 0.1, 0.52, 0.2, 0.63, 0.07, 0.72, 0.28, 0.83, 0.13, 0.94, 0.24,
];
const CLOUDS = [0.02, 0.62, 0.3, 0.2, 0.78, 0.15, 0.56, 0.7, 0.36, 0.7, 0.86, 0.2];
const GLINTS = [
  0, 0.06, 0.3, -0.04, 0.14, 0.22, 0.05, 0.24, 0.4, -0.06, 0.36, 0.3, 0.03, 0.5, 0.22, -0.02, 0.66, 0.36,
];

/** The numbers in groups of `count`. */
const groups = (numbers: readonly number[], count: number) =>
  Array.from({ length: numbers.length / count }, (_, index) =>
    numbers.slice(index * count, (index + 1) * count),
  );

/** A drawing of dusk: sky, sun and sea with what is in front of them. Decorative, hence silent. */
export function Dusk({
  frame: [width, height] = [480, 360],
  horizon = 236,
  sun: [sunX, sunY, radius],
  sky = SKY,
  sea = SEA,
  far,
  children,
  className,
}: DuskProps) {
  const id = useId();
  const depth = height - horizon;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className={className}
    >
      <defs>
        <Gradient id={`${id}sky`} stops={sky} />
        <Gradient id={`${id}sea`} stops={sea} />
        <radialGradient id={`${id}glow`}>
          <stop offset="0.25" stopColor={SUN} stopOpacity={0.75} />
          <stop offset="1" stopColor={SUN} stopOpacity={0} />
        </radialGradient>
      </defs>
      <path d={`M0 0H${width}V${horizon + 2}H0Z`} fill={`url(#${id}sky)`} />
      <g fill={duo('#ffffff55', '#ffffffcc')}>
        {groups(STARS, 2).map(([x = 0, y = 0], index) => (
          <circle key={x} cx={x * width} cy={y * horizon} r={1 + (index % 3) * 0.4} />
        ))}
      </g>
      <circle cx={sunX} cy={sunY} r={radius * 3.2} fill={`url(#${id}glow)`} />
      <circle cx={sunX} cy={sunY} r={radius} fill={SUN} />
      <g fill={duo('#ffe3c4', '#ff9d7a')} opacity={0.45}>
        {groups(CLOUDS, 3).map(([x = 0, y = 0, share = 0]) => (
          <rect key={x} x={x * width} y={y * horizon} width={share * width} height={6} rx={3} />
        ))}
      </g>
      {far}
      <path d={`M0 ${horizon}H${width}V${height}H0Z`} fill={`url(#${id}sea)`} />
      <g fill={SUN} opacity={0.5}>
        {groups(GLINTS, 3).map(([x = 0, y = 0, share = 0]) => {
          const glint = share * radius * 5;
          return (
            <rect
              key={y}
              x={sunX + x * width - glint / 2}
              y={horizon + 6 + y * depth}
              width={glint}
              height={3.5}
              rx={1.75}
            />
          );
        })}
      </g>
      {children}
    </svg>
  );
}

/** The sea wall from `y` down to the lower edge of the drawing. */
export function SeaWall({ y, width = 480, height = 360 }: { y: number; width?: number; height?: number }) {
  return (
    <>
      <path d={`M0 ${y}H${width}V${height}H0Z`} fill={WALL} />
      <path d={`M0 ${y - 4}H${width}v13H0Z`} fill={LEDGE} />
      <path d={`M0 ${y - 4}H${width}`} stroke={RIM} strokeWidth={2} opacity={0.8} />
      <path
        d={`M0 ${y + 38}H${width}M70 ${y + 9}v29M210 ${y + 9}v29M350 ${y + 9}v29M140 ${y + 38}v40M290 ${y + 38}v40M430 ${y + 38}v40`}
        stroke={DARK}
        strokeWidth={2}
        opacity={0.28}
      />
    </>
  );
}
