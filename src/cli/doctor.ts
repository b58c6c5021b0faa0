import { access, constants, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { portOffset } from '../host/addresses.ts'
import type { Configuration } from '../host/configuration-reader.ts'
import { findRunningInstance } from '../host/data-folder.ts'
import { isExposed, listeningHosts, PROXY_NOTE } from '../host/exposure.ts'
import { openHost } from '../host/host.ts'
import { probeDatabase } from '../host/storage.ts'
import { redactUrl } from '../kernel/database/postgres-url.ts'
import { UserError } from '../kernel/errors.ts'
import type { Command } from './command.ts'
import { configurationOf, settingFlagHelp, settingFlags } from './setting-flags.ts'

interface Diagnosis {
  ok: boolean
  what: string
  /** What is wrong and how to fix it. */
  advice?: string
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check for problems that would prevent nonet from starting',
  usage: 'nonet doctor [options of up] [--json]',
  examples: ['nonet doctor', 'nonet doctor --port-base 5000'],
  arguments: Number.POSITIVE_INFINITY,
  flags: { ...settingFlags, json: { type: 'boolean' } },
  flagHelp: { json: 'print the findings as one JSON line', ...settingFlagHelp },
  async run(invocation) {
    const configuration = configurationOf(invocation, invocation.positionals)
    const diagnoses = await diagnose(configuration)
    const text =
      invocation.flags.json === true
        ? JSON.stringify({ ok: diagnoses.every(({ ok }) => ok), diagnoses })
        : diagnoses.map(line).join('\n')
    process.stdout.write(`${text}\n`)
    return diagnoses.every(({ ok }) => ok) ? 0 : 1
  }
}

function line({ ok, what, advice }: Diagnosis): string {
  return `${ok ? 'ok     ' : 'problem'}  ${what}${advice === undefined ? '' : `: ${advice}`}`
}

async function diagnose(configuration: Configuration): Promise<readonly Diagnosis[]> {
  const running = await findRunningInstance(configuration.data)
  return [
    { ok: true, what: `Node ${process.versions.node} on ${process.platform} ${process.arch}` },
    await diagnoseFolder(configuration.data),
    ...(running === undefined
      ? await diagnosePorts(configuration)
      : [{ ok: true, what: `nonet is already running (process ${running.pid})` }]),
    ...(await diagnoseDatabase(configuration)),
    ...(await diagnoseData(configuration)),
    await diagnoseSettings(configuration),
    diagnoseAccess(configuration)
  ]
}

async function diagnoseDatabase({ database }: Configuration): Promise<readonly Diagnosis[]> {
  if (database === undefined) return []
  const what = `database ${redactUrl(database)}`
  try {
    await probeDatabase(database)
    return [{ ok: true, what }]
  } catch (error) {
    return [{ ok: false, what, advice: (error as Error).message }]
  }
}

/** The folder, or its nearest existing parent, must be writable. */
async function diagnoseFolder(data: string): Promise<Diagnosis> {
  const what = `data folder ${resolve(data)}`
  try {
    const existing = await nearestExisting(resolve(data))
    await access(existing, constants.W_OK)
    return { ok: true, what }
  } catch (error) {
    return { ok: false, what, advice: `${(error as Error).message}; choose another with --data` }
  }
}

async function nearestExisting(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return nearestExisting(dirname(path))
  if (!found.isDirectory()) throw new UserError(`${path} is not a folder`)
  return path
}

async function diagnosePorts(configuration: Configuration): Promise<readonly Diagnosis[]> {
  const { portBase, port, services } = configuration
  const wanted = services.map((service): [string, number] => [
    service.name,
    port[service.name] ?? (portBase === 0 ? 0 : portBase + portOffset(service))
  ])
  if (configuration.console) wanted.unshift(['console', port.console ?? portBase])
  const hosts = listeningHosts(configuration)
  return Promise.all(wanted.map(([name, number]) => diagnosePort(name, number, hosts)))
}

/** Says whether local clients need the token; neither is a problem. */
function diagnoseAccess(configuration: Configuration): Diagnosis {
  if (isExposed(configuration)) return { ok: true, what: 'the console requires the admin token' }
  return { ok: true, what: 'the console requires no token of local clients', advice: PROXY_NOTE }
}

async function diagnosePort(
  name: string,
  port: number,
  hosts: readonly string[]
): Promise<Diagnosis> {
  if (port === 0) return { ok: true, what: `any free port for ${name}` }
  const what = `port ${port} for ${name}`
  for (const host of hosts) {
    const problem = await tryPort(port, host)
    if (problem === undefined || problem === 'EADDRNOTAVAIL') continue
    return { ok: false, what, advice: `${problem}; choose another with --port ${name}=N` }
  }
  return { ok: true, what }
}

function tryPort(port: number, host: string): Promise<string | undefined> {
  return new Promise((settle) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => settle(error.code))
    probe.listen({ port, host, ipv6Only: true }, () => probe.close(() => settle(undefined)))
  })
}

/** Checks data that a start would load: named by a setting, or imported into the data folder. */
async function diagnoseData(configuration: Configuration): Promise<readonly Diagnosis[]> {
  const findings: Diagnosis[] = []
  for (const { name, tools } of configuration.services) {
    const imported = resolve(configuration.data, name)
    const isImported = (await stat(imported).catch(() => undefined)) !== undefined
    const folder = configuration.options[name]?.data ?? (isImported ? imported : undefined)
    if (typeof folder !== 'string' || tools?.check === undefined) continue
    const errors = (await tools.check(folder)).filter(({ level }) => level === 'error')
    const what = `data of ${name} in ${resolve(folder)}`
    const advice = `${errors.length} errors; see nonet check ${name} ${folder}`
    findings.push(errors.length === 0 ? { ok: true, what } : { ok: false, what, advice })
  }
  return findings
}

/** Starts all services once, on free ports and with temporary data. */
async function diagnoseSettings(configuration: Configuration): Promise<Diagnosis> {
  const what = 'every service starts with these settings'
  const trial = { ...configuration, portBase: 0, port: {}, ephemeral: true }
  const silent = { requestLog: undefined, warn: () => {}, onUnexpectedError: () => {} }
  try {
    const host = await openHost(trial, silent)
    await host.stop()
    return { ok: true, what }
  } catch (error) {
    return { ok: false, what, advice: (error as Error).message }
  }
}
