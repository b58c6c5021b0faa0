import { parseArgs } from 'node:util'
import { VERSION } from '../host/version.ts'
import { closestMatch } from './closest-match.ts'
import { type Command, type Invocation, UsageError } from './command.ts'
import { MOCK_COMMANDS, MOCK_USAGES } from './mock-command.ts'

/** Each is loaded when it is used: those that read the storage would take a third of a start. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  up: async () => (await import('./up.ts')).up,
  convert: async () => (await import('./convert.ts')).convertCommand,
  check: async () => (await import('./check.ts')).check,
  import: async () => (await import('./import.ts')).importCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  types: async () => (await import('./typed-client.ts')).typesCommand,
  token: async () => (await import('./token.ts')).token,
  secrets: async () => (await import('./secrets.ts')).secrets,
  reset: async () => (await import('./reset.ts')).reset,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restoreCommand,
  copy: async () => (await import('./copy.ts')).copyCommand,
  config: async () => (await import('./config.ts')).config,
  doctor: async () => (await import('./doctor.ts')).doctor
}

/** Runs any command but `mock` and `proxy`. */
export async function runCommand(
  word: string | undefined,
  argv: readonly string[]
): Promise<number> {
  if (word === undefined || word === '--help' || word === '-h' || word === 'help') {
    return print(await overview())
  }
  const load = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined
  if (load === undefined) throw new UsageError(unknownCommand(word))
  const command = await load()
  const invocation = parse(command, argv)
  return invocation === 'help' ? print(helpOf(command)) : command.run(invocation)
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

function unknownCommand(word: string): string {
  const isOption = word.startsWith('-')
  const names = isOption ? ['--help', '--version'] : [...Object.keys(COMMANDS), ...MOCK_COMMANDS]
  const meant = closestMatch(word, names)
  const kind = isOption ? 'option' : 'command'
  return `Unknown ${kind} ${word}${suggest(meant)} See nonet --help`
}

function suggest(meant: string | undefined): string {
  return meant === undefined ? '.' : `; did you mean ${meant}?`
}

function parse(command: Command, argv: readonly string[]): Invocation | 'help' {
  const split = argv.indexOf('--')
  const own = split === -1 ? argv : argv.slice(0, split)
  if (own.includes('--help') || own.includes('-h')) return 'help'
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...own],
      options: command.flags,
      allowPositionals: true,
      allowNegative: true,
      tokens: true
    })
    const surplus = positionals[command.arguments]
    if (surplus !== undefined) throw new Error(`Unexpected argument: ${surplus}`)
    const typed = tokens.flatMap((token) =>
      token.kind === 'option' && token.value !== undefined
        ? [{ flag: token.name, value: token.value }]
        : []
    )
    const rest = split === -1 ? undefined : argv.slice(split + 1)
    return { positionals, flags: values, orderedFlags: typed, rest }
  } catch (cause) {
    throw new UsageError(explain(cause as Error, command, own), { cause })
  }
}

function explain(error: Error, command: Command, argv: readonly string[]): string {
  const unknown = argv.map((word) => word.replace(/=.*$/s, '')).find((word) => !isKnown(word))
  if (unknown === undefined) return (error.message.split('\n')[0] ?? '').split('. ')[0] ?? ''
  const hint = suggest(nearestFlag(unknown, command))
  return `Unknown flag ${unknown} for ${command.name}${hint} See nonet ${command.name} --help`

  /** Words without a dash are arguments or values. */
  function isKnown(word: string): boolean {
    if (!/^-[^-\d]|^--./.test(word)) return true
    const name = word.replace(/^--?/, '')
    return Object.entries(command.flags).some(
      ([flag, { short, type }]) =>
        flag === name ||
        (type === 'boolean' && `no-${flag}` === name) ||
        (word[1] !== '-' && short !== undefined && short === name[0])
    )
  }
}

/** The most similar flag, as it would be typed. */
function nearestFlag(unknown: string, { flags }: Command): string | undefined {
  const known = Object.entries(flags).flatMap(([flag, { type }]) =>
    type === 'boolean' ? [flag, `no-${flag}`] : [flag]
  )
  const meant = closestMatch(unknown.replace(/^-+/, ''), known)
  return meant && `--${meant}`
}

async function overview(): Promise<string> {
  const mocks = MOCK_COMMANDS.map((name) => ({ name, summary: MOCK_USAGES[name].summary }))
  const [first, ...others] = await Promise.all(Object.values(COMMANDS).map((load) => load()))
  const all = [...(first === undefined ? [] : [first]), ...mocks, ...others]
  const width = Math.max(...all.map(({ name }) => name.length))
  const lines = all.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `nonet ${VERSION}: small HTTP services that run locally, without internet access

Usage: nonet <command> [options]

${lines.join('\n')}

  Run nonet <command> --help for the options and an example.
`
}

function helpOf(command: Command): string {
  const flags = Object.entries(command.flagHelp).map(([flag, text]): [string, string] => {
    const takesValue = command.flags[flag]?.type === 'string'
    return [`--${flag}${takesValue ? ' <value>' : ''}`, text]
  })
  const width = Math.max(0, ...flags.map(([flag]) => flag.length))
  const options = flags.map(([flag, text]) => `  ${flag.padEnd(width)}  ${text}`)
  return `${command.summary}

Usage: ${command.usage}
${options.length === 0 ? '' : `\nOptions:\n${options.join('\n')}\n`}
Example${command.examples.length === 1 ? '' : 's'}:
${command.examples.map((example) => `  ${example}`).join('\n')}
`
}
