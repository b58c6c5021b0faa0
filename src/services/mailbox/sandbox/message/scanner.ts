import { Boundaries, type FoundBoundary, MAX_BOUNDARY_LINE_BYTES } from './boundaries.ts'
import { type AddressBudget, readEnvelope } from './envelope.ts'
import type { MessageFacts } from './facts.ts'
import { type HeaderField, parseHeader } from './header.ts'
import { HeaderBuffer } from './header-buffer.ts'
import { summarise } from './message-summary.ts'
import { readMimeFields } from './mime-fields.ts'
import { PreviewCapture } from './preview-capture.ts'
import { SCAN_LIMITS, type ScanLimits } from './scan-limits.ts'
import { ScannedPart } from './scanned-part.ts'

export interface MessageScanner {
  /** Keeps none of the bytes of the chunk. */
  write: (chunk: Uint8Array) => void
  finish: () => MessageFacts
}

export function createMessageScanner(limits: ScanLimits = SCAN_LIMITS): MessageScanner {
  const scanner = new Scanner(limits)
  return {
    write: (chunk) => scanner.write(chunk),
    finish: () => scanner.finish()
  }
}

const LF = 10
const CR = 13
const DASH = 45

/**
 * Finds the parts of a message in one pass. Chunks may end anywhere: what a line means is decided
 * at its end, from its first bytes.
 */
class Scanner {
  readonly #limits: ScanLimits
  readonly #root = new ScannedPart(undefined, 0)
  readonly #boundaries = new Boundaries<ScannedPart>()
  readonly #preview = new PreviewCapture()
  readonly #addresses: AddressBudget
  #part = this.#root
  #partCount = 1
  #rootFields: readonly HeaderField[] = []
  #isInHeader = true
  #offset = 0
  /** Line ends so far. */
  #lines = 0
  readonly #head = Buffer.alloc(MAX_BOUNDARY_LINE_BYTES)
  #headSize = 0
  #lineStart = 0
  /** After the header or boundary line before the current line. */
  #textStart = 0
  /** Bytes of the line end before the current line. */
  #lineEndBefore = 0
  #lastByte = 0
  readonly #header: HeaderBuffer

  constructor(limits: ScanLimits) {
    this.#limits = limits
    this.#addresses = { left: limits.addresses }
    this.#header = new HeaderBuffer(limits)
  }

  write(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    let at = 0
    while (at < bytes.length) {
      const lineFeed = bytes.indexOf(LF, at)
      const end = lineFeed === -1 ? bytes.length : lineFeed + 1
      this.#take(bytes, at, end)
      this.#offset += end - at
      if (lineFeed === -1) this.#lastByte = bytes[end - 1] ?? 0
      else {
        const before = lineFeed > at ? bytes[lineFeed - 1] : this.#lastByte
        this.#endLine(before === CR && this.#offset - this.#lineStart > 1 ? 2 : 1)
      }
      at = end
    }
  }

