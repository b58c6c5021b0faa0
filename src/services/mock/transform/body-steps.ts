import { isPatchOperator, PATCH_OPERANDS, PATCH_OPERATORS } from '../../../kernel/json-patch.ts'
import { mergePatch } from '../../../kernel/merge-patch.ts'
import { isObject, type Json, memberOf } from '../document/json.ts'
import { parsePointer } from '../document/pointer.ts'
import type { Template } from '../expression/template.ts'
import { applyPatch, PatchFault, type PatchOperation } from './json-patch.ts'
import { bodyValue, setValue } from './message-draft.ts'
import type { Change, Reliance } from './rule.ts'
import { membersOf, type RuleNode, textsOf } from './rule-node.ts'
import { omit, pick } from './selection.ts'

type Rely = (reliance: Omit<Reliance, 'side'>) => void

const MAX_OPERATIONS = 1000
const NO_BODY = 'there is no body to change'

export function compileReplace(node: RuleNode, rely: Rely): Change | undefined {
  const template = node.template()
  if (template === undefined) return undefined
  rely({ pointer: node.pointer, tokens: [], isNew: true })
  return (draft, subject) => {
    setValue(draft, template.fill(subject))
    return undefined
  }
}

export function compileMerge(node: RuleNode, rely: Rely): Change | undefined {
  const template = node.template()
  if (template === undefined) return undefined
  relyOnMembers(node, [], rely)
  return (draft, subject) => {
    const value = bodyValue(draft)
    if (value === undefined) return NO_BODY
    setValue(draft, mergePatch(value, template.fill(subject)))
    return undefined
  }
}

function relyOnMembers(
  { value, pointer, at }: RuleNode,
  tokens: readonly string[],
  rely: Rely
): void {
  if (tokens.length > 0) rely({ pointer, tokens, isNew: true })
  if (!isObject(value)) return
  for (const [name, member] of Object.entries(value)) {
    relyOnMembers(at(member, name), [...tokens, name], rely)
  }
}

interface CompiledOperation {
  op: PatchOperation['op']
  path: Template
  from: Template | undefined
  value: Template | undefined
}

export function compilePatch(node: RuleNode, rely: Rely): Change | undefined {
  const { value, addFinding: complain, at } = node
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_OPERATIONS) {
    return complain(`must be an array of at most ${MAX_OPERATIONS} operations (RFC 6902)`)
  }
  const operations = value.flatMap(
    (each, index) => compileOperation(at(each, String(index)), rely) ?? []
  )
  return (draft, subject) => {
    const before = bodyValue(draft)
    if (before === undefined) return NO_BODY
    try {
      const filled = operations.map(
        ({ op, path, from, value: given }): PatchOperation => ({
          op,
          path: String(path.fill(subject)),
          from: String(from?.fill(subject) ?? ''),
          value: given?.fill(subject) ?? null
        })
      )
      setValue(draft, applyPatch(before, filled, draft.work))
      return undefined
    } catch (error) {
      if (error instanceof PatchFault) return error.message
      throw error
    }
  }
}

function compileOperation(node: RuleNode, rely: Rely): CompiledOperation | undefined {
  const members = membersOf(node, ['op', 'path', 'from', 'value'])
  const op = members.get('op')?.value
  if (!isPatchOperator(op)) {
    return node.addFinding(`requires an op: ${PATCH_OPERATORS.join(', ')}`)
  }
  const isAdding = op === 'add' || op === 'copy' || op === 'move'
  const path = readPointer(members.get('path'), rely, isAdding)
  if (path === undefined) return node.addFinding('requires a path: a JSON pointer such as /name')
  const needsFrom = PATCH_OPERANDS[op] === 'from'
  const from = needsFrom ? readPointer(members.get('from'), rely, false) : undefined
  if (needsFrom && from === undefined) return node.addFinding(`${op} requires from: a JSON pointer`)
  if (PATCH_OPERANDS[op] === 'value' && memberOf(node.value, 'value') === undefined) {
    return node.addFinding(`${op} requires a value`)
  }
  return { op, path, from, value: members.get('value')?.template() }
}

function readPointer(node: RuleNode | undefined, rely: Rely, isNew: boolean): Template | undefined {
  const template = node?.template()
  if (node === undefined || template === undefined || !isPointer(node.value)) return undefined
  if (template.isConstant) {
    const tokens = parsePointer(String(node.value))
    rely({ pointer: node.pointer, tokens, isNew, isPatch: true })
  }
  return template
}

function isPointer(value: Json): boolean {
  return typeof value === 'string' && (value === '' || value.startsWith('/'))
}

function readPointers(node: RuleNode, rely: Rely): string[][] {
  return textsOf(node).flatMap((text) => {
    if (!isPointer(text)) {
      node.addFinding(`${text} is not a JSON pointer, which starts with a slash`)
      return []
    }
    const tokens = parsePointer(text)
    rely({ pointer: node.pointer, tokens, isNew: false })
    return [tokens]
  })
}

export function compilePick(node: RuleNode, rely: Rely): Change {
  const pointers = readPointers(node, rely)
  return (draft) => {
    const value = bodyValue(draft)
    if (value === undefined) return NO_BODY
    setValue(draft, pick(value, pointers))
    return undefined
  }
}

export function compileOmit(node: RuleNode, rely: Rely): Change {
  const pointers = readPointers(node, rely)
  return (draft) => {
    const value = bodyValue(draft)
    if (value === undefined) return NO_BODY
    setValue(draft, pointers.reduce(omit, value))
    return undefined
  }
}
