import { JoinedBytes } from './joined-bytes.ts'
import { IncomingMessage } from './node-http.ts'

/** Pieces of a body that are passed on as they arrive. */
const FREE_PIECES = 64
/** Later pieces of this size are passed on as well. */
const MIN_OWN_BYTES = 4096
/** Shorter pieces are passed on together, when there are this many bytes or after this time. */
const JOINED_BYTES = 16 * 1024
const JOINING_MS = 10

/**
 * A request that joins short pieces of its body, for every reader: a body in one-byte chunks would
 * otherwise take 400 times its length wherever its pieces are collected or wait to be read.
 */
export class JoiningRequest extends IncomingMessage {
  /** Set with the first piece: most requests have no body. */
  declare private joining: { pieces: number; waiting: JoinedBytes | undefined } | undefined

  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (piece === null) {
      if (this.joining?.waiting !== undefined) this.release()
      return super.push(null)
    }
    this.joining ??= { pieces: 0, waiting: undefined }
    if (this.joining.pieces < FREE_PIECES) {
      this.joining.pieces += 1
      return super.push(piece, encoding)
    }
    if (this.joining.waiting === undefined) {
      if (piece.length >= MIN_OWN_BYTES) return super.push(piece, encoding)
      this.joining.waiting = new JoinedBytes()
      setTimeout(() => this.release(), JOINING_MS).unref()
    }
    this.joining.waiting.add(piece)
    if (this.joining.waiting.size >= JOINED_BYTES) this.release()
    // False if too much waits to be read: the rest then stays with the sender.
    return this.readableLength < this.readableHighWaterMark
  }

  private release(): void {
    const bytes = this.joining?.waiting?.take()
    if (this.joining !== undefined) this.joining.waiting = undefined
    if (bytes !== undefined && !this.destroyed) super.push(bytes)
  }
}
