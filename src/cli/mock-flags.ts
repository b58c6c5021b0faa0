import { closestMatch } from './closest-match.ts'
import { UsageError } from './command.ts'
import type { MockCommand } from './mock-command.ts'

/** A flag of `nonet mock` or `nonet proxy`, with Prism's name if Prism has it. */
export interface MockFlag {
  name: string
  short?: string
  /** `file` may be repeated and, unlike `array`, is not split at commas. */
  kind: 'string' | 'boolean' | 'array' | 'file'
  about: string
  /** Both commands by default. */
  only?: 'mock' | 'proxy'
  /** Appends the value, with this prefix, to that of another flag, because their order matters. */
  appendTo?: { flag: string; as: string }
}

export const MOCK_FLAGS: readonly MockFlag[] = [
  { name: 'port', short: 'p', kind: 'string', about: 'port to listen on (default: 4010)' },
  {
    name: 'host',
    short: 'h',
    kind: 'string',
    about: 'IP address or host name to listen on (default: 127.0.0.1)'
  },
  {
    name: 'cors',
    kind: 'boolean',
    about: 'send CORS headers and answer preflight requests (default: true)'
  },
  {
    name: 'multiprocess',
    short: 'm',
    kind: 'boolean',
    about: 'accepted for compatibility with Prism; has no effect'
  },
  { name: 'errors', kind: 'boolean', about: 'turn violations into error responses' },
  {
    name: 'verboseLevel',
    short: 'v',
    kind: 'string',
    about: 'log level: trace, debug, info, warn, error, fatal or silent (default: info)'
  },
  {
    name: 'dynamic',
    short: 'd',
    kind: 'boolean',
    only: 'mock',
    about: 'generate random response bodies'
  },
  {
    name: 'json-schema-faker-fillProperties',
    kind: 'boolean',
    only: 'mock',
    about: 'let random bodies have additional properties that the schema permits'
  },
  {
    name: 'ignoreExamples',
    kind: 'boolean',
    only: 'mock',
    about: 'generate bodies from schemas even if there are examples'
  },
  { name: 'seed', kind: 'string', only: 'mock', about: 'seed for random bodies' },
  {
    name: 'validate-request',
    kind: 'boolean',
    about: 'validate request parameters and bodies (default: true)'
  },
  { name: 'validate-security', kind: 'boolean', about: 'validate credentials (default: true)' },
  { name: 'validate-response', kind: 'boolean', about: 'validate responses (default: true)' },
  {
    name: 'upstream-proxy',
    kind: 'string',
    only: 'proxy',
    about: 'URL of an HTTP proxy between nonet and the upstream'
  },
  {
    name: 'base-path',
    kind: 'string',
    about: 'where paths are served: both, off, only or a path (default: both)'
  },
  { name: 'allow-remote-refs', kind: 'boolean', about: 'allow references to other origins' },
  {
    name: 'allow-refs-outside',
    kind: 'boolean',
    about: 'allow references to files outside the folder of the document and the working folder'
  },
  { name: 'allow-callbacks', kind: 'boolean', about: 'allow callbacks to private IP addresses' },
  {
    name: 'cache-bytes',
    kind: 'string',
    about: 'memory in bytes for prepared operations (default: 67108864)'
  },
  {
    name: 'overlay',
    kind: 'file',
    about: 'file or URL of an Overlay to apply to the documents; may be repeated'
  },
  {
    name: 'patch',
    kind: 'file',
    appendTo: { flag: 'overlay', as: 'patch:' },
    about: 'JSON Patch or Merge Patch file; overlays and patches are applied in the order given'
  },
  {
    name: 'state',
    kind: 'boolean',
    only: 'mock',
    about: 'store records that clients create, change and delete'
  },
  {
    name: 'seed-data',
    kind: 'string',
    only: 'mock',
    about: 'file with initial records for the collections'
  },
  { name: 'data', kind: 'string', only: 'mock', about: 'folder to store the state in' },
  {
    name: 'database',
    kind: 'string',
    only: 'mock',
    about: 'URL of a PostgreSQL database to store the state in'
  },
  { name: 'transform', kind: 'array', about: 'file with rules that change requests and responses' },
  {
    name: 'hooks',
    kind: 'string',
    about: 'JavaScript module that can change requests and responses'
  },
  { name: 'reload', kind: 'boolean', about: 'reload documents when they change (default: true)' },
  {
    name: 'admin',
    kind: 'boolean',
    about: 'serve the admin pages under /__nonet/ (default: true)'
  },
  { name: 'check', kind: 'boolean', about: 'validate the documents, print the problems and exit' },
  {
    name: 'report',
    kind: 'file',
    about: 'write a report on exit: .json, .xml (JUnit) or .html; may be repeated'
  },
  {
    name: 'fail-on',
    kind: 'array',
    about: 'exit with code 1 on: violation, uncovered, or both separated by a comma'
  },
  { name: 'log', kind: 'string', about: 'format of the request log: text or json' },
  { name: 'json', kind: 'boolean', about: 'print one JSON line with the URL when ready' },
  { name: 'help', kind: 'boolean', about: 'print this help' },
  { name: 'version', kind: 'boolean', about: 'print the version of nonet' }
]

