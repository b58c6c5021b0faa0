import { JoinedBytes } from '../../../../kernel/joined-bytes.ts'

/** The bytes of one item of an array. */
export interface ScannedItem {
  bytes: Buffer
  /** Position of its first byte in the file. */
  start: number
  /** Position after its last byte. */
  end: number
}

/**
 * - `assignment`: `window.X = [ … ]`, with or without a semicolon
 * - a name: the array is this member of the object that is the file
 */
export type ArrayPosition = 'assignment' | { member: string }

export interface ScanOptions {
  array: ArrayPosition
  /** Bytes of one item. */
  maxItemBytes: number
  /** Creates the error for something that is not allowed at a position of the file. */
  fail: (position: number, problem: string) => Error
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const SEMICOLON = 0x3b
const EQUALS = 0x3d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
/** The bytes of the byte order mark that some programs write. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

const MAX_ASSIGNMENT_BYTES = 1024
const MAX_DEPTH = 200

type State =
  | 'before equals'
  | 'before array'
  | 'before member'
  | 'before item'
  | 'in item'
  | 'after item'
  | 'after array'
  | 'after object'

/**
 * Finds the items of a JSON array in a file of any size. It follows strings and brackets only;
 * whether an item is valid JSON is for `JSON.parse` to tell. Items are objects.
 */
export class ItemScanner {
  readonly #options: ScanOptions
  #state: State
  /** Bytes before the current chunk. */
  #before = 0
  #depth = 0
  #inString = false
  #escaped = false
  #item = new JoinedBytes()
  #itemStart = 0
  #needsItem = false
  /** The last string at the first level of the object that is the file. */
  #key: number[] | undefined
  #isMember = false
  readonly #member: Buffer

  constructor(options: ScanOptions) {
    this.#options = options
    const { array } = options
    this.#state = array === 'assignment' ? 'before equals' : 'before member'
    this.#member = Buffer.from(array === 'assignment' ? '' : array.member)
  }

