import { PortUnavailable } from '../host/bind-port.ts'
import type { Configuration } from '../host/configuration-reader.ts'
import { MOCK_PROXY_NOTE } from '../host/exposure.ts'
import { type Host, openHost } from '../host/host.ts'
import { withFiles } from '../host/mock-files.ts'
import {
  checkDocuments,
  checkHooks,
  checkTransforms,
  configure,
  findCollections,
  fromEnvironment,
  fromFile
} from '../host/mock-tools.ts'
import { openProcessOutput } from '../host/output.ts'
import { createRequestLog, type LogStyle } from '../host/request-log.ts'
import { VERSION } from '../host/version.ts'
import { UserError } from '../kernel/errors.ts'
import type { Finding } from '../kernel/service.ts'
import { UsageError } from './command.ts'
import { MOCK_USAGES, type MockCommand } from './mock-command.ts'
import { flagsOf, type MockValues, parseMockArguments } from './mock-flags.ts'
import { createReporter, nextSignal, serve } from './serve.ts'

const DEFAULT_PORT = '4010'
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const QUIET_LEVELS = ['warn', 'error', 'fatal', 'silent']
const SILENT_LEVELS = ['error', 'fatal', 'silent']

/** A missing document or upstream: the whole usage is printed. */
class MissingArgument extends UsageError {}

