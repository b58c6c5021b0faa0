import type { Envelope, MessagePart } from './facts.ts'
import { type MimeFields, readMimeFields } from './mime-fields.ts'

/** A part whose end has not been seen yet; positions are in bytes from the start of the message. */
export class ScannedPart {
  readonly parent: ScannedPart | undefined
  readonly depth: number
  readonly start: number
  readonly children: ScannedPart[] = []
  mime: MimeFields = readMimeFields([], { isInMultipart: false, defaultType: 'text/plain' })
  /** Of the message whose header this is. */
  envelope: Envelope | undefined
  headerEnd: number
  #bodyEnd: number
  #lines = 0
  #linesBefore = 0

  constructor(parent: ScannedPart | undefined, start: number) {
    this.parent = parent
    this.depth = parent === undefined ? 0 : parent.depth + 1
    this.start = start
    this.headerEnd = start
    this.#bodyEnd = start
    parent?.children.push(this)
  }

  get type(): string {
    return this.mime.type
  }

  get bodySize(): number {
    return this.#bodyEnd - this.headerEnd
  }

  beginBody(at: number, linesBefore: number): void {
    this.headerEnd = at
    this.#bodyEnd = at
    this.#linesBefore = linesBefore
  }

  endBody(at: number, linesBefore: number): void {
    if (at <= this.headerEnd) return
    this.#bodyEnd = at
    this.#lines = linesBefore - this.#linesBefore
  }

  toPart(): MessagePart {
    return {
      ...this.mime,
      header: [this.start, this.headerEnd],
      body: [this.headerEnd, this.#bodyEnd],
      lines: this.#lines,
      parts: this.children.map((child) => child.toPart()),
      envelope: this.type === 'message/rfc822' ? this.children[0]?.envelope : undefined
    }
  }
}
