import { isJson, parseMediaType } from '../../../kernel/media-type.ts'
import type { MediaType } from '../model/api.ts'
import { readJsonText } from './field-styles.ts'

/** Reads the string of a parameter that is described by a media type. */
export function createMediaReader({ type }: MediaType): (text: string) => unknown {
  const media = parseMediaType(type)
  return media !== undefined && isJson(media) ? readJsonText : (text) => text
}
