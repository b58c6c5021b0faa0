import type { Session } from '../session/session.ts'
import { CommandError, syntaxError } from '../wire/errors.ts'
import type { Scanner } from '../wire/scanner.ts'
import { decodeUtf7 } from '../wire/utf7.ts'
import { scanStatusItems } from './status-items.ts'

const MAX_PATTERNS = 20
const MAX_PATTERN_CHARACTERS = 500
const SELECTIONS = ['SUBSCRIBED', 'REMOTE', 'RECURSIVEMATCH', 'SPECIAL-USE']
const RETURNS = ['SUBSCRIBED', 'CHILDREN', 'SPECIAL-USE']

export interface ListArguments {
  /** With the reference name. */
  readonly patterns: readonly string[]
  readonly selection: ReadonlySet<string>
  /** Undefined without RETURN. */
  readonly returned: ReadonlySet<string> | undefined
  /** Items of STATUS to tell of each mailbox. */
  readonly status: readonly string[] | undefined
  /** Whether any part of RFC 5258 was used. */
  readonly isExtended: boolean
}

export function scanListArguments(session: Session, scanner: Scanner): ListArguments {
  const { extensions } = session.server
  const allowsExtended = ['LIST-EXTENDED', 'LIST-STATUS', 'SPECIAL-USE'].some((name) =>
    extensions.has(name)
  )
  scanner.space()
  const hasSelection = scanner.isNext('(')
  const selection = hasSelection ? scanner.list(scanner.keyword) : []
  if (hasSelection) scanner.space()
  const reference = scanner.astring()
  scanner.space()
  const hasMany = scanner.isNext('(')
  const patterns = hasMany ? scanner.list(scanner.listPattern) : [scanner.listPattern()]
  let returned: string[] = []
  let status: string[] | undefined
  const hasReturn = scanner.skip(' RETURN ')
  if (hasReturn) {
    returned = scanner.list(() => {
      const option = scanner.keyword()
      if (option === 'STATUS' && extensions.has('LIST-STATUS')) {
        scanner.space()
        status = scanStatusItems(session, scanner)
      } else if (!RETURNS.includes(option)) {
        throw syntaxError('Unknown RETURN option.')
      }
      return option
    })
  }
  scanner.end()
  const isExtended = hasSelection || hasMany || hasReturn
  if (isExtended && !allowsExtended) throw syntaxError('Unexpected arguments.')
  checkSelection(selection)
  return {
    patterns: patterns.map((pattern) => checkPattern(reference + pattern)).slice(0, MAX_PATTERNS),
    selection: new Set(selection),
    returned: hasReturn ? new Set(returned) : undefined,
    status,
    isExtended
  }
}

function checkSelection(selection: readonly string[]): void {
  if (selection.some((option) => !SELECTIONS.includes(option))) {
    throw syntaxError('Unknown select option.')
  }
  if (selection.includes('RECURSIVEMATCH') && selection.length === 1) {
    throw syntaxError('RECURSIVEMATCH needs another select option.')
  }
}

function checkPattern(text: string): string {
  const pattern = decodeUtf7(text)
  if (pattern === undefined || pattern.length > MAX_PATTERN_CHARACTERS) {
    throw new CommandError('NO', 'Invalid pattern.', 'CANNOT')
  }
  return pattern
}
