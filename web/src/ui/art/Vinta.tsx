import { DARK } from './dusk.ts';

const STRIPES = ['#f2c230', '#e2483d', '#2f9e77', '#f4ead2', '#3f63c4', '#f2994a'];

/** A vinta, the striped sail of the south. (x, y) is its waterline. */
export function Vinta({ x, y, size }: { x: number; y: number; size: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`}>
      <ellipse cy="40" rx="120" ry="9" fill={DARK} opacity={0.3} />
      <clipPath id={`sail-${x}`}>
        <path d="M-66-14 52-206Q112-104 98-14Q16-30-66-14Z" />
      </clipPath>
      <g clipPath={`url(#sail-${x})`}>
        <path d="M-70-210H120V0H-70Z" fill="#f2994a" />
        {STRIPES.map((color, place) => (
          <path
            key={color}
            d={`M52-206 ${-66 + place * 28}-4h30Z`}
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
