import type { Finding } from '../../../kernel/service.ts'
import { isObject, type Json } from '../document/json.ts'
import { formatPointer } from '../document/pointer.ts'
import type { Expression } from '../expression/expression.ts'
import { compileTemplate, type Template, TemplateFault } from '../expression/template.ts'

/** A value of a rules file and its position; findings are collected, so that all are reported. */
export interface RuleNode {
  value: Json
  pointer: string
  addFinding: (text: string, level?: Finding['level']) => undefined
  /** A node for a member or an item. */
  at: (value: Json, ...tokens: readonly string[]) => RuleNode
  /** The value with its expressions compiled; undefined if an expression is invalid. */
  template: () => Template | undefined
}

export interface RuleSource {
  /** The file or the document. */
  label: string
  findings: Finding[]
  /** Expressions found so far. */
  expressions: { expression: Expression; pointer: string }[]
}

export function createRuleNode(book: RuleSource, value: Json, pointer: string): RuleNode {
  function addFinding(text: string, level: Finding['level'] = 'error', where = pointer): undefined {
    book.findings.push({ level, where: `${book.label}#${where}`, text })
  }
  return {
    value,
    pointer,
    addFinding,
    at: (inner, ...tokens) => createRuleNode(book, inner, pointer + formatPointer(tokens)),
    template() {
      try {
        const template = compileTemplate(value)
        for (const expression of template.expressions) {
          book.expressions.push({ expression, pointer })
        }
        return template
      } catch (error) {
        if (!(error instanceof TemplateFault)) throw error
        return addFinding(error.message, 'error', pointer + formatPointer(error.tokens))
      }
    }
  }
}

/** The members of an object by name; unknown ones are reported and left out. */
export function membersOf(node: RuleNode, known: readonly string[]): Map<string, RuleNode> {
  const { value, addFinding, at } = node
  if (!isObject(value)) {
    addFinding(`must be an object with ${known.join(', ')}`)
    return new Map()
  }
  const members = new Map<string, RuleNode>()
  for (const [name, member] of Object.entries(value)) {
    if (known.includes(name)) members.set(name, at(member, name))
    else at(member, name).addFinding(`is unknown; known members: ${known.join(', ')}`)
  }
  return members
}

/** Reads a string or an array of strings; numbers are converted. */
export function textsOf(node: RuleNode): string[] {
  const list = Array.isArray(node.value) ? node.value : [node.value]
  const texts = list.filter((item) => typeof item === 'string' || typeof item === 'number')
  if (texts.length < list.length || list.length === 0) {
    node.addFinding('must be a string or an array of strings')
  }
  return texts.map(String)
}
