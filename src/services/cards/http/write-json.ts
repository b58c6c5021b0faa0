import { setImmediate } from 'node:timers/promises'

/** After so many milliseconds other requests are handled in between. */
const TURN_MS = 8
/** Texts are joined to pieces of about this length. */
const PIECE_LENGTH = 64 * 1024

/** A JSON array whose elements are made while it is written, because there may be thousands. */
export class JsonSequence {
  readonly length: number
  readonly element: (index: number) => unknown

  constructor(length: number, element: (index: number) => unknown) {
    this.length = length
    this.element = element
  }
}

/** JSON as a part of other JSON. */
export class WrittenJson {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** UTF-8 of a value. Other requests are handled between the elements of an array. */
export async function writeJson(value: unknown): Promise<Buffer> {
  const writer = createWriter()
  if (isObject(value)) await writeObject(writer, value)
  else await writeMember(writer, value)
  return writer.end()
}

function isObject(value: unknown): value is object {
  const isOther = Array.isArray(value) || value instanceof JsonSequence
  return typeof value === 'object' && value !== null && !isOther && !(value instanceof WrittenJson)
}

interface Writer {
  text: (text: string) => void
  bytes: (bytes: Uint8Array) => void
  /** Resolves at once, or when other requests had their turn. */
  pause: () => Promise<void> | undefined
  end: () => Buffer
}

function createWriter(): Writer {
  const pieces: Uint8Array[] = []
  let piece = ''
  let turnEnds = performance.now() + TURN_MS

  function flush(): void {
    if (piece !== '') pieces.push(Buffer.from(piece))
    piece = ''
  }

  return {
    text(text) {
      piece += text
      if (piece.length >= PIECE_LENGTH) flush()
    },
    bytes(bytes) {
      flush()
      pieces.push(bytes)
    },
    pause() {
      if (performance.now() < turnEnds) return undefined
      return setImmediate().then(() => {
        turnEnds = performance.now() + TURN_MS
      })
    },
    end() {
      flush()
      return pieces.length === 1 && pieces[0] instanceof Buffer ? pieces[0] : Buffer.concat(pieces)
    }
  }
}

async function writeObject(writer: Writer, value: object): Promise<void> {
  writer.text('{')
  let separator = ''
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    writer.text(`${separator}${JSON.stringify(name)}:`)
    separator = ','
    await writeMember(writer, member)
  }
  writer.text('}')
}

async function writeMember(writer: Writer, value: unknown): Promise<void> {
  if (value instanceof JsonSequence) await writeSequence(writer, value)
  else if (Array.isArray(value)) {
    await writeSequence(writer, new JsonSequence(value.length, (index) => value[index]))
  } else writeValue(writer, value)
}

async function writeSequence(writer: Writer, { length, element }: JsonSequence): Promise<void> {
  writer.text('[')
  for (let index = 0; index < length; index++) {
    if (index > 0) writer.text(',')
    writeValue(writer, element(index))
    await writer.pause()
  }
  writer.text(']')
}

function writeValue(writer: Writer, value: unknown): void {
  if (value instanceof WrittenJson) writer.bytes(value.bytes)
  else writer.text(JSON.stringify(value) ?? 'null')
}
