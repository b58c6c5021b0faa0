import { JoinedBytes } from '../../../../kernel/joined-bytes.ts'
import { PREVIEW_BYTES, previewOf } from './preview.ts'
import type { ScannedPart } from './scanned-part.ts'

interface Capture {
  readonly part: ScannedPart
  readonly maxBytes: number
  readonly joined: JoinedBytes
  bytes: Buffer
}

/** Keeps the start of the first text and of the first HTML of a message while it is scanned. */
export class PreviewCapture {
  #plain: Capture | undefined
  #html: Capture | undefined
  #current: Capture | undefined

  /** At the start of the body of a part. */
  begin(part: ScannedPart): void {
    if (part.mime.disposition?.type === 'attachment') return
    if (part.type === 'text/plain') this.#plain ??= this.#start(part, PREVIEW_BYTES['text/plain'])
    else if (part.type === 'text/html') this.#html ??= this.#start(part, PREVIEW_BYTES['text/html'])
  }

  add(part: ScannedPart, bytes: Buffer, start: number, end: number): void {
    const capture = this.#current
    if (capture === undefined || capture.part !== part) return
    const size = Math.min(end - start, capture.maxBytes - capture.joined.size)
    // A copy, because the chunk may be used again.
    if (size > 0) capture.joined.add(Buffer.from(bytes.subarray(start, start + size)))
  }

  /** At the end of the part; the line end before a boundary was taken for a part of it. */
  end(part: ScannedPart): void {
    const capture = this.#current
    if (capture === undefined || capture.part !== part) return
    capture.bytes = capture.joined.take().subarray(0, part.bodySize)
    this.#current = undefined
  }

  text(): string {
    return textOf(this.#plain) || textOf(this.#html)
  }

  #start(part: ScannedPart, maxBytes: number): Capture {
    this.#current = { part, maxBytes, joined: new JoinedBytes(), bytes: Buffer.alloc(0) }
    return this.#current
  }
}

function textOf(capture: Capture | undefined): string {
  return capture === undefined ? '' : previewOf(capture.part.mime, capture.bytes)
}
