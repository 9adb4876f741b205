import { DARK, Dusk, GUAVA, LAGOON, Lantern, MANGO, Palm, Vinta, Volcano } from './parts.tsx';

/** Parols on a string above the bay, for what has not begun yet. */
export default function Lanterns({ className }: { className?: string | undefined }) {
  return (
    <Dusk className={className} sun={[262, 226, 50]} far={<Volcano x={120} y={238} size={0.72} />}>
      <Vinta x={356} y={262} size={0.24} />
      <path d="M-10 34Q236 170 490 22" fill="none" stroke={DARK} strokeWidth={2.5} />
      <Lantern x={70} y={71} size={0.86} color={GUAVA} />
      <Lantern x={168} y={97} size={1.05} color={MANGO} />
      <Lantern x={278} y={97} size={1.2} color={LAGOON} />
      <Lantern x={386} y={71} size={0.95} color={GUAVA} />
      <Palm x={470} y={196} size={0.62} trunk="M-10 0 10 0C40 120 40 240 30 300H-14C8 200 10 100-10 0Z" />
      <path d="M0 344Q120 318 260 336T480 326V360H0Z" fill={DARK} opacity={0.9} />
    </Dusk>
  );
}
