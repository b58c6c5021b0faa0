import { html, type Markup } from '../../../kernel/html.ts'
import { elementsOf, membersOf } from '../text/spans.ts'
import { nameOf, shorten } from './columns.ts'

/** Values of all trees of a page; each is an element of about 100 bytes. */
const MAX_NODES = 300
const MAX_TEXT = 120
const MAX_DEPTH = 12

/** Counts down over all records of a page. */
export interface NodeBudget {
  left: number
}

export function createNodeBudget(): NodeBudget {
  return { left: MAX_NODES }
}

/** The members of a record as a tree that opens without a script; values are as they were sent. */
export function recordTree(raw: string, budget: NodeBudget): Markup {
  return branch(raw, raw.indexOf('{'), budget, 0)
}

function branch(text: string, start: number, budget: NodeBudget, depth: number): Markup {
  const isObject = text.charAt(start) === '{'
  const children = isObject
    ? membersOf(text, start).map(({ name, valueStart, end }) => ({ name, start: valueStart, end }))
    : elementsOf(text, start).map((span) => ({ name: undefined, ...span }))
  const shown: Markup[] = []
  for (const child of children) {
    if (budget.left === 0) break
    budget.left--
    shown.push(html`<li>${leafOrBranch(text, child, budget, depth)}</li>`)
  }
  const hidden = children.length - shown.length
  return html`<ul class="box-tree">${shown}${hidden > 0 && html`<li class="soft">${hidden} more; open the record to see them</li>`}</ul>`
}

interface Child {
  readonly name: string | undefined
  readonly start: number
  readonly end: number
}

function leafOrBranch(text: string, child: Child, budget: NodeBudget, depth: number): Markup {
  const { name, start, end } = child
  const label = name !== undefined && html`<span class="hl-name">${nameOf(name)}</span>: `
  const first = text.charAt(start)
  const isNested = first === '{' || first === '['
  const value = text.slice(start, Math.min(end, start + MAX_TEXT * 2))
  if (!isNested) return html`${label}${leaf(value, end - start)}`
  const isFlat = end - start <= 40 || depth >= MAX_DEPTH
  if (isFlat) return html`${label}${shorten(value, MAX_TEXT)}`
  const preview = html`<span class="soft">${shorten(value.replace(/\s+/g, ' '), 40)}</span>`
  return html`<details><summary>${label}${preview}</summary>${branch(text, start, budget, depth + 1)}</details>`
}

function leaf(value: string, length: number): Markup {
  const shown = length > MAX_TEXT ? `${shorten(value, MAX_TEXT)}` : value
  return html`<span class="${value.startsWith('"') ? 'hl-text' : 'hl-value'}">${shown}</span>`
}
