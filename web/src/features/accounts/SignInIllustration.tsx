import {
  Arm,
  Cat,
  CITY,
  DARK,
  duo,
  Friend,
  Gradient,
  GUAVA,
  Gulls,
  HAIR,
  HAIRS,
  Hair,
  LAGOON,
  Lantern,
  LEDGE,
  LIT,
  MANGO,
  Palm,
  RIM,
  SEA,
  SKY,
  SUN,
  Vinta,
  Volcano,
  WALL,
} from '../../ui/illustrations/parts.tsx';

/** Four friends, one of whom waves, and the cat of the sea wall. */
function Friends() {
  return (
    <>
      <Friend x={262} y={908} shirt="#e4574b" skin="#a8684a" lean={4}>
        <Hair d={HAIRS.long} />
        <Arm d="M-49-98Q-74-50-64-10" shirt="#e4574b" skin="#a8684a" hand={[-64, 4]} />
      </Friend>
      <Friend x={388} y={908} shirt="#1f8a91" skin="#8f5638" lean={-2}>
        <Arm d="M-46-100Q-96-118-146-94" shirt="#1f8a91" skin="#8f5638" hand={[-158, -87]} />
        <path d="M-31-170q-8 2-4 14l6 4M31-170q8 2 4 14l-6 4" fill="#8f5638" />
        <Hair d={HAIRS.short} />
        <Arm d="M49-98Q72-50 62-10" shirt="#1f8a91" skin="#8f5638" hand={[61, 4]} />
      </Friend>
      <Friend x={528} y={908} shirt="#f3ae2b" skin="#b87953" lean={-3}>
        <path d="M92-210 89-250" stroke="#b87953" strokeWidth={17} strokeLinecap="round" />
        <path d="M48-98Q98-150 92-218" stroke="#f3ae2b" strokeWidth={23} strokeLinecap="round" fill="none" />
        <Hair d={HAIRS.short} />
        <circle cx="2" cy="-216" r="17" fill={HAIR} stroke={RIM} strokeWidth={2.5} />
        <Arm d="M-49-98Q-70-50-60-10" shirt="#f3ae2b" skin="#b87953" hand={[-60, 4]} />
      </Friend>
      <Friend x={672} y={908} shirt="#f1e7d4" skin="#8f5638" lean={2}>
        <path d="M-31-166q-8 2-4 14l6 4M31-166q8 2 4 14l-6 4" fill="#8f5638" />
        <Hair d={HAIRS.short} />
        <Hair d={HAIRS.cap} color="#38b07c" />
        <Arm d="M-49-98Q-72-50-62-10" shirt="#f1e7d4" skin="#8f5638" hand={[-62, 4]} />
        <Arm d="M49-98Q72-50 62-10" shirt="#f1e7d4" skin="#8f5638" hand={[62, 4]} />
      </Friend>
      <Cat x={118} y={1064} />
    </>
  );
}

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
  [80, 202, MANGO],
  [209, 280, GUAVA],
  [341, 326, LAGOON],
  [469, 341, MANGO],
  [591, 329, GUAVA],
] as const;

interface SignInIllustrationProps {
  /** The middle of the picture, for a low and wide frame. */
  crop?: boolean;
  className?: string;
}

/** Friends on the sea wall at dusk: our own drawing beside the sign-in form. Decorative, hence silent. */
export default function SignInIllustration({ crop = false, className }: SignInIllustrationProps) {
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
      <Volcano x={170} y={620} />
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
      <Gulls x={542} y={518} />
      <Palm x={786} y={258} trunk="M26 842C56 602 52 302-10 4l22-6C86 294 98 610 76 842Z" />
      <path d="M-10 128Q360 470 782 262" fill="none" stroke={DARK} strokeWidth={3} />
      {LANTERNS.map(([x, y, color]) => (
        <Lantern key={x} x={x} y={y} color={color} />
      ))}
      <path d="M-10 902h920v210H-10Z" fill={WALL} />
      <path d="M-10 896h920v22H-10Z" fill={LEDGE} />
      <path d="M-10 897h920" stroke={RIM} strokeWidth={3} opacity={0.8} />
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
