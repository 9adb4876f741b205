// The package brings no types; this is the one function the contrast test calls.
declare module 'culori' {
  export function wcagContrast(one: string, other: string): number;
}
