import { DARK, Dusk, duo, Gulls, Palm, SUN, Vinta, Volcano } from './parts.tsx';

/** A vinta under full sail before the sun, for plans and what they lead to. */
export default function Sailing({ className }: { className?: string | undefined }) {
  return (
    <Dusk
      className={className}
      horizon={226}
      sun={[226, 196, 78]}
      far={
        <>
          <Volcano x={428} y={228} size={0.6} />
          <path d="M0 228q30-26 66-20t74 20Z" fill={duo('#8a5f96', '#2c2149')} />
        </>
      }
    >
      <Vinta x={408} y={238} size={0.17} />
      <Gulls x={336} y={96} size={0.62} />
      <g opacity={0.28} transform="translate(0 560) scale(1 -1)">
        <Vinta x={222} y={276} size={0.98} />
      </g>
      <Vinta x={222} y={270} size={0.98} />
      <g stroke={SUN} strokeWidth={3} strokeLinecap="round" fill="none" opacity={0.7}>
        <path d="M92 302q40 12 92 4M214 320h86M330 300q22 6 48 0M140 336h60" />
      </g>
      <Palm x={-6} y={60} size={0.56} trunk="M-12 0H8C20 140 6 330-8 560H-60C-20 330 0 140-12 0Z" />
      <path d="M0 352Q60 334 130 346T300 360H0Z" fill={DARK} />
    </Dusk>
  );
}
