import { UserError } from '../../../../kernel/errors.ts'

/** Extensions of IMAP4rev1 in the order in which CAPABILITY lists them. */
const EXTENSIONS = [
  'LITERAL+',
  'SASL-IR',
  'ID',
  'ENABLE',
  'IDLE',
  'NAMESPACE',
  'UNSELECT',
  'CHILDREN',
  'UIDPLUS',
  'MOVE',
  'SPECIAL-USE',
  'CREATE-SPECIAL-USE',
  'LIST-EXTENDED',
  'LIST-STATUS',
  'STATUS=SIZE',
  'ESEARCH',
  'WITHIN',
  'CONDSTORE',
  'QRESYNC',
  'NOTIFY',
  'OBJECTID',
  'APPENDLIMIT',
  'STARTTLS'
] as const

/** Without the first, the second makes no sense. */
const NEEDED: readonly (readonly [string, string])[] = [
  ['ENABLE', 'QRESYNC'],
  ['CONDSTORE', 'QRESYNC'],
  ['SPECIAL-USE', 'CREATE-SPECIAL-USE']
]

/** Throws `UserError` for a name that is no extension of the sandbox. */
export function extensionsWithout(removed: readonly string[]): ReadonlySet<string> {
  const names = new Set(removed.map((name) => name.toUpperCase()))
  const known: readonly string[] = EXTENSIONS
  for (const name of names) {
    if (!known.includes(name)) {
      throw new UserError(
        `--mailbox-sandbox-without: ${name} is no extension of the sandbox; use ${EXTENSIONS.join(', ')}`
      )
    }
  }
  for (const [needed, name] of NEEDED) if (names.has(needed)) names.add(name)
  return new Set(EXTENSIONS.filter((name) => !names.has(name)))
}

export interface CapabilityState {
  readonly extensions: ReadonlySet<string>
  readonly isAuthenticated: boolean
  readonly canStartTls: boolean
  readonly canLogIn: boolean
  readonly maxMessageBytes: number
}

export function capabilities(state: CapabilityState): string {
  const names = ['IMAP4rev1']
  for (const name of state.extensions) {
    if (name === 'STARTTLS' && !state.canStartTls) continue
    names.push(name === 'APPENDLIMIT' ? `APPENDLIMIT=${state.maxMessageBytes}` : name)
  }
  if (!state.isAuthenticated) {
    names.push(...(state.canLogIn ? ['AUTH=PLAIN', 'AUTH=LOGIN'] : ['LOGINDISABLED']))
  }
  return names.join(' ')
}
