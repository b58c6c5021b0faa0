import { existsSync } from 'node:fs'
import { findRunningInstance, type RunningInstance } from '../host/data-folder.ts'
import { openHost } from '../host/host.ts'
import { allServices } from '../host/service-registry.ts'
import { UserError } from '../kernel/errors.ts'
import type { ConsoleEndpoint, RemoteCommand, RemoteTools, Service } from '../kernel/service.ts'
import { type Command, type Invocation, UsageError } from './command.ts'
import { createProgress } from './progress.ts'
import { consoleHeaders, consoleUrl, fetchConsole } from './running-process.ts'
import { configurationOf } from './setting-flags.ts'
import { storageOf } from './storage-flags.ts'

type Verb = keyof RemoteTools

const VERBS: Readonly<Record<Verb, { progress: string; unit: string }>> = {
  import: { progress: 'Importing', unit: 'bytes' },
  export: { progress: 'Exporting', unit: 'records' },
  reset: { progress: 'Resetting', unit: 'boxes' },
  check: { progress: 'Checking', unit: 'records' },
  types: { progress: 'Reading', unit: 'records' }
}

function flagsOf(verb: Verb): [string, RemoteCommand['flags'][string]][] {
  return allServices.flatMap(({ tools }) => Object.entries(tools?.remote?.[verb]?.flags ?? {}))
}

/** Flags that services add to a command. */
export function remoteFlags(verb: Verb): Command['flags'] {
  return Object.fromEntries(flagsOf(verb).map(([flag, { type }]) => [flag, { type }]))
}

export function remoteFlagHelp(verb: Verb): Readonly<Record<string, string>> {
  return Object.fromEntries(flagsOf(verb).map(([flag, { about }]) => [flag, about]))
}

/** Whether a flag was given that only remote commands have. */
export function usesRemoteFlags(verb: Verb, { flags }: Invocation): boolean {
  return flagsOf(verb).some(([flag]) => flags[flag] !== undefined)
}

/** Undefined if the service has no such command; throws if flags of another service were given. */
export function remoteCommandOf<V extends Verb>(
  service: Service,
  verb: V,
  invocation: Invocation
): RemoteTools[V] | undefined {
  const work = service.tools?.remote?.[verb]
  const [other] =
    flagsOf(verb).find(([name]) => {
      const isOwn = work !== undefined && Object.hasOwn(work.flags, name)
      return invocation.flags[name] !== undefined && !isOwn
    }) ?? []
  if (other === undefined) return work
  throw new UsageError(`${verb} ${service.name}: --${other} is not supported`)
}

export async function runRemotely<Result>(
  service: Service,
  verb: Verb,
  work: RemoteCommand<Result>,
  invocation: Invocation,
  files: readonly [string, ...string[]]
): Promise<Result> {
  const [file, second] = files
  if (second !== undefined && work.severalFiles === undefined) {
    throw new UsageError(`${verb} ${service.name} takes one file: unexpected argument ${second}`)
  }
  const { progress, unit } = VERBS[verb]
  const { show, clear } = createProgress(progress, process.stderr, unit)
  return withConsole(service, invocation, verb === 'import', async (endpoint) => {
    try {
      return await work.run(endpoint, { file, files, flags: invocation.flags, show })
    } finally {
      clear()
    }
  })
}

/** Uses the nonet process that has the files open, because only one can; else starts one. */
export async function withConsole<T>(
  service: Service,
  invocation: Invocation,
  mayCreateFolder: boolean,
  work: (endpoint: ConsoleEndpoint) => Promise<T>
): Promise<T> {
  const storage = await storageOf(invocation)
  const running = await findRunningInstance(storage.folder)
  if (running !== undefined) return work(await consoleOf(running, service))
  if (!mayCreateFolder && storage.database === undefined && !existsSync(storage.folder)) {
    throw new UserError(`Data folder ${storage.folder} does not exist; set another with --data`)
  }
  const host = await openHost(
    {
      ...configurationOf(invocation),
      ...{ services: [service], data: storage.folder, database: storage.database },
      ...{ portBase: 0, port: {}, host: ['127.0.0.1'], lan: false, console: true }
    },
    {
      requestLog: undefined,
      warn() {},
      onUnexpectedError: (name, error) => process.stderr.write(`nonet: ${name}: ${error.stack}\n`)
    }
  )
  try {
    const headers = host.token === undefined ? {} : { authorization: `Bearer ${host.token}` }
    return await work({ url: `${host.console?.url}/${service.name}`, headers })
  } finally {
    await host.stop()
  }
}

async function consoleOf(running: RunningInstance, { name }: Service): Promise<ConsoleEndpoint> {
  const { ok, body } = await fetchConsole(running, `/openapi/${name}.json`)
  // An open response would keep the process alive for seconds after the command.
  await body?.cancel()
  if (ok) return { url: `${consoleUrl(running)}/${name}`, headers: consoleHeaders(running) }
  throw new UserError(`nonet is running without ${name} (process ${running.pid}): stop it first`)
}
