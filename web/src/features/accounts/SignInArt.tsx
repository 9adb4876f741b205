import { DARK, duo, Friends, Vinta } from './SignInFigures.tsx';

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
