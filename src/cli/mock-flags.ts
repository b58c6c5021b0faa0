import { UsageFailure } from './command.ts'

/** The flags of `nonet mock` and `nonet proxy`, with the spellings of the original. */
export interface MockFlag {
  name: string
  short?: string
  /** A file may be named several times, and no comma cuts its name. */
  kind: 'text' | 'switch' | 'list' | 'file'
  about: string
  /** Both commands have it unless told. */
  only?: 'mock' | 'proxy'
  /** Goes into the list of another flag, with this word before it: their order counts. */
  among?: { flag: string; as: string }
}

export const MOCK_FLAGS: readonly MockFlag[] = [
  { name: 'port', short: 'p', kind: 'text', about: 'port to listen on (default: 4010)' },
  { name: 'host', short: 'h', kind: 'text', about: 'address to listen on (default: 127.0.0.1)' },
  { name: 'cors', kind: 'switch', about: 'CORS headers and preflights (default: true)' },
  {
    name: 'multiprocess',
    short: 'm',
    kind: 'switch',
    about: 'accepted and ignored: logging is cheap here'
  },
  { name: 'errors', kind: 'switch', about: 'violations become errors' },
  {
    name: 'verboseLevel',
    short: 'v',
    kind: 'text',
    about: 'trace, debug, info, warn, error, fatal or silent (default: info)'
  },
  { name: 'dynamic', short: 'd', kind: 'switch', only: 'mock', about: 'random bodies' },
  {
    name: 'json-schema-faker-fillProperties',
    kind: 'switch',
    only: 'mock',
    about: 'random bodies may have properties that a schema merely permits'
  },
  {
    name: 'ignoreExamples',
    kind: 'switch',
    only: 'mock',
    about: 'bodies from schemas even where there are examples'
  },
  { name: 'seed', kind: 'text', only: 'mock', about: 'seed of random bodies' },
  {
    name: 'validate-request',
    kind: 'switch',
    about: 'check parameters and bodies of requests (default: true)'
  },
  { name: 'validate-security', kind: 'switch', about: 'check credentials (default: true)' },
  { name: 'validate-response', kind: 'switch', about: 'check answers (default: true)' },
  {
    name: 'upstream-proxy',
    kind: 'text',
    only: 'proxy',
    about: 'HTTP proxy on the way to the upstream'
  },
  { name: 'base-path', kind: 'text', about: 'both, off, only or a path (default: both)' },
  { name: 'allow-remote-refs', kind: 'switch', about: 'references may lead to other origins' },
  { name: 'allow-callbacks', kind: 'switch', about: 'callbacks may go to private addresses' },
  {
    name: 'overlay',
    kind: 'file',
    about: 'Overlay to change the documents with, a file or an address; may be repeated'
  },
  {
    name: 'patch',
    kind: 'file',
    among: { flag: 'overlay', as: 'patch:' },
    about: 'JSON Patch or Merge Patch; overlays and patches apply in the order given'
  },
  { name: 'state', kind: 'switch', only: 'mock', about: 'collections keep what is written' },
  {
    name: 'seed-data',
    kind: 'text',
    only: 'mock',
    about: 'file of records that collections start with'
  },
  { name: 'data', kind: 'text', only: 'mock', about: 'folder that keeps the state' },
  { name: 'database', kind: 'text', only: 'mock', about: 'PostgreSQL that keeps the state' },
  { name: 'transform', kind: 'list', about: 'file with rules for requests and answers' },
  { name: 'hooks', kind: 'text', about: 'module of your own that may change both' },
  { name: 'reload', kind: 'switch', about: 'read changed documents again (default: true)' },
  {
    name: 'admin',
    kind: 'switch',
    about: 'journal, coverage and more at /__nonet/ (default: true)'
  },
  { name: 'check', kind: 'switch', about: 'only say what is wrong with the documents, and end' },
  { name: 'report', kind: 'text', about: 'report at the end: .json, .xml (JUnit) or .html' },
  { name: 'fail-on', kind: 'list', about: 'exit code 1 after a violation, or when uncovered' },
  { name: 'log', kind: 'text', about: 'lines for each request: text or json' },
  { name: 'json', kind: 'switch', about: 'one JSON line with the address when ready' },
  { name: 'help', kind: 'switch', about: 'this text' },
  { name: 'version', kind: 'switch', about: 'the version of nonet' }
]

