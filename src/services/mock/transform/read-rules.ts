import type { Finding } from '../../../kernel/service.ts'
import { type Json, type JsonObject, memberOf } from '../document/json.ts'
import { findAt, formatPointer, parsePointer } from '../document/pointer.ts'
import { EXTENSION } from '../embedded-rules.ts'
import type { Operation } from '../model/api.ts'
import type { ServedApi } from '../served-api.ts'
import { type Home, readRule } from './read-rule.ts'
import type { Rule } from './rule.ts'
import { createRuleNode, type RuleNode, type RuleSource } from './rule-node.ts'

const MAX_RULES = 1000

/** A parsed rules file; its only member is `rules`, an array. */
export interface RulesFile {
  label: string
  content: JsonObject
}

export interface ReadRules {
  rules: Rule[]
  findings: Finding[]
}

/**
 * Rules of the documents first, from the root to the responses, then those of the files, so that
 * the operator's rules are applied last.
 */
export function readRules(apis: readonly ServedApi[], files: readonly RulesFile[]): ReadRules {
  const findings: Finding[] = []
  const rules: Rule[] = []

  function add(book: RuleSource, given: RuleNode, home: Omit<Home, 'order'>): void {
    const { value } = given
    const list = Array.isArray(value) ? value : [value]
    if (rules.length + list.length > MAX_RULES) {
      given.addFinding(`exceeds ${MAX_RULES} rules`)
      return
    }
    for (const [index, each] of list.entries()) {
      const node = Array.isArray(value) ? given.at(each, String(index)) : given
      const rule = readRule(node, book, { ...home, order: rules.length })
      if (rule !== undefined) rules.push(rule)
    }
  }

  for (const served of apis) {
    const book: RuleSource = { label: served.label, findings, expressions: [] }
    for (const { pointer, value, ...home } of embeddedRules(served)) {
      add(book, createRuleNode(book, value, pointer), home)
    }
  }
  for (const { label, content } of files) {
    const book: RuleSource = { label, findings, expressions: [] }
    const node = createRuleNode(book, content, '')
    for (const [name, value] of Object.entries(content)) {
      if (name !== 'rules') node.at(value, name).addFinding('is unknown; the only member is rules')
    }
    const list = memberOf(content, 'rules')
    if (Array.isArray(list)) {
      add(book, node.at(list, 'rules'), { operations: undefined, response: undefined })
    } else node.addFinding('requires rules: an array of rules')
  }
  return { rules, findings }
}

interface EmbeddedRules {
  pointer: string
  value: Json
  operations: ReadonlySet<Operation>
  response: string | undefined
}

/** Rules in a document: at its root, at paths, at operations and at responses. */
function embeddedRules({ document, api }: ServedApi): EmbeddedRules[] {
  const found: EmbeddedRules[] = []

  function look(pointer: string, operations: readonly Operation[], response?: string): void {
    const value = memberOf(findAt(document, parsePointer(pointer)), EXTENSION)
    if (value === undefined) return
    const node = pointer + formatPointer([EXTENSION])
    const known = found.find((one) => one.pointer === node && one.response === response)
    if (known === undefined) {
      found.push({ pointer: node, value, operations: new Set(operations), response })
    } else known.operations = new Set([...known.operations, ...operations])
  }

  look('', api.operations)
  for (const path of new Set(api.operations.map((operation) => operation.path))) {
    look(
      formatPointer(['paths', path]),
      api.operations.filter((operation) => operation.path === path)
    )
  }
  for (const operation of api.operations) look(operation.pointer, [operation])
  for (const operation of api.operations) {
    for (const { pointer } of operation.responses) look(pointer, [operation], pointer)
  }
  return found
}
