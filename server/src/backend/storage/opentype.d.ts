/** What is used of the library, which has no types of its own. Those of DefinitelyTyped bring the types of a browser along. */
declare module 'opentype.js' {
  export interface Path {
    toPathData(decimals: number): string;
  }
  export interface Font {
    unitsPerEm: number;
    /** 0 of a character that the font does not have. */
    charToGlyphIndex(character: string): number;
    getAdvanceWidth(text: string, size: number): number;
    getPath(text: string, x: number, y: number, size: number): Path;
  }
  const opentype: { parse(font: ArrayBuffer): Font };
  export default opentype;
}