  /** The items that end in this chunk. */
  push(chunk: Buffer): ScannedItem[] {
    const items: ScannedItem[] = []
    let at = 0
    while (at < chunk.length) {
      if (this.#state === 'in item') {
        const end = this.#scanItem(chunk, at)
        this.#item.add(chunk.subarray(at, end))
        this.#checkSize()
        if (this.#depth === 0) items.push(this.#finishItem(end))
        at = end
      } else {
        // The first byte of an item belongs to the item.
        if (this.#step(chunk[at] as number, at)) at++
      }
    }
    this.#before += chunk.length
    return items
  }

  /** Throws if the file ends before the array does. */
  end(): void {
    const isComplete = this.#state === 'after array' || this.#state === 'after object'
    if (isComplete && this.#depth === 0) return
    const isOther = this.#state === 'before equals' || this.#before === 0
    throw this.#fail(0, isOther ? 'it has no data' : 'it ends in the middle of the data')
  }

  #fail(at: number, problem: string): Error {
    return this.#options.fail(this.#before + at, problem)
  }

  #checkSize(): void {
    const { maxItemBytes } = this.#options
    if (this.#item.size <= maxItemBytes) return
    const problem = `an item is larger than ${maxItemBytes} bytes`
    throw this.#options.fail(this.#itemStart, problem)
  }

  #finishItem(at: number): ScannedItem {
    this.#state = 'after item'
    return { bytes: this.#item.take(), start: this.#itemStart, end: this.#before + at }
  }

  /** Position after the item, or the end of the chunk if the item goes on. */
  #scanItem(chunk: Buffer, from: number): number {
    let inString = this.#inString
    let escaped = this.#escaped
    let depth = this.#depth
    let at = from
    for (; at < chunk.length; at++) {
      const byte = chunk[at]
      if (inString) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) inString = false
      } else if (byte === QUOTE) inString = true
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (++depth > MAX_DEPTH) throw this.#fail(at, 'it is nested too deeply')
      } else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) {
        at++
        break
      }
    }
    this.#inString = inString
    this.#escaped = escaped
    this.#depth = depth
    return at
  }

  /** Handles a byte outside of items; false if it has to be read again in the new state. */
  #step(byte: number, at: number): boolean {
    if (this.#state === 'before member' || this.#state === 'after object') {
      return this.#stepInObject(byte, at)
    }
    if (isSpace(byte)) return true
    switch (this.#state) {
      case 'before equals':
        if (byte === EQUALS) this.#state = 'before array'
        else if (this.#before + at > MAX_ASSIGNMENT_BYTES) throw this.#fail(at, 'there is no "="')
        return true
      case 'before array':
        if (byte !== OPEN_ARRAY) throw this.#fail(at, 'an array is expected')
        this.#state = 'before item'
        return true
      case 'before item':
        return this.#startItem(byte, at)
      case 'after item':
        return this.#afterItem(byte, at)
      default:
        if (byte !== SEMICOLON || this.#depth > 0) throw this.#fail(at, 'the data has ended before')
        this.#depth = 0
        return true
    }
  }

  #startItem(byte: number, at: number): boolean {
    if (byte === CLOSE_ARRAY && !this.#needsItem) {
      this.#endArray()
      return true
    }
    if (byte !== OPEN_OBJECT) throw this.#fail(at, 'an object is expected')
    this.#needsItem = false
    this.#state = 'in item'
    this.#itemStart = this.#before + at
    return false
  }

  #afterItem(byte: number, at: number): boolean {
    if (byte === COMMA) {
      this.#needsItem = true
      this.#state = 'before item'
    } else if (byte === CLOSE_ARRAY) this.#endArray()
    else throw this.#fail(at, 'a comma is expected')
    return true
  }

  #endArray(): void {
    if (this.#options.array === 'assignment') this.#state = 'after array'
    else {
      this.#state = 'after object'
      this.#depth = 1
    }
  }

  /** The object that is the file, before and after the member with the array. */
  #stepInObject(byte: number, at: number): boolean {
    if (this.#inString) {
      this.#stepInKey(byte)
      return true
    }
    if (isSpace(byte) || (this.#before + at < 3 && BYTE_ORDER_MARK.includes(byte))) return true
    if (this.#depth === 0 && (this.#state === 'after object' || byte !== OPEN_OBJECT)) {
      throw this.#fail(
        at,
        this.#before + at === 0 ? 'it is not an object' : 'the data has ended before'
      )
    }
    if (byte === QUOTE) {
      this.#inString = true
      this.#key = this.#depth === 1 ? [] : undefined
    } else if (byte === COLON) this.#isMember = this.#isArrayKey()
    else if (byte === OPEN_ARRAY && this.#isMember) this.#openArray()
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (++this.#depth > MAX_DEPTH) throw this.#fail(at, 'it is nested too deeply')
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#closeObject(at)
    return true
  }

  #stepInKey(byte: number): void {
    if (this.#escaped) this.#escaped = false
    else if (byte === BACKSLASH) this.#escaped = true
    else if (byte === QUOTE) {
      this.#inString = false
      return
    }
    // Longer strings are not the key.
    if (this.#key !== undefined && this.#key.length <= this.#member.length) this.#key.push(byte)
  }

  #isArrayKey(): boolean {
    const isKey = this.#depth === 1 && this.#key !== undefined
    const matches = isKey && this.#member.equals(Uint8Array.from(this.#key ?? []))
    this.#key = undefined
    return matches && this.#state === 'before member'
  }

  #openArray(): void {
    this.#isMember = false
    this.#depth = 0
    this.#state = 'before item'
  }

  #closeObject(at: number): void {
    this.#depth--
    if (this.#depth > 0 || this.#state === 'after object') return
    throw this.#fail(at, `it has no array "${this.#member}"`)
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
