import { Cat, DARK, Dusk, duo, Lantern, MANGO, RIM, SeaWall } from './parts.tsx';

/** The cat alone on the sea wall under the moon, for what is not there. */
export default function NightCat({ className }: { className?: string | undefined }) {
  return (
    <Dusk
      className={className}
      horizon={222}
      sun={[212, 132, 74]}
      sky={[
        [0, duo('#4d4a8f', '#0b0d22')],
        [0.45, duo('#8a68ad', '#1c1a42')],
        [0.8, duo('#d98aa6', '#4a2c5c')],
        [1, duo('#f7b29a', '#8d4a62')],
      ]}
      sea={[
        [0, duo('#c98aa8', '#5c3560')],
        [0.5, duo('#6f6bab', '#25244e')],
        [1, duo('#4a568f', '#141833')],
      ]}
    >
      <g fill={duo('#ffffff', '#e9d9ff')} opacity={0.3}>
        <circle cx="188" cy="112" r="13" />
        <circle cx="240" cy="150" r="18" />
        <circle cx="226" cy="98" r="7" />
      </g>
      <path d="M386-10Q392 90 384 300" stroke={DARK} strokeWidth={7} fill="none" />
      <path d="M386 44q-34-22-66 0" stroke={DARK} strokeWidth={5} fill="none" strokeLinecap="round" />
      <Lantern x={322} y={44} size={0.92} color={MANGO} />
      <SeaWall y={290} />
      <Cat x={206} y={290} size={1.06} />
      <g transform="translate(94 284)" stroke={RIM} strokeWidth={2} strokeLinejoin="round">
        <path d="M-20-6q18-18 42-4l14-10-3 14 3 13-14-8q-24 14-42-5Z" fill={duo('#5b4a7d', '#15122b')} />
        <circle cx="-6" cy="-9" r="1.6" fill={RIM} stroke="none" />
      </g>
    </Dusk>
  );
}
