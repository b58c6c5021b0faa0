import type { Server } from '../model/api.ts'
import { matchTemplate, parseTemplate, type Template } from './template.ts'

/** Maximum number of URLs a server is expanded to; beyond it, its variables match any string. */
const MAX_SPELLINGS = 64

/** Whether a URL given as `__server` is one of a server's. */
export interface ServerMatcher {
  /** Whether the URL has no variables. */
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

/** Base paths of a server, for the listed values of its variables and their defaults. */
export function basePathsOf(server: Server): string[] {
  const paths = spellings(server, knownValues).flatMap((url) => {
    if (!URL.canParse(url, 'http://localhost/')) return []
    return [trimSlashes(new URL(url, 'http://localhost/').pathname)]
  })
  return [...new Set(paths)]
}

/** Turns `/v1/` and `v1` into `/v1`, and the root into an empty string. */
export function trimSlashes(path: string): string {
  const trimmed = path.replace(/\/+$/, '').replace(/^\/+/, '')
  return trimmed === '' ? '' : `/${trimmed}`
}

type Values = (variable: { default: string; values: readonly string[] }) => readonly string[]

/** A variable without listed values matches any string. */
const closedValues: Values = ({ values }) => values
const knownValues: Values = (variable) => {
  const { values } = variable
  return values.includes(variable.default) ? values : [variable.default, ...values]
}

/** URLs with each variable replaced by its values; a variable without values stays. */
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