  finish(): MessageFacts {
    const found = this.#boundaryOfLine()
    if (found !== undefined) this.#endAtBoundary(found)
    else if (this.#isInHeader) this.#endHeaders(this.#header.take(), this.#offset, false)
    this.#closeUpTo(undefined, this.#offset)
    const fields = this.#rootFields
    const envelope = this.#root.envelope ?? readEnvelope(fields, this.#addresses)
    return summarise(this.#root.toPart(), envelope, fields, this.#preview.text())
  }

  #take(bytes: Buffer, start: number, end: number): void {
    if (this.#headSize > 0 || this.#isInHeader || bytes[start] === DASH) {
      // Bytes of a line that begins otherwise decide nothing.
      const isAtStart = this.#headSize === this.#offset - this.#lineStart
      if (isAtStart) this.#headSize += bytes.copy(this.#head, this.#headSize, start, end)
    }
    if (this.#isInHeader) this.#header.add(bytes, start, end)
    else this.#preview.add(this.#part, bytes, start, end)
  }

  #endLine(lineEndSize: number): void {
    const found = this.#boundaryOfLine()
    if (found !== undefined) this.#endAtBoundary(found)
    this.#lines++
    const isEmpty = this.#offset - this.#lineStart === lineEndSize
    if (found !== undefined) this.#textStart = this.#offset
    if (found !== undefined && !found.isLast) this.#beginPart()
    else if (found === undefined && this.#isInHeader && isEmpty) {
      this.#endHeaders(this.#header.take(), this.#offset, true)
    }
    this.#lineStart = this.#offset
    this.#lineEndBefore = lineEndSize
    this.#header.beginLine()
    this.#headSize = 0
  }

  #boundaryOfLine(): FoundBoundary<ScannedPart> | undefined {
    if (this.#boundaries.isEmpty || this.#headSize < 2) return undefined
    return this.#boundaries.find(this.#head.subarray(0, this.#headSize))
  }

  /** The line end before a boundary belongs to the boundary. */
  #endAtBoundary(found: FoundBoundary<ScannedPart>): void {
    const part = this.#part
    const end = this.#lineStart - this.#lineEndBefore
    const isBodyless = this.#isInHeader || part.headerEnd === this.#lineStart
    if (isBodyless && part !== found.boundary.part) {
      // Also if the line end is the empty line of the header (RFC 2046 5.1.1).
      const headerEnd = Math.max(part.start, end)
      if (this.#isInHeader) this.#endHeaders(this.#header.takeBeforeLine(), headerEnd, false)
      else part.beginBody(headerEnd, this.#lines)
      this.#closeUpTo(part.parent, headerEnd)
      this.#closeUpTo(found.boundary.part, this.#lineStart)
    } else this.#closeUpTo(found.boundary.part, Math.max(this.#textStart, end))
    this.#boundaries.close(found)
  }

  #beginPart(): void {
    if (this.#partCount >= this.#limits.parts) return
    this.#partCount++
    this.#part = new ScannedPart(this.#part, this.#offset)
    this.#isInHeader = true
  }

  /** Ends the current header and the empty ones of messages in it that have no more lines. */
  #endHeaders(bytes: Buffer, end: number, isComplete: boolean): void {
    this.#endHeader(bytes, end, isComplete)
    while (this.#isInHeader && !isComplete) this.#endHeader(Buffer.alloc(0), end, false)
  }

  #endHeader(bytes: Buffer, end: number, isComplete: boolean): void {
    const part = this.#part
    const fields = parseHeader(bytes)
    const isInMultipart = part.parent?.type.startsWith('multipart/') === true
    const defaultType = part.parent?.type === 'multipart/digest' ? MESSAGE : TEXT
    part.mime = readMimeFields(fields, { isInMultipart, defaultType })
    if (!isInMultipart) part.envelope = readEnvelope(fields, this.#addresses)
    if (part === this.#root) this.#rootFields = fields
    part.beginBody(end, this.#lines)
    this.#textStart = end
    this.#isInHeader = false
    if (part.depth < this.#limits.depth) this.#enter(part, end, isComplete)
    this.#preview.begin(part)
  }

  #enter(part: ScannedPart, end: number, isComplete: boolean): void {
    const boundary = part.mime.parameters.boundary
    if (part.type === MESSAGE && this.#partCount < this.#limits.parts) {
      this.#partCount++
      this.#part = new ScannedPart(part, end)
      this.#isInHeader = true
    } else if (part.type.startsWith('multipart/') && boundary !== undefined && isComplete) {
      this.#boundaries.add(part, boundary)
    }
  }

  /** Ends the parts in `last`, or all. */
  #closeUpTo(last: ScannedPart | undefined, end: number): void {
    const lines = end < this.#lineStart ? this.#lines - 1 : this.#lines
    let part: ScannedPart | undefined = this.#part
    for (; part !== undefined && part !== last; part = part.parent) {
      part.endBody(end, lines)
      this.#preview.end(part)
    }
    this.#part = part ?? this.#root
  }
}

const TEXT = 'text/plain'
const MESSAGE = 'message/rfc822'