export type MockValues = Readonly<Record<string, string | boolean | readonly string[]>>

export interface MockInvocation {
  positionals: readonly string[]
  values: MockValues
}

/**
 * Parses arguments as Prism does: kebab and camel case are equivalent, a switch may be followed by
 * `true` or `false`, `-h` is the host, and an unknown flag is an error.
 */
export function parseMockArguments(argv: readonly string[], command: MockCommand): MockInvocation {
  const flags = flagsOf(command)
  const values: Record<string, string | boolean | string[]> = {}
  const positionals: string[] = []
  const waiting = [...argv]
  for (let word = waiting.shift(); word !== undefined; word = waiting.shift()) {
    if (word === '--') {
      positionals.push(...waiting.splice(0))
    } else if (/^-[^-\d]/.test(word) || word.startsWith('--')) {
      for (const flag of splitShortFlags(word, flags)) readFlag(flag, waiting, command, values)
    } else {
      positionals.push(word)
    }
  }
  return { positionals, values }
}

/** `-dm` is `-d -m`; letters after a flag that takes a value are its value. */
function splitShortFlags(word: string, flags: readonly MockFlag[]): string[] {
  const [, letter, rest] = /^-([^-=])([a-z].*)$/is.exec(word) ?? []
  const flag = flags.find(({ short }) => short !== undefined && short === letter)
  if (flag?.kind !== 'boolean' || rest === undefined) return [word]
  return [`-${letter}`, ...splitShortFlags(`-${rest}`, flags)]
}

function readFlag(
  word: string,
  waiting: string[],
  command: MockCommand,
  values: Record<string, string | boolean | string[]>
): void {
  const { flag, isNegated, given: attached } = findFlag(word, command)
  if (flag.kind === 'boolean') {
    const next = attached ?? (/^(true|false)$/.test(waiting[0] ?? '') ? waiting.shift() : 'true')
    if (next !== 'true' && next !== 'false') {
      throw new UsageError(`--${flag.name} must be true or false`)
    }
    values[flag.name] = (next === 'true') !== isNegated
    return
  }
  const value = attached ?? waiting.shift()
  if (value === undefined) throw new UsageError(`--${flag.name} requires a value`)
  if (flag.kind === 'string') {
    values[flag.name] = value
    return
  }
  const { flag: list, as: mark } = flag.appendTo ?? { flag: flag.name, as: '' }
  const before = values[list]
  const given = flag.kind === 'file' ? [mark + value] : value.split(',')
  values[list] = [...(Array.isArray(before) ? before : []), ...given]
}

/** The flags that a command has. */
export function flagsOf(command: MockCommand): MockFlag[] {
  return MOCK_FLAGS.filter(({ only }) => only === undefined || only === command)
}

function findFlag(
  word: string,
  command: MockCommand
): { flag: MockFlag; isNegated: boolean; given: string | undefined } {
  const flags = flagsOf(command)
  const [, long, short, attached, given] =
    /^(?:--([^=]+)|-([^=])([^=]+)?)(?:=(.*))?$/s.exec(word) ?? []
  if (short !== undefined) {
    const flag = flags.find((one) => one.short === short)
    if (flag === undefined) throw unknownFlag(`-${short}`, command)
    return { flag, isNegated: false, given: attached ?? given }
  }
  const name = long ?? ''
  const exact = flags.find((flag) => plain(flag.name) === plain(name))
  if (exact !== undefined) return { flag: exact, isNegated: false, given }
  const positive = name.startsWith('no-') ? name.slice('no-'.length) : ''
  const negated = flags.find(
    (flag) => flag.kind === 'boolean' && positive !== '' && plain(flag.name) === plain(positive)
  )
  if (negated === undefined) throw unknownFlag(`--${name}`, command)
  return { flag: negated, isNegated: true, given }
}

/** One line with the flag that may have been meant. */
function unknownFlag(typed: string, command: MockCommand): UsageError {
  const name = plain(typed.replace(/^-+/, ''))
  const ofOther = MOCK_FLAGS.find((flag) => plain(flag.name) === name || `-${flag.short}` === typed)
  const nearest = closestMatch(
    name,
    flagsOf(command).map((flag) => plain(flag.name))
  )
  const meant = flagsOf(command).find((flag) => plain(flag.name) === nearest)
  let hint = meant === undefined ? '.' : `; did you mean --${meant.name}?`
  if (ofOther !== undefined) hint = `; it is a flag of nonet ${ofOther.only}.`
  return new UsageError(`Unknown flag ${typed} for ${command}${hint} See nonet ${command} --help`)
}

function plain(name: string): string {
  return name.replaceAll('-', '').toLowerCase()
}
