/** A message of the protocol of Postgres: its type, and its whole bytes. */
export interface Frame {
  type: string;
  bytes: Buffer;
}

/** Cuts a stream of typed messages into messages; what is incomplete waits for the rest. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  read(chunk: Buffer): Frame[] {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    while (bytes.length >= 5) {
      const length = 1 + bytes.readInt32BE(1);
      if (bytes.length < length) break;
      frames.push({ type: String.fromCharCode(bytes[0] ?? 0), bytes: bytes.subarray(0, length) });
      bytes = bytes.subarray(length);
    }
    this.#rest = bytes;
    return frames;
  }
}

/** A message with this body. */
export function frame(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)),
  );
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Four bytes of a whole number. */
export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** The text that ends with the next zero byte, and where the bytes after it begin. */
export function readText(bytes: Buffer, from: number): { text: string; end: number } {
  const zero = bytes.indexOf(0, from);
  return { text: bytes.toString('utf8', from, zero), end: zero + 1 };
}

/** What a statement begins with, and which tables it names, on one line. */
export const outlineOf = (text: string) => text.replace(/\s+/g, ' ').trim();
