import { DARK, Dusk, duo, GUAVA, Lantern, RIM, Vinta, WALL } from './parts.tsx';

/** A vinta with its sail tied at the jetty under a rain cloud, for no network and for what failed. */
export default function Moored({ className }: { className?: string | undefined }) {
  return (
    <Dusk
      className={className}
      horizon={210}
      sun={[104, 196, 40]}
      sky={[
        [0, duo('#5d6699', '#0d1126')],
        [0.5, duo('#8f86b5', '#232650')],
        [0.85, duo('#cfa2b4', '#4d3a62')],
        [1, duo('#eebfab', '#7b4d66')],
      ]}
      sea={[
        [0, duo('#b995ae', '#4d3a60')],
        [0.5, duo('#6a74a6', '#232a52')],
        [1, duo('#46598c', '#121834')],
      ]}
      far={<path d="M230 212q50-44 104-30 40-34 86-6t70 36Z" fill={duo('#7e719f', '#2a2850')} />}
    >
      <g fill={duo('#e9e4f4', '#3b3f6b')}>
        <path d="M196 84q-4-34 30-36 14-32 50-22 28-24 54 6 34-4 36 26 28 4 22 30Z" />
        <path
          d="M210 78q0-20 22-20 12-20 38-10"
          fill="none"
          stroke={duo('#fff', '#565b8f')}
          strokeWidth={5}
          strokeLinecap="round"
        />
      </g>
      <path
        d="M226 104l-8 24M262 104l-8 24M298 104l-8 24M334 104l-8 24M244 134l-7 20M280 134l-7 20M316 134l-7 20M352 120l-6 18"
        stroke={duo('#dfe6ff', '#8f9ad6')}
        strokeWidth={3.5}
        strokeLinecap="round"
        opacity={0.75}
      />
      <Vinta x={236} y={272} size={0.84} furled />
      <g fill={WALL}>
        <path d="M330 262H480V282H330Z" />
        <path d="M350 280h13v80h-13ZM412 280h13v80h-13ZM466 280h13v80h-13Z" fill={DARK} />
        <path d="M330 260H480" stroke={RIM} strokeWidth={2.5} opacity={0.7} />
      </g>
      <path d="M400 262V120q0-12 12-12h20" stroke={DARK} strokeWidth={6} fill="none" strokeLinecap="round" />
      <Lantern x={432} y={108} size={0.76} color={GUAVA} glow={0.15} />
      <path d="M336 268q-20 16-40 6" stroke={DARK} strokeWidth={3} fill="none" />
      <g stroke={duo('#ffffff', '#9aa3dc')} strokeWidth={3} strokeLinecap="round" opacity={0.35}>
        <path d="M40 300h64M120 328h90M22 340h40M250 336h70" />
      </g>
    </Dusk>
  );
}
