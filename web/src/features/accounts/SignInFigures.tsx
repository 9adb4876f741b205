import type { ReactNode } from 'react';

/** One colour for day's end (light theme) and one for nightfall (dark theme). */
export const duo = (light: string, dark: string) => `light-dark(${light}, ${dark})`;

export const DARK = duo('#3b2f5c', '#0d0f22');
export const RIM = duo('#ffd9a0', '#ffab6b');
export const HAIR = duo('#2b2140', '#0b0b1a');

const SHORT = 'M-30-166C-36-216 36-216 30-166 28-146 16-138 0-138S-28-146-30-166Z';
const LONG = 'M-30-176C-34-226 34-226 32-176 36-130 40-100 30-72 8-58-12-60-30-72-40-104-32-136-30-176Z';
const CAP = 'M-34-168C-40-224 40-224 34-168Q0-180-34-168Z';
const CAT = 'M-34 0C-44-54-30-92-12-104L-20-136-2-122H16L32-138 30-108C50-90 44-40 40 0Z';

/** Someone who sits on the wall with their back to us; (x, 908) is where they sit. */
function Friend(props: { x: number; shirt: string; skin: string; lean: number; children: ReactNode }) {
  const { x, shirt, skin, lean, children } = props;
  return (
    <g transform={`translate(${x} 908) rotate(${lean})`}>
      <path d="M-56 0H56Q66 14 48 16H-48Q-66 14-56 0Z" fill={HAIR} opacity={0.85} />
      <path d="M-12-152h24v34h-24Z" fill={skin} />
      <path
        d="M-52 6C-46-34-58-74-54-100-51-120-32-126-14-130Q0-120 14-130C32-126 51-120 54-100 58-74 46-34 52 6"
        fill={shirt}
        stroke={RIM}
        strokeWidth={2.5}
      />
      <path d="M-2-112Q6-60-2 4 30 8 52 6 46-34 54-100Q30-116-2-112Z" fill="#1d1440" opacity={0.13} />
      {children}
    </g>
  );
}

/** A sleeve along `d`, with a hand at its end. */
function Arm({ d, shirt, skin, hand }: { d: string; shirt: string; skin: string; hand: [number, number] }) {
  return (
    <>
      <circle cx={hand[0]} cy={hand[1]} r="12" fill={skin} />
      <path d={d} stroke={shirt} strokeWidth={23} strokeLinecap="round" fill="none" />
    </>
  );
}

function Hair({ d, color = HAIR }: { d: string; color?: string }) {
  return <path d={d} fill={color} stroke={RIM} strokeWidth={2.5} />;
}

/** Four friends, one of whom waves, and the cat of the sea wall. */
export function Friends() {
  return (
    <>
      <Friend x={262} shirt="#e4574b" skin="#a8684a" lean={4}>
        <Hair d={LONG} />
        <Arm d="M-49-98Q-74-50-64-10" shirt="#e4574b" skin="#a8684a" hand={[-64, 4]} />
      </Friend>
      <Friend x={388} shirt="#1f8a91" skin="#8f5638" lean={-2}>
        <Arm d="M-46-100Q-96-118-146-94" shirt="#1f8a91" skin="#8f5638" hand={[-158, -87]} />
        <path d="M-31-170q-8 2-4 14l6 4M31-170q8 2 4 14l-6 4" fill="#8f5638" />
        <Hair d={SHORT} />
        <Arm d="M49-98Q72-50 62-10" shirt="#1f8a91" skin="#8f5638" hand={[61, 4]} />
      </Friend>
      <Friend x={528} shirt="#f3ae2b" skin="#b87953" lean={-3}>
        <path d="M92-210 89-250" stroke="#b87953" strokeWidth={17} strokeLinecap="round" />
        <path d="M48-98Q98-150 92-218" stroke="#f3ae2b" strokeWidth={23} strokeLinecap="round" fill="none" />
        <Hair d={SHORT} />
        <circle cx="2" cy="-216" r="17" fill={HAIR} stroke={RIM} strokeWidth={2.5} />
        <Arm d="M-49-98Q-70-50-60-10" shirt="#f3ae2b" skin="#b87953" hand={[-60, 4]} />
      </Friend>
      <Friend x={672} shirt="#f1e7d4" skin="#8f5638" lean={2}>
        <path d="M-31-166q-8 2-4 14l6 4M31-166q8 2 4 14l-6 4" fill="#8f5638" />
        <Hair d={SHORT} />
        <Hair d={CAP} color="#38b07c" />
        <Arm d="M-49-98Q-72-50-62-10" shirt="#f1e7d4" skin="#8f5638" hand={[-62, 4]} />
        <Arm d="M49-98Q72-50 62-10" shirt="#f1e7d4" skin="#8f5638" hand={[62, 4]} />
      </Friend>
      <g transform="translate(118 1064)" fill={HAIR} stroke={RIM} strokeWidth={2.5}>
        <path d="M36-6q34 2 30-34" fill="none" strokeWidth={7} stroke={HAIR} strokeLinecap="round" />
        <path d={CAT} />
      </g>
    </>
  );
}

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
        {STRIPES.map((color, index) => (
          <path
            key={color}
            d={`M52-206 ${-66 + index * 28}-4h30Z`}
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