/** If the command line is invalid, prints the reason and returns exit code 1, as Prism does. */
export async function runMock(command: MockCommand, argv: readonly string[]): Promise<number> {
  try {
    const { positionals, values } = parseMockArguments(argv, command)
    if (values.help === true) return print(helpOf(command))
    if (values.version === true) return print(`${VERSION}\n`)
    const configuration = configurationOf(command, positionals, values)
    return values.check === true ? await check(configuration) : await run(configuration, values)
  } catch (error) {
    if (error instanceof PortUnavailable) {
      throw new UserError(`${error.why}: choose another with --port`, { cause: error })
    }
    if (!(error instanceof UsageError)) throw error
    const isMissing = error instanceof MissingArgument
    process.stderr.write(`${isMissing ? `${helpOf(command)}\n` : 'nonet: '}${error.message}\n`)
    return 1
  }
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

function configurationOf(
  command: MockCommand,
  positionals: readonly string[],
  values: MockValues
): Configuration {
  const { documents, upstream } = positionalsOf(command, positionals)
  const level = String(values.verboseLevel ?? 'info')
  if (!LEVELS.includes(level)) throw new UsageError(`-v must be one of ${LEVELS.join(', ')}`)
  const given: Record<string, unknown> = {
    services: ['mock'],
    console: false,
    ephemeral: values.data === undefined && values.database === undefined,
    host: [values.host ?? '127.0.0.1'],
    port: [`mock=${values.port ?? DEFAULT_PORT}`],
    quiet: QUIET_LEVELS.includes(level),
    ...(values.data === undefined ? {} : { data: values.data }),
    ...(values.database === undefined ? {} : { database: values.database }),
    'mock.upstream': upstream,
    'mock.tellViolations': level === 'debug' || level === 'trace',
    'mock.fillProperties': values['json-schema-faker-fillProperties']
  }
  const same: Record<string, string> = {
    cors: 'cors',
    errors: 'errors',
    dynamic: 'dynamic',
    ignoreExamples: 'ignoreExamples',
    seed: 'seed',
    'validate-request': 'validateRequest',
    'validate-security': 'validateSecurity',
    'validate-response': 'validateResponse',
    'upstream-proxy': 'upstreamProxy',
    'base-path': 'basePath',
    'allow-remote-refs': 'allowRemoteRefs',
    'allow-refs-outside': 'allowRefsOutside',
    'allow-callbacks': 'allowCallbacks',
    'cache-bytes': 'cacheBytes',
    state: 'state',
    'seed-data': 'seedData',
    transform: 'transform',
    hooks: 'hooks',
    reload: 'reload',
    admin: 'admin',
    'fail-on': 'failOn'
  }
  for (const [flag, key] of Object.entries(same)) {
    if (values[flag] !== undefined) given[`mock.${key}`] = values[flag]
  }
  const configuration = configure(fromFile(undefined), fromEnvironment(process.env), given)
  return withFiles(configuration, {
    documents,
    overlay: filesIn(values, 'overlay'),
    report: filesIn(values, 'report')
  })
}

function positionalsOf(
  command: MockCommand,
  positionals: readonly string[]
): { documents: readonly string[]; upstream: string | undefined } {
  if (command === 'mock') {
    if (positionals.length === 0)
      throw new MissingArgument('Not enough arguments: missing document')
    return { documents: positionals, upstream: undefined }
  }
  const [document, upstream, ...rest] = positionals
  if (document === undefined || upstream === undefined) {
    throw new MissingArgument('Not enough arguments: missing document and upstream URL')
  }
  if (rest.length > 0)
    throw new UsageError(`Unexpected argument: ${rest.join(' ')}. See nonet proxy --help`)
  if (URL.parse(upstream) === null) throw new UsageError(`Invalid upstream URL: ${upstream}`)
  return { documents: [document], upstream }
}

async function run(configuration: Configuration, values: MockValues): Promise<number> {
  const stopSignal = nextSignal()
  const output = openProcessOutput()
  const reporter = createReporter(output, '')
  const isSilent = SILENT_LEVELS.includes(String(values.verboseLevel))
  const host = await openHost(configuration, {
    ...reporter,
    requestLog: configuration.quiet
      ? undefined
      : createRequestLog(output.stdout, logStyle(values.log)),
    ...(isSilent ? { warn: () => undefined, inform: () => undefined } : {})
  })
  output.stdout.write(
    `${values.json === true ? readyLine(host) : startLines(host, configuration)}\n`
  )
  return serve(host, stopSignal, output)
}

function logStyle(given: MockValues[string] | undefined): LogStyle | undefined {
  if (given === undefined || given === 'text' || given === 'json') return given
  throw new UsageError('--log must be text or json')
}

/** The files of a flag in the order given; undefined if there are none. */
function filesIn(values: MockValues, flag: 'overlay' | 'report'): readonly string[] | undefined {
  const files = values[flag]
  return Array.isArray(files) ? files : undefined
}

/** Prints the findings of all documents, even if the first one has errors. */
async function check(configuration: Configuration): Promise<number> {
  let errors = 0
  for (const examine of [checkDocuments, checkTransforms, checkHooks]) {
    for (const { document, findings } of await examine(configuration)) {
      errors += printFindings(document, findings)
    }
  }
  if (errors > 0) return 1
  for (const line of await findCollections(configuration)) process.stdout.write(`${line}\n`)
  return 0
}

function printFindings(what: string, findings: readonly Finding[]): number {
  for (const { level, where, text } of findings) {
    process.stdout.write(`${level}: ${where}: ${text}\n`)
  }
  if (findings.length === 0) process.stdout.write(`${what}: no problems found\n`)
  return findings.filter(({ level }) => level === 'error').length
}

function readyLine({ services: [hosted], token }: Host): string {
  return JSON.stringify({ ready: true, pid: process.pid, url: hosted?.url ?? '', token })
}

/** URLs to try, the URL of the server and the admin pages to open. */
function startLines(host: Host, { options }: Configuration): string {
  const [hosted] = host.services
  const url = hosted?.url ?? ''
  return [
    ...(hosted?.startupLines() ?? []),
    ...tokenLine(host),
    `nonet is listening on ${url}`,
    ...(options.mock?.admin === false ? [] : [`Open ${adminLink(url, host)}`])
  ].join('\n')
}

function adminLink(url: string, { token }: Host): string {
  return `${url}/__nonet/${token === undefined ? '' : `?token=${token}`}`
}

function tokenLine({ token }: Host): string[] {
  return [token === undefined ? MOCK_PROXY_NOTE : `Admin token for /__nonet/: ${token}`]
}

function helpOf(command: MockCommand): string {
  const { summary, usage, example } = MOCK_USAGES[command]
  const rows = flagsOf(command).map(({ name, short, kind, about }): [string, string] => {
    const value = kind === 'boolean' ? '' : ' <value>'
    return [`${short === undefined ? '    ' : `-${short}, `}--${name}${value}`, about]
  })
  const width = Math.max(...rows.map(([left]) => left.length))
  const options = rows.map(([left, about]) => `  ${left.padEnd(width)}  ${about}`)
  return `${summary}\n\nUsage: ${usage}\n\nOptions:\n${options.join('\n')}\n\nExample:\n  ${example}\n`
}
