import { decodeSegment } from '../../../kernel/request-target.ts'
import {
  BoxIdInvalid,
  BoxIdLength,
  BoxIdMissing,
  CollectionInvalid,
  CollectionTooLong,
  MAX_BOX_ID_BYTES,
  RECORD_ID,
  RESERVED_WORDS
} from '../contract.ts'

export interface BoxPathRules {
  minId: number
  maxCollection: number
}

/** The box, the collection and the record that a path names. */
export interface BoxPath {
  readonly box: string
  readonly collection: string | undefined
  /** Record id in lower case. */
  readonly id: string | undefined
}

const CONTROL = /\p{Cc}/u

/**
 * Segment 2 is a record if it has the form of an id, else a collection; only after a collection
 * can segment 3 be a record. Further segments are ignored, as by jsonbox.io.
 */
export function parseBoxPath(segments: readonly string[], rules: BoxPathRules): BoxPath {
  const [first, second, third] = segments
  if (first === undefined) throw new BoxIdMissing()
  const box = checkBox(decodeSegment(first), rules)
  if (second === undefined) return { box, collection: undefined, id: undefined }
  if (RECORD_ID.test(second)) return { box, collection: undefined, id: second.toLowerCase() }
  const collection = checkCollection(decodeSegment(second), rules)
  const id = third !== undefined && RECORD_ID.test(third) ? third.toLowerCase() : undefined
  return { box, collection, id }
}

/** The box id that follows a reserved word. */
export function readBoxId(segment: string | undefined, rules: BoxPathRules): string {
  if (segment === undefined) throw new BoxIdMissing()
  return checkBox(decodeSegment(segment), rules)
}

export function readCollection(
  segment: string | undefined,
  rules: BoxPathRules
): string | undefined {
  return segment === undefined ? undefined : checkCollection(decodeSegment(segment), rules)
}

function checkBox(box: string | undefined, { minId }: BoxPathRules): string {
  if (box === undefined || CONTROL.test(box) || RESERVED_WORDS.includes(box)) {
    throw new BoxIdInvalid()
  }
  if (box.length < minId || Buffer.byteLength(box) > MAX_BOX_ID_BYTES) throw new BoxIdLength(minId)
  return box
}

function checkCollection(name: string | undefined, { maxCollection }: BoxPathRules): string {
  if (name === undefined || CONTROL.test(name)) throw new CollectionInvalid()
  if (name.length > maxCollection) throw new CollectionTooLong(maxCollection)
  return name
}
