import { stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import type { Configuration } from '../host/configuration-reader.ts'
import { findRunningInstance } from '../host/data-folder.ts'
import type { Diagnosis } from '../host/diagnosis.ts'
import { isExposed, listeningHosts, PROXY_NOTE } from '../host/exposure.ts'
import { openHost } from '../host/host.ts'
import { hostsOfPort, portNameOf, portNumberOf, portOffset } from '../host/ports.ts'
import { diagnoseStorage } from '../host/storage-diagnosis.ts'
import type { Command } from './command.ts'
import { configurationOf, settingFlagHelp, settingFlags } from './setting-flags.ts'

/** A start skips an IP address that the machine does not have, such as `::` without IPv6. */
const NO_SUCH_IP = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

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

function line({ ok, what, note, advice }: Diagnosis): string {
  const found = note === undefined ? what : `${what} (${note})`
  return `${ok ? 'ok     ' : 'problem'}  ${found}${advice === undefined ? '' : `: ${advice}`}`
}

async function diagnose(configuration: Configuration): Promise<readonly Diagnosis[]> {
  const running = await findRunningInstance(configuration.data)
  // Loaded here, because all commands load this file.
  const { diagnoseSecrets } = await import('../host/secrets-diagnosis.ts')
  // As in other commands, the database of the running process is the default.
  const database = configuration.database ?? running?.database
  const files = configuration.files ?? running?.files
  return [
    { ok: true, what: `Node ${process.versions.node} on ${process.platform} ${process.arch}` },
    ...(await diagnoseStorage({ ...configuration, database, files })),
    ...(await diagnoseSecrets({ ...configuration, database })),
    ...(running === undefined
      ? await diagnosePorts(configuration)
      : [{ ok: true, what: `nonet is already running (process ${running.pid})` }]),
    ...(await diagnoseData(configuration)),
    await diagnoseSettings(configuration),
    diagnoseAccess(configuration)
  ]
}

async function diagnosePorts(configuration: Configuration): Promise<readonly Diagnosis[]> {
  const { portBase, port, services, options } = configuration
  const hosts = listeningHosts(configuration)
  const wanted: [string, number, readonly string[]][] = []
  if (configuration.console) wanted.push(['console', port.console ?? portBase, hosts])
  for (const service of services) {
    const { name, ports = [] } = service
    wanted.push([name, portNumberOf(configuration, name, portOffset(service)), hosts])
    for (const extra of ports) {
      const extraName = portNameOf(service, extra)
      const number = portNumberOf(configuration, extraName, extra.offset)
      wanted.push([extraName, number, hostsOfPort(options[name], extra)])
    }
  }
  return Promise.all(wanted.map((each) => diagnosePort(...each)))
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
    if (problem === undefined || NO_SUCH_IP.includes(problem)) continue
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

/** Starts all services once, on free ports and with temporary data, in no shared database. */
async function diagnoseSettings(configuration: Configuration): Promise<Diagnosis> {
  const what = 'every service starts with these settings'
  const trial = { ...configuration, portBase: 0, port: {}, database: undefined, ephemeral: true }
  const silent = { requestLog: undefined, warn: () => {}, onUnexpectedError: () => {} }
  try {
    const host = await openHost(trial, silent)
    await host.stop()
    return { ok: true, what }
  } catch (error) {
    return { ok: false, what, advice: (error as Error).message }
  }
}
