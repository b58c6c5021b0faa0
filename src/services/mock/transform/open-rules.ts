import { fileURLToPath, pathToFileURL } from 'node:url'
import { UserError } from '../../../kernel/errors.ts'
import type { Finding } from '../../../kernel/service.ts'
import { parseDocument } from '../document/parse.ts'
import { readLocal } from '../document/read-text.ts'
import type { ServedApi } from '../served-api.ts'
import { checkRules } from './check-rules.ts'
import { type RulesFile, readRules } from './read-rules.ts'
import { createRuleBook, type RuleBook } from './rule-book.ts'

export interface OpenedRules {
  /** Undefined if there are no rules. */
  book: RuleBook | undefined
  files: readonly string[]
  findings: readonly Finding[]
}

/** Maximum number of errors in one message. */
const MAX_TOLD = 5

/** Reads the rules of files and documents; errors in rules are returned as findings. */
export async function openRules(
  paths: readonly string[],
  apis: readonly ServedApi[],
  hasUpstream: boolean | undefined
): Promise<OpenedRules> {
  const opened = openBook(apis, await Promise.all(paths.map(readFile)), hasUpstream)
  return { ...opened, files: paths.map((path) => pathToFileURL(path).href) }
}

/** Compiles the rules of documents and of files that have already been read. */
export function openBook(
  apis: readonly ServedApi[],
  files: readonly RulesFile[],
  hasUpstream: boolean | undefined
): Omit<OpenedRules, 'files'> {
  const { rules, findings } = readRules(apis, files)
  return {
    book: rules.length === 0 ? undefined : createRuleBook(rules),
    findings: [...findings, ...checkRules(rules, apis, hasUpstream)]
  }
}

async function readFile(path: string): Promise<RulesFile> {
  const url = pathToFileURL(path)
  const text = await readLocal(url)
  return { label: path, content: await parseDocument(text, fileURLToPath(url)) }
}

/** Rejects rules with errors, so that no rule is applied partly. */
export function rejectBroken(findings: readonly Finding[]): void {
  const errors = findings.filter(({ level }) => level === 'error')
  if (errors.length === 0) return
  const lines = errors.slice(0, MAX_TOLD).map(({ where, text }) => `${where}: ${text}`)
  const more = errors.length > MAX_TOLD ? [`and ${errors.length - MAX_TOLD} more`] : []
  throw new UserError([...lines, ...more].join('\n'))
}
