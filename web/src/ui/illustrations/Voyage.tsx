import {
  DARK,
  Dusk,
  duo,
  GUAVA,
  LAGOON,
  Lantern,
  LEDGE,
  MANGO,
  Palm,
  RIM,
  SUN,
  Vinta,
  Volcano,
  WALL,
} from './parts.tsx';

/** The way of a plan from the jetty to the island, in four quarters: asked, paid, met, reviewed. */
export default function Voyage({ className }: { className?: string | undefined }) {
  return (
    <Dusk
      className={className}
      frame={[720, 260]}
      horizon={138}
      sun={[452, 122, 44]}
      far={<Volcano x={600} y={140} size={0.62} />}
    >
      <path
        d="M140 226C190 250 230 220 290 228S400 252 452 214"
        fill="none"
        stroke={SUN}
        strokeWidth={4}
        strokeDasharray="1 11"
        strokeLinecap="round"
      />
      <g>
        <path d="M0 196H140V212H0Z" fill={WALL} />
        <path d="M0 192H140V200H0Z" fill={LEDGE} />
        <path d="M0 192H140" stroke={RIM} strokeWidth={2.5} />
        <path d="M18 212h11v48H18ZM70 212h11v48H70ZM122 212h11v48h-11Z" fill={DARK} />
        <path d="M90 194V84q0-11 11-11h12" stroke={DARK} strokeWidth={6} fill="none" strokeLinecap="round" />
        <Lantern x={113} y={73} size={0.72} color={MANGO} />
      </g>
      <Vinta x={270} y={192} size={0.62} />
      <g>
        <path d="M400 260Q440 196 540 190T720 176V260Z" fill={duo('#57426e', '#191530')} />
        <path d="M400 260Q440 196 540 190T720 176" fill="none" stroke={RIM} strokeWidth={2.5} opacity={0.8} />
        <Palm x={692} y={66} size={0.5} trunk="M-10 0H10C34 90 30 160 24 240H-10C10 160 10 90-10 0Z" />
        <path d="M440 92Q540 128 660 60" fill="none" stroke={DARK} strokeWidth={2.5} />
        <path d="M440 92V214" stroke={DARK} strokeWidth={5} strokeLinecap="round" />
        <Lantern x={490} y={104} size={0.62} color={GUAVA} />
        <Lantern x={560} y={101} size={0.74} color={LAGOON} />
        <Lantern x={624} y={80} size={0.62} color={MANGO} />
        <g stroke={DARK} strokeWidth={4} strokeLinecap="round">
          <path d="M496 238 508 212M532 238 520 212" />
          <path d="M484 210H544" strokeWidth={6} />
        </g>
        <path d="M497 196h13q-1 11-6 11t-7-11Z" fill="#f4ead2" />
        <path d="M518 196h13q-1 11-6 11t-7-11Z" fill="#e4574b" />
      </g>
    </Dusk>
  );
}