export type MockValues = Readonly<Record<string, string | boolean | readonly string[]>>

export interface MockInvocation {
  positionals: readonly string[]
  values: MockValues
}

/**
 * As the original reads its command line: kebab and camel case mean the same, a switch may be
 * followed by `true` or `false`, `-h` is the host, and an unknown flag is an error.
 */
export function parseMockArguments(
  argv: readonly string[],
  command: 'mock' | 'proxy'
): MockInvocation {
  const flags = MOCK_FLAGS.filter(({ only }) => only === undefined || only === command)
  const values: Record<string, string | boolean | string[]> = {}
  const positionals: string[] = []
  const waiting = [...argv]
  for (let word = waiting.shift(); word !== undefined; word = waiting.shift()) {
    if (word === '--') {
      positionals.push(...waiting.splice(0))
    } else if (/^-[^-\d]/.test(word) || word.startsWith('--')) {
      for (const flag of apart(word, flags)) readFlag(flag, waiting, flags, values)
    } else {
      positionals.push(word)
    }
  }
  return { positionals, values }
}

/** `-dm` is `-d -m`; letters behind one that takes a value are the value. */
function apart(word: string, flags: readonly MockFlag[]): string[] {
  const [, letter, rest] = /^-([^-=])([a-z].*)$/is.exec(word) ?? []
  const flag = flags.find(({ short }) => short !== undefined && short === letter)
  if (flag?.kind !== 'switch' || rest === undefined) return [word]
  return [`-${letter}`, ...apart(`-${rest}`, flags)]
}

function readFlag(
  word: string,
  waiting: string[],
  flags: readonly MockFlag[],
  values: Record<string, string | boolean | string[]>
): void {
  const { flag, isNegated, given: attached } = findFlag(word, flags)
  if (flag.kind === 'switch') {
    const next = attached ?? (/^(true|false)$/.test(waiting[0] ?? '') ? waiting.shift() : 'true')
    if (next !== 'true' && next !== 'false') {
      throw new UsageFailure(`--${flag.name} is a switch: true or false`)
    }
    values[flag.name] = (next === 'true') !== isNegated
    return
  }
  const value = attached ?? waiting.shift()
  if (value === undefined) throw new UsageFailure(`--${flag.name} needs a value`)
  if (flag.kind === 'text') {
    values[flag.name] = value
    return
  }
  const { flag: list, as: mark } = flag.among ?? { flag: flag.name, as: '' }
  const before = values[list]
  const given = flag.kind === 'file' ? [mark + value] : value.split(',')
  values[list] = [...(Array.isArray(before) ? before : []), ...given]
}

function findFlag(
  word: string,
  flags: readonly MockFlag[]
): { flag: MockFlag; isNegated: boolean; given: string | undefined } {
  const [, long, short, attached, given] =
    /^(?:--([^=]+)|-([^=])([^=]+)?)(?:=(.*))?$/s.exec(word) ?? []
  if (short !== undefined) {
    const flag = flags.find((one) => one.short === short)
    if (flag === undefined) throw new UsageFailure(`Unknown argument: ${short}`)
    return { flag, isNegated: false, given: attached ?? given }
  }
  const name = long ?? ''
  const exact = flags.find((flag) => plain(flag.name) === plain(name))
  if (exact !== undefined) return { flag: exact, isNegated: false, given }
  const positive = name.startsWith('no-') ? name.slice('no-'.length) : ''
  const negated = flags.find(
    (flag) => flag.kind === 'switch' && positive !== '' && plain(flag.name) === plain(positive)
  )
  if (negated === undefined) throw new UsageFailure(`Unknown argument: ${name}`)
  return { flag: negated, isNegated: true, given }
}

function plain(name: string): string {
  return name.replaceAll('-', '').toLowerCase()
}
