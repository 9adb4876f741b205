import {
  Arm,
  Cat,
  CITY,
  DARK,
  Dusk,
  Friend,
  GUAVA,
  HAIRS,
  Hair,
  LAGOON,
  Lantern,
  LIT,
  MANGO,
  SeaWall,
} from './parts.tsx';

const TOWERS = [
  [300, 26, 46],
  [330, 18, 76],
  [352, 30, 40],
  [386, 20, 94],
  [410, 26, 62],
  [440, 18, 112],
  [460, 34, 72],
] as const;

/** Two friends on the sea wall, one of whom points at the sun, for people and those who become friends. */
export default function Together({ className }: { className?: string | undefined }) {
  return (
    <Dusk
      className={className}
      horizon={214}
      sun={[196, 200, 58]}
      far={TOWERS.map(([x, width, height], index) => (
        <g key={x}>
          <path d={`M${x} 216v${-height}h${width}v${height}Z`} fill={CITY} />
          <path
            d={`M${x + width / 2} ${222 - height}V212`}
            stroke={LIT}
            strokeWidth={3}
            strokeDasharray={index % 2 ? '3 9' : '3 6 3 12'}
            opacity={0.8}
          />
        </g>
      ))}
    >
      <path d="M-10 20Q240 120 490 14" fill="none" stroke={DARK} strokeWidth={2} />
      <Lantern x={84} y={50} size={0.56} color={LAGOON} />
      <Lantern x={180} y={67} size={0.62} color={MANGO} />
      <Lantern x={300} y={66} size={0.62} color={GUAVA} />
      <Lantern x={398} y={45} size={0.56} color={LAGOON} />
      <SeaWall y={300} />
      <Friend x={186} y={298} size={0.92} shirt="#e4574b" skin="#a8684a" lean={5}>
        <path d="M-90-196-116-226" stroke="#a8684a" strokeWidth={15} strokeLinecap="round" />
        <path
          d="M-46-100Q-84-130-96-196"
          stroke="#e4574b"
          strokeWidth={23}
          strokeLinecap="round"
          fill="none"
        />
        <Hair d={HAIRS.long} />
      </Friend>
      <Friend x={300} y={298} size={0.92} shirt="#1f8a91" skin="#8f5638" lean={-5}>
        <path d="M-31-170q-8 2-4 14l6 4M31-170q8 2 4 14l-6 4" fill="#8f5638" />
        <Hair d={HAIRS.short} />
        <Arm d="M49-98Q72-50 62-10" shirt="#1f8a91" skin="#8f5638" hand={[61, 4]} />
        <Arm d="M-46-100Q-96-118-140-96" shirt="#1f8a91" skin="#8f5638" hand={[-152, -90]} />
      </Friend>
      <Cat x={412} y={299} size={0.5} />
    </Dusk>
  );
}
