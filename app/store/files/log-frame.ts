import { checksumOver, type LogChecksum, type WordFix, wordsOf } from './log-checksum.ts';

export const logHeaderBytes = 32;
export const frameHeaderBytes = 24;

/** Tells one round of a log from the one before: the first grows by one each time that the log begins again. */
export interface LogSalts {
  readonly first: number;
  readonly second: number;
}

/** One frame, read where it lies: a log has thousands, and of most of them little is asked. */
export class Frame {
  readonly #bytes: Buffer;
  readonly #words: Int32Array;
  readonly #at: number;
  readonly #pageBytes: number;
  /** As its head tells it, or as it must have been. */
  readonly stored: LogChecksum;

  constructor({ bytes, words, at, pageBytes }: FramePlace, stored: LogChecksum = storedIn(bytes, at)) {
    this.#bytes = bytes;
    this.#words = words;
    this.#at = at;
    this.#pageBytes = pageBytes;
    this.stored = stored;
  }

  get pageNumber(): number {
    return this.#bytes.readUInt32BE(this.#at);
  }

  /** At the end of a commit, how many pages the database has then; else 0. */
  get committedPages(): number {
    return this.#bytes.readUInt32BE(this.#at + 4);
  }

  get page(): Buffer {
    return this.#bytes.subarray(this.#at + frameHeaderBytes, this.#at + frameHeaderBytes + this.#pageBytes);
  }

  isOfRound({ first, second }: LogSalts): boolean {
    return this.#bytes.readUInt32BE(this.#at + 8) === first && this.#bytes.readUInt32BE(this.#at + 12) === second;
  }

  get salts(): LogSalts {
    return { first: this.#bytes.readUInt32BE(this.#at + 8), second: this.#bytes.readUInt32BE(this.#at + 12) };
  }

  /** Of what stands in it, carried on from the frame before: its first two words and its page are summed. */
  checksumAfter(before: LogChecksum): LogChecksum {
    const first = this.#at / 4;
    const head = checksumOver(this.#words, before, { first, end: first + 2 });
    const page = first + frameHeaderBytes / 4;
    return checksumOver(this.#words, head, { first: page, end: page + this.#pageBytes / 4 });
  }

  /** The same frame with one word changed; `word` is its place among those that are summed. */
  withWord({ word, difference }: WordFix, order: ByteOrder): Frame {
    const bytes = Buffer.from(this.#bytes.subarray(this.#at, this.#at + frameHeaderBytes + this.#pageBytes));
    const at = (word < 2 ? word : word - 2 + frameHeaderBytes / 4) * 4;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    view.setUint32(at, view.getUint32(at, order.isLittleEndian) + difference, order.isLittleEndian);
    return new Frame({ bytes, words: wordsOf(bytes, order), at: 0, pageBytes: this.#pageBytes });
  }

  /** How many words are summed. */
  get wordCount(): number {
    return 2 + this.#pageBytes / 4;
  }

  withChecksum(stored: LogChecksum): Frame {
    return new Frame({ bytes: this.#bytes, words: this.#words, at: this.#at, pageBytes: this.#pageBytes }, stored);
  }
}

/** In which order a log's words are summed. Its numbers are always written with the highest byte first. */
export interface ByteOrder {
  readonly isLittleEndian: boolean;
}

interface FramePlace {
  readonly bytes: Buffer;
  /** The same bytes, as they are summed. */
  readonly words: Int32Array;
  readonly at: number;
  readonly pageBytes: number;
}

function storedIn(bytes: Buffer, at: number): LogChecksum {
  return { s1: bytes.readUInt32BE(at + 16), s2: bytes.readUInt32BE(at + 20) };
}

/** All that have room in a log, sound or not. */
export function framesOf(bytes: Buffer, pageBytes: number, order: ByteOrder): readonly Frame[] {
  const words = wordsOf(bytes, order);
  const frames: Frame[] = [];
  const frameBytes = frameHeaderBytes + pageBytes;
  for (let at = logHeaderBytes; at + frameBytes <= bytes.length; at += frameBytes) {
    frames.push(new Frame({ bytes, words, at, pageBytes }));
  }
  return frames;
}
