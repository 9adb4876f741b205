import type { ReactNode } from 'react';

/** One colour for day's end (light theme) and one for nightfall (dark theme). */
const duo = (light: string, dark: string) => `light-dark(${light}, ${dark})`;

const DARK = duo('#3b2f5c', '#0d0f22');
const RIM = duo('#ffd9a0', '#ffab6b');
const HAIR = duo('#2b2140', '#0b0b1a');

const SHORT = 'M-30-166C-36-216 36-216 30-166 28-146 16-138 0-138S-28-146-30-166Z';
const LONG = 'M-30-176C-34-226 34-226 32-176 36-130 40-100 30-72 8-58-12-60-30-72-40-104-32-136-30-176Z';
const CAP = 'M-34-168C-40-224 40-224 34-168Q0-180-34-168Z';
const CAT = 'M-34 0C-44-54-30-92-12-104L-20-136-2-122H16L32-138 30-108C50-90 44-40 40 0Z';

/** Someone who sits on the wall with their back to us; (x, 908) is where they sit. */
function Friend(props: { x: number; shirt: string; skin: string; lean: number; children: ReactNode }) {
  const { x, shirt, skin, lean, children } = props;
  return (
    <g transform={`translate(${x} 908) rotate(${lean})`}>
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
function Arm({ d, shirt, skin, hand }: { d: string; shirt: string; skin: string; hand: [number, number] }) {
  return (
    <>
      <circle cx={hand[0]} cy={hand[1]} r="12" fill={skin} />
      <path d={d} stroke={shirt} strokeWidth={23} strokeLinecap="round" fill="none" />
    </>
  );
}

function Hair({ d, color = HAIR }: { d: string; color?: string }) {
  return <path d={d} fill={color} stroke={RIM} strokeWidth={2.5} />;
}

/** Four friends, one of whom waves, and the cat of the sea wall. */
function Friends() {
  return (
    <>
      <Friend x={262} shirt="#e4574b" skin="#a8684a" lean={4}>
        <Hair d={LONG} />
        <Arm d="M-49-98Q-74-50-64-10" shirt="#e4574b" skin="#a8684a" hand={[-64, 4]} />
      </Friend>
      <Friend x={388} shirt="#1f8a91" skin="#8f5638" lean={-2}>
        <Arm d="M-46-100Q-96-118-146-94" shirt="#1f8a91" skin="#8f5638" hand={[-158, -87]} />
        <path d="M-31-170q-8 2-4 14l6 4M31-170q8 2 4 14l-6 4" fill="#8f5638" />
        <Hair d={SHORT} />
        <Arm d="M49-98Q72-50 62-10" shirt="#1f8a91" skin="#8f5638" hand={[61, 4]} />
      </Friend>
      <Friend x={528} shirt="#f3ae2b" skin="#b87953" lean={-3}>
        <path d="M92-210 89-250" stroke="#b87953" strokeWidth={17} strokeLinecap="round" />
        <path d="M48-98Q98-150 92-218" stroke="#f3ae2b" strokeWidth={23} strokeLinecap="round" fill="none" />
        <Hair d={SHORT} />
        <circle cx="2" cy="-216" r="17" fill={HAIR} stroke={RIM} strokeWidth={2.5} />
        <Arm d="M-49-98Q-70-50-60-10" shirt="#f3ae2b" skin="#b87953" hand={[-60, 4]} />
      </Friend>
      <Friend x={672} shirt="#f1e7d4" skin="#8f5638" lean={2}>
        <path d="M-31-166q-8 2-4 14l6 4M31-166q8 2 4 14l-6 4" fill="#8f5638" />
        <Hair d={SHORT} />
        <Hair d={CAP} color="#38b07c" />
        <Arm d="M-49-98Q-72-50-62-10" shirt="#f1e7d4" skin="#8f5638" hand={[-62, 4]} />
        <Arm d="M49-98Q72-50 62-10" shirt="#f1e7d4" skin="#8f5638" hand={[62, 4]} />
      </Friend>
      <g transform="translate(118 1064)" fill={HAIR} stroke={RIM} strokeWidth={2.5}>
        <path d="M36-6q34 2 30-34" fill="none" strokeWidth={7} stroke={HAIR} strokeLinecap="round" />
        <path d={CAT} />
      </g>
    </>
  );
}

const STRIPES = ['#f2c230', '#e2483d', '#2f9e77', '#f4ead2', '#3f63c4', '#f2994a'];

/** A vinta, the striped sail of the south. (x, y) is its waterline. */
function Vinta({ x, y, size }: { x: number; y: number; size: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`}>
      <ellipse cy="40" rx="120" ry="9" fill={DARK} opacity={0.3} />
      <clipPath id={`sail-${x}`}>
        <path d="M-66-14 52-206Q112-104 98-14Q16-30-66-14Z" />
      </clipPath>
      <g clipPath={`url(#sail-${x})`}>
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
      <g stroke={DARK} strokeLinecap="round" fill="none">
        <path d="M52-214 30 0M-74-12Q16-32 106-12" strokeWidth={4} />
        <path d="M-128 30H118M-70 8-84 30M62 10 76 30" strokeWidth={5} />
      </g>
      <path d="M-112-10Q-78 10 10 10T128-14Q104 26 4 26T-112-10Z" fill={DARK} />
    </g>
  );
}

const SKY = [
  [0, duo('#6f63ad', '#10122b')],
  [0.3, duo('#b873ac', '#2b2150')],
  [0.58, duo('#f28a83', '#6d3560')],
  [0.8, duo('#fdb57c', '#c25a55')],
  [1, duo('#ffd694', '#f08c5a')],
] as const;
const SEA = [
  [0, duo('#f7a982', '#a34d5c')],
  [0.25, duo('#c57f98', '#57325c')],
  [0.7, duo('#5f6aa6', '#232750')],
  [1, duo('#41568f', '#171c3a')],
] as const;
const SUN = duo('#fff1cc', '#ffc078');
const FAR = duo('#a9709f', '#3d2a57');
const CITY = duo('#8a5f96', '#2c2149');
const LIT = duo('#ffdf9a', '#ffcf7a');
const WALL = duo('#6a5079', '#211b39');

// x, width, height above the horizon
const TOWERS = [
  [602, 44, 92],
  [640, 30, 138],
  [676, 52, 76],
  [722, 34, 176],
  [762, 46, 118],
  [812, 30, 208],
  [848, 60, 134],
] as const;
// x, y, width: light lying on the water
const GLINTS = [
  [386, 634, 138],
  [412, 652, 100],
  [352, 672, 176],
  [430, 694, 88],
  [366, 718, 150],
  [478, 738, 96],
  [332, 764, 118],
  [420, 788, 150],
  [566, 668, 58],
  [252, 700, 60],
  [604, 728, 84],
  [704, 690, 74],
  [110, 742, 96],
  [690, 776, 118],
  [40, 690, 70],
  [176, 800, 88],
] as const;
const STARS = [
  [90, 120, 2.4],
  [210, 60, 1.8],
  [330, 150, 2],
  [470, 70, 2.6],
  [140, 250, 1.7],
  [560, 190, 1.8],
  [270, 300, 1.6],
  [620, 90, 2],
] as const;
// where the lanterns hang on their string
const LANTERNS = [
  [80, 202, '#ffb52e'],
  [209, 280, '#f26a5a'],
  [341, 326, '#38b6b0'],
  [469, 341, '#ffb52e'],
  [591, 329, '#f26a5a'],
] as const;

function Gradient({ id, stops }: { id: string; stops: readonly (readonly [number, string])[] }) {
  return (
    <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
      {stops.map(([offset, color]) => (
        <stop key={offset} offset={offset} stopColor={color} />
      ))}
    </linearGradient>
  );
}

interface SignInArtProps {
  /** The middle of the picture, for a low and wide frame. */
  crop?: boolean;
  className?: string;
}

/** Friends on the sea wall at dusk: our own drawing beside the sign-in form. Decorative, hence silent. */
export default function SignInArt({ crop = false, className }: SignInArtProps) {
  return (
    <svg
      viewBox={crop ? '0 510 900 442' : '0 0 900 1100'}
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      className={className}
    >
      <defs>
        <Gradient id="art-sky" stops={SKY} />
        <Gradient id="art-sea" stops={SEA} />
        <radialGradient id="art-halo">
          <stop offset="0" stopColor="#ffe6a8" stopOpacity={0.75} />
          <stop offset="1" stopColor="#ffd27a" stopOpacity={0} />
        </radialGradient>
        <radialGradient id="art-glow">
          <stop offset="0.25" stopColor={SUN} stopOpacity={0.75} />
          <stop offset="1" stopColor={SUN} stopOpacity={0} />
        </radialGradient>
      </defs>
      <path d="M0 0h900v620H0Z" fill="url(#art-sky)" />
      <g fill="#fff">
        {STARS.map(([x, y, r]) => (
          <circle key={x} cx={x} cy={y} r={r} fill={duo('#ffffff55', '#ffffffcc')} />
        ))}
      </g>
      <circle cx="450" cy="600" r="360" fill="url(#art-glow)" />
      <circle cx="450" cy="588" r="112" fill={SUN} />
      <g fill={duo('#ffe3c4', '#ff9d7a')} opacity={0.5}>
        <path d="M60 402q40-34 86-16 42-44 98-6 48-16 66 22Z" />
        <path d="M500 350q34-28 70-10 40-40 92-4 44-12 60 14Z" opacity={0.7} />
        <rect x="16" y="446" width="250" height="12" rx="6" />
        <rect x="300" y="422" width="130" height="9" rx="4.5" />
        <rect x="560" y="470" width="300" height="12" rx="6" />
        <rect x="420" y="498" width="150" height="8" rx="4" />
      </g>
      <path d="M-20 620C60 596 110 540 152 474q10-12 22-8 12-5 20 8C238 540 300 598 400 620Z" fill={FAR} />
      <path
        d="M182 466q8 0 12 8C238 540 300 598 400 620H250C220 570 196 520 182 466Z"
        fill={SUN}
        opacity={0.16}
      />
      <path
        d="M172 462q-12-16 2-28 14-10 4-26 24 10 16 30-4 12-8 24Z"
        fill={duo('#fff', '#c9a5b8')}
        opacity={0.35}
      />
      <path d="M560 620q60-22 130-20t210-6v30H560Z" fill={CITY} />
      {TOWERS.map(([x, width, height], index) => (
        <g key={x}>
          <path d={`M${x} 622v${-height}h${width}v${height}Z`} fill={CITY} />
          <path
            d={`M${x + width * 0.28} ${634 - height}V612M${x + width * 0.7} ${640 - height}V612`}
            stroke={LIT}
            strokeWidth={4}
            strokeDasharray={index % 2 ? '5 13 5 21' : '5 17'}
            opacity={0.75}
          />
        </g>
      ))}
      <path d="M0 620h900v300H0Z" fill="url(#art-sea)" />
      <g fill={SUN} opacity={0.55}>
        {GLINTS.map(([x, y, width]) => (
          <rect key={`${x}-${y}`} x={x} y={y} width={width} height={6} rx={3} />
        ))}
      </g>
      <Vinta x={660} y={650} size={0.32} />
      <Vinta x={214} y={690} size={0.9} />
      <g fill="none" stroke={DARK} strokeWidth={4} strokeLinecap="round" opacity={0.7}>
        <path
          transform="translate(22 66)"
          d="M560 420q14-14 24 2 10-16 24-2M520 452q10-10 18 2 8-12 18-2M604 458q8-8 14 1 6-9 14-1"
        />
      </g>
      <Palm />
      <path d="M-10 128Q360 470 782 262" fill="none" stroke={DARK} strokeWidth={3} />
      {LANTERNS.map(([x, y, color]) => (
        <g key={x} transform={`translate(${x} ${y})`}>
          <path d="M0 0v22" stroke={DARK} strokeWidth={2.5} />
          <circle cy="52" r="64" fill="url(#art-halo)" />
          <path
            d="M0 20 8.5 41 31 42 13 56 19 78 0 66-19 78-13 56-31 42-8.5 41Z"
            fill={color}
            stroke={color}
            strokeWidth={5}
            strokeLinejoin="round"
          />
          <circle cy="52" r="10" fill="#fff3d0" />
          <path d="M-13 84v18M13 84v18" stroke={color} strokeWidth={5} strokeLinecap="round" />
        </g>
      ))}
      <path d="M-10 902h920v210H-10Z" fill={WALL} />
      <path d="M-10 896h920v22H-10Z" fill={duo('#a0718a', '#3a2b55')} />
      <path d="M-10 897h920" stroke={duo('#ffd9a0', '#ffab6b')} strokeWidth={3} opacity={0.8} />
      <path
        d="M0 962h900M120 918v44M390 918v44M640 918v44M250 962v60M520 962v60M770 962v60M0 1022h900"
        stroke={DARK}
        strokeWidth={3}
        opacity={0.28}
      />
      <path d="M-10 1022h920v90H-10Z" fill={DARK} opacity={0.55} />
      <Friends />
    </svg>
  );
}

/** Leans over the water at the right. */
function Palm() {
  const fronds = [
    'M0 0C-60-70-150-84-232-20-150-50-72-34 0 0Z',
    'M0 0C-90-24-176 16-214 104-150 36-74 12 0 0Z',
    'M0 0C-54 18-106 84-104 176-76 96-40 44 0 0Z',
    'M0 0C-30-84-96-140-186-148-106-110-48-62 0 0Z',
    'M0 0C6-90 62-146 140-156 76-106 34-60 0 0Z',
    'M0 0C56-60 140-60 200-4 124-26 62-22 0 0Z',
    'M0 0C60 6 112 66 118 152 86 82 48 34 0 0Z',
  ];
  return (
    <g fill={DARK}>
      <path d="M812 1100C842 860 838 560 776 262l22-6C872 552 884 868 862 1100Z" />
      <g transform="translate(786 258)">
        {fronds.map((d) => (
          <path key={d} d={d} />
        ))}
        <circle cx="-12" cy="16" r="13" />
        <circle cx="14" cy="20" r="12" />
      </g>
    </g>
  );
}
