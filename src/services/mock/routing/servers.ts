import type { Server } from '../model/api.ts'
import { matchTemplate, parseTemplate, type Template } from './template.ts'

/** Beyond this many spellings of one address its variables stand for any text. */
const MAX_SPELLINGS = 64

/** Whether an address given as `__server` is one of a server's. */
export interface ServerMatcher {
  /** Its address has no variables. */
  isConcrete: boolean
  matches: (url: string) => boolean
}

export function createServerMatcher(server: Server): ServerMatcher {
  const templates = spellings(server, closedValues).map((url) => parseTemplate(url))
  return {
    isConcrete: parseTemplate(server.url).names.length === 0,
    matches: (url) => templates.some((template) => matchTemplate(template, url))
  }
}

/** The paths at which a server answers: every listed value of its variables, else the default. */
export function basePathsOf(server: Server): string[] {
  const paths = spellings(server, knownValues).flatMap((url) => {
    if (!URL.canParse(url, 'http://localhost/')) return []
    return [trimSlashes(new URL(url, 'http://localhost/').pathname)]
  })
  return [...new Set(paths)]
}

/** `/v1/` and `v1` as `/v1`, the root as nothing. */
export function trimSlashes(path: string): string {
  const trimmed = path.replace(/\/+$/, '').replace(/^\/+/, '')
  return trimmed === '' ? '' : `/${trimmed}`
}

type Values = (variable: { default: string; values: readonly string[] }) => readonly string[]

/** What a variable without a list may be is open. */
const closedValues: Values = ({ values }) => values
const knownValues: Values = (variable) => {
  const { values } = variable
  return values.includes(variable.default) ? values : [variable.default, ...values]
}

/** Addresses with every variable replaced that has values; a variable nobody defines stays. */
function spellings({ url, variables }: Server, valuesOf: Values): string[] {
  const { texts, names }: Template = parseTemplate(url)
  let found = [texts[0] ?? '']
  for (const [index, name] of names.entries()) {
    const variable = variables.get(name)
    const values = variable === undefined ? [] : valuesOf(variable)
    const isOpen = values.length === 0 || found.length * values.length > MAX_SPELLINGS
    const choices = isOpen ? [`{${name}}`] : values
    const next = texts[index + 1] ?? ''
    found = found.flatMap((start) => choices.map((choice) => start + choice + next))
  }
  return found
}
