/** One colour for day's end (light theme) and one for nightfall (dark theme). */
export const duo = (light: string, dark: string) => `light-dark(${light}, ${dark})`;

export const DARK = duo('#3b2f5c', '#0d0f22');
export const RIM = duo('#ffd9a0', '#ffab6b');
export const HAIR = duo('#2b2140', '#0b0b1a');
