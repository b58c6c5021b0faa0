import { existsSync } from 'node:fs'
import { catalogue } from '../host/catalogue.ts'
import { findRunning, type Running } from '../host/data-folder.ts'
import { openHost } from '../host/host.ts'
import { StartFailure } from '../kernel/failures.ts'
import type { Desk, DeskWork, Service } from '../kernel/service.ts'
import { type Command, type Invocation, UsageFailure } from './command.ts'
import { createProgress } from './progress.ts'
import { consoleHeaders, consoleUrl, fetchConsole } from './running-process.ts'
import { configurationOf } from './setting-flags.ts'
import { storageOf } from './storage-flags.ts'

type Verb = 'import' | 'export' | 'reset'

const WORKS: Readonly<Record<Verb, { progress: string; unit: string }>> = {
  import: { progress: 'Importing', unit: 'bytes' },
  export: { progress: 'Exporting', unit: 'records' },
  reset: { progress: 'Resetting', unit: 'boxes' }
}

function flagsOf(verb: Verb): [string, DeskWork['flags'][string]][] {
  return catalogue.flatMap(({ tools }) => Object.entries(tools?.desk?.[verb]?.flags ?? {}))
}

/** What services add to the flags of a verb. */
export function deskFlags(verb: Verb): Command['flags'] {
  return Object.fromEntries(flagsOf(verb).map(([flag, { type }]) => [flag, { type }]))
}

export function deskTexts(verb: Verb): Readonly<Record<string, string>> {
  return Object.fromEntries(flagsOf(verb).map(([flag, { about }]) => [flag, about]))
}

/** Whether a flag was given that only such work understands. */
export function usesDesk(verb: Verb, { flags }: Invocation): boolean {
  return flagsOf(verb).some(([flag]) => flags[flag] !== undefined)
}

/** The work of this service for this verb; a sentence when its flags are meant for another. */
export function deskWorkOf(
  service: Service,
  verb: Verb,
  invocation: Invocation
): DeskWork | undefined {
  const work = service.tools?.desk?.[verb]
  if (work === undefined && usesDesk(verb, invocation)) {
    const [flag] = flagsOf(verb).find(([name]) => invocation.flags[name] !== undefined) ?? []
    throw new UsageFailure(`${verb} ${service.name}: --${flag} is not supported`)
  }
  return work
}

export async function runAtDesk(
  service: Service,
  verb: Verb,
  work: DeskWork,
  invocation: Invocation,
  file: string
): Promise<string> {
  const { progress, unit } = WORKS[verb]
  const { show, clear } = createProgress(progress, process.stderr, unit)
  return atDesk(service, invocation, verb === 'import', async (desk) => {
    try {
      return await work.run(desk, { file, flags: invocation.flags, show })
    } finally {
      clear()
    }
  })
}

/** The files belong to the nonet that runs on them, so it does the work. */
async function atDesk<T>(
  service: Service,
  invocation: Invocation,
  mayBegin: boolean,
  work: (desk: Desk) => Promise<T>
): Promise<T> {
  const storage = await storageOf(invocation)
  const running = await findRunning(storage.folder)
  if (running !== undefined) return work(await deskOf(running, service))
  if (!mayBegin && storage.database === undefined && !existsSync(storage.folder)) {
    throw new StartFailure(`Data folder ${storage.folder} does not exist; set another with --data`)
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
      defect: (name, error) => process.stderr.write(`nonet: ${name}: ${error.stack}\n`)
    }
  )
  try {
    return await work({ url: `${host.console?.url}/${service.name}`, headers: {} })
  } finally {
    await host.stop()
  }
}

async function deskOf(running: Running, { name }: Service): Promise<Desk> {
  const { ok } = await fetchConsole(running, `/openapi/${name}.json`)
  if (ok) return { url: `${consoleUrl(running)}/${name}`, headers: consoleHeaders(running) }
  throw new StartFailure(`nonet is running without ${name} (process ${running.pid}): stop it first`)
}
