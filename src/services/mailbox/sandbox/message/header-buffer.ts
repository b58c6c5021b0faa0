import { JoinedBytes } from '../../../../kernel/joined-bytes.ts'
import type { ScanLimits } from './scan-limits.ts'

/** Keeps the lines of the header that is scanned, up to the limits. */
export class HeaderBuffer {
  readonly #maxBytes: number
  readonly #joined = new JoinedBytes()
  #bytesLeft: number
  #sizeBeforeLine = 0

  constructor({ headerBytes, allHeaderBytes }: ScanLimits) {
    this.#maxBytes = headerBytes
    this.#bytesLeft = allHeaderBytes
  }

  add(bytes: Buffer, start: number, end: number): void {
    const most = Math.min(this.#maxBytes - this.#joined.size, this.#bytesLeft)
    const size = Math.min(end - start, Math.max(0, most))
    if (size === 0) return
    // A copy, because the chunk may be used again.
    this.#joined.add(Buffer.from(bytes.subarray(start, start + size)))
    this.#bytesLeft -= size
  }

  beginLine(): void {
    this.#sizeBeforeLine = this.#joined.size
  }

  take(): Buffer {
    return this.#joined.take()
  }

  takeBeforeLine(): Buffer {
    return this.#joined.take().subarray(0, this.#sizeBeforeLine)
  }
}
