import { CITY, DARK, Dusk, duo, GUAVA, LAGOON, Lantern, LIT, MANGO, RIM } from './parts.tsx';

const CUP = 'M-17-26H17Q16-4 8 0H-8Q-16-4-17-26Z';

/** A table for two under the lanterns, for meetings, reviews and what was shared. */
export default function Table({ className }: { className?: string | undefined }) {
  return (
    <Dusk
      className={className}
      horizon={206}
      sun={[132, 186, 54]}
      far={
        <>
          <path
            d="M0 208v-20h30v-26h22v30h26v-46h20v40h24v22ZM358 208v-30h24v-34h20v44h26v-62h22v50h30v32Z"
            fill={CITY}
          />
          <path
            d="M41 170v34M88 156v44M392 154v46M439 136v62"
            stroke={LIT}
            strokeWidth={3}
            strokeDasharray="3 8"
            opacity={0.8}
          />
        </>
      }
    >
      <path d="M-10 10Q120 96 240 60T490 16" fill="none" stroke={DARK} strokeWidth={2} />
      <Lantern x={76} y={52} size={0.72} color={MANGO} />
      <Lantern x={240} y={60} size={0.86} color={GUAVA} />
      <Lantern x={394} y={26} size={0.72} color={LAGOON} />
      <path d="M0 300Q240 276 480 300V360H0Z" fill={duo('#57426e', '#191530')} />
      <path d="M0 300Q240 276 480 300" fill="none" stroke={RIM} strokeWidth={2} opacity={0.6} />
      <g stroke={DARK} strokeWidth={7} strokeLinecap="round">
        <path d="M84 352 96 296M144 352 132 296M396 352 384 296M336 352 348 296" />
        <path d="M74 294H154M326 294H406" strokeWidth={12} />
        <path d="M206 356 232 262M274 356 248 262" />
      </g>
      <path d="M132 262H348L336 274H144Z" fill={DARK} />
      <path d="M132 261H348" stroke={RIM} strokeWidth={3} strokeLinecap="round" />
      <g stroke={duo('#fff6e6', '#ffdcb0')} strokeWidth={3} strokeLinecap="round" fill="none" opacity={0.65}>
        <path d="M196 222q-8-10 0-18t0-18M284 222q-8-10 0-18t0-18" />
      </g>
      <g transform="translate(196 259)">
        <path d="M16-20q14-2 12 8-2 8-17 6" fill="none" stroke="#f4ead2" strokeWidth={4.5} />
        <path d={CUP} fill="#f4ead2" />
      </g>
      <g transform="translate(284 259)">
        <path d="M-16-20q-14-2-12 8 2 8 17 6" fill="none" stroke="#e4574b" strokeWidth={4.5} />
        <path d={CUP} fill="#e4574b" />
      </g>
      <g transform="translate(240 259)">
        <path d="M-26-4H26L20 2H-20Z" fill="#2f9e77" />
        <path d="M-14-6q4-14 14-14t14 14Z" fill="#f2c230" />
        <path d="M-2-6q4-12 12-10 8 2 8 10Z" fill="#f2994a" />
      </g>
    </Dusk>
  );
}
