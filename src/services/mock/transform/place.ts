import type { Finding } from '../../../kernel/service.ts'
import { isObject, type Json } from '../document/json.ts'
import { formatPointer } from '../document/pointer.ts'
import type { Expression } from '../expression/expression.ts'
import { compileTemplate, type Template, TemplateFault } from '../expression/template.ts'

/** A value of a rules file and where it stands; all that is wrong is said, not only the first. */
export interface Place {
  value: Json
  pointer: string
  complain: (text: string, level?: Finding['level']) => undefined
  /** A member or item of it. */
  at: (value: Json, ...tokens: readonly string[]) => Place
  /** Its value with all expressions in it. */
  template: () => Template | undefined
}

export interface Book {
  /** The file, or the document. */
  label: string
  findings: Finding[]
  /** Expressions met so far. */
  expressions: { expression: Expression; pointer: string }[]
}

export function createPlace(book: Book, value: Json, pointer: string): Place {
  function complain(text: string, level: Finding['level'] = 'error', where = pointer): undefined {
    book.findings.push({ level, where: `${book.label}#${where}`, text })
  }
  return {
    value,
    pointer,
    complain,
    at: (inner, ...tokens) => createPlace(book, inner, pointer + formatPointer(tokens)),
    template() {
      try {
        const template = compileTemplate(value)
        for (const expression of template.expressions) {
          book.expressions.push({ expression, pointer })
        }
        return template
      } catch (error) {
        if (!(error instanceof TemplateFault)) throw error
        return complain(error.message, 'error', pointer + formatPointer(error.tokens))
      }
    }
  }
}

/** The members of an object by name, none of them unknown. */
export function membersOf(place: Place, known: readonly string[]): Map<string, Place> {
  const { value, complain, at } = place
  if (!isObject(value)) {
    complain(`must be an object with ${known.join(', ')}`)
    return new Map()
  }
  const members = new Map<string, Place>()
  for (const [name, member] of Object.entries(value)) {
    if (known.includes(name)) members.set(name, at(member, name))
    else at(member, name).complain(`is unknown; known members: ${known.join(', ')}`)
  }
  return members
}

/** One text or several. */
export function textsOf(place: Place): string[] {
  const list = Array.isArray(place.value) ? place.value : [place.value]
  const texts = list.filter((item) => typeof item === 'string' || typeof item === 'number')
  if (texts.length < list.length || list.length === 0) {
    place.complain('must be a string or an array of strings')
  }
  return texts.map(String)
}
