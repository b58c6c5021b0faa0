import type { Json } from '../../../kernel/json.ts'
import { endOfString } from './spans.ts'

/** A container that is being read; `names` is undefined for an array. */
interface Frame {
  readonly names: string[] | undefined
  readonly values: Json[]
}

const WORD = /[^\s,\]}]+/y
const SILENT = ' \t\n\r,:'

/**
 * The value of valid JSON. If it has escapes, `JSON.parse` is not reliable: it can read an escaped
 * name as a different name from an earlier text (nodejs/node#63785).
 */
export function readJson(text: string): Json {
  return text.includes('\\') ? readCarefully(text) : JSON.parse(text)
}

/** Without recursion, because the depth is not limited. */
function readCarefully(text: string): Json {
  const root: Frame = { names: undefined, values: [] }
  const open = [root]
  for (let at = 0; at < text.length; at++) {
    const frame = open.at(-1) ?? root
    const character = text.charAt(at)
    if (character === '{') open.push({ names: [], values: [] })
    else if (character === '[') open.push({ names: undefined, values: [] })
    else if (character === '}' || character === ']') {
      open.pop()
      open.at(-1)?.values.push(close(frame))
    } else if (!SILENT.includes(character)) {
      const end = endOfToken(text, at)
      const isName = character === '"' && frame.names?.length === frame.values.length
      const list: Json[] = isName ? (frame.names ?? []) : frame.values
      list.push(JSON.parse(text.slice(at, end)))
      at = end - 1
    }
  }
  return root.values[0] ?? null
}

/** Of equal names the last is used. */
function close({ names, values }: Frame): Json {
  if (names === undefined) return values
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]))
}

function endOfToken(text: string, start: number): number {
  if (text.charAt(start) === '"') return endOfString(text, start)
  WORD.lastIndex = start
  WORD.test(text)
  return WORD.lastIndex
}
