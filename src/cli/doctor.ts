import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { portOffset } from '../host/catalogue.ts'
import type { Configuration } from '../host/configuration.ts'
import { findRunning } from '../host/data-folder.ts'
import type { Command } from './command.ts'
import { configurationOf, settingFlags, settingTexts } from './setting-flags.ts'

interface Diagnosis {
  ok: boolean
  what: string
  /** What is wrong and what to do. */
  advice?: string
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Look for what would keep nonet from starting here',
  usage: 'nonet doctor [options of up] [--json]',
  examples: ['nonet doctor', 'nonet doctor --port-base 5000'],
  flags: { ...settingFlags, json: { type: 'boolean' } },
  describe: { json: 'the findings as one JSON line', ...settingTexts },
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
  const running = await findRunning(configuration.data)
  return [
    { ok: true, what: `Node ${process.versions.node} on ${process.platform} ${process.arch}` },
    await diagnoseFolder(configuration.data),
    ...(running === undefined
      ? await diagnosePorts(configuration)
      : [{ ok: true, what: `nonet is running with process id ${running.pid}` }]),
    ...(await diagnoseData(configuration))
  ]
}

async function diagnoseFolder(data: string): Promise<Diagnosis> {
  let existing = resolve(data)
  while (!existsSync(existing)) existing = dirname(existing)
  const what = `data folder ${resolve(data)}`
  try {
    await access(existing, constants.W_OK)
    return { ok: true, what }
  } catch (error) {
    return { ok: false, what, advice: `${(error as Error).message}; choose another with --data` }
  }
}

async function diagnosePorts(configuration: Configuration): Promise<readonly Diagnosis[]> {
  const { portBase, port, services } = configuration
  if (portBase === 0) return [{ ok: true, what: 'any free ports' }]
  const wanted = services.map((service): [string, number] => [
    service.name,
    port[service.name] ?? portBase + portOffset(service)
  ])
  if (configuration.console) wanted.unshift(['console', port.console ?? portBase])
  return Promise.all(wanted.map(([name, number]) => diagnosePort(name, number)))
}

async function diagnosePort(name: string, port: number): Promise<Diagnosis> {
  const problem = await new Promise<string | undefined>((settle) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => settle(error.code))
    probe.listen(port, '127.0.0.1', () => probe.close(() => settle(undefined)))
  })
  const what = `port ${port} for ${name}`
  if (problem === undefined) return { ok: true, what }
  return { ok: false, what, advice: `${problem}; choose another with --port ${name}=N` }
}

async function diagnoseData(configuration: Configuration): Promise<readonly Diagnosis[]> {
  const findings: Diagnosis[] = []
  for (const { name, tools } of configuration.services) {
    const folder = configuration.options[name]?.data
    if (typeof folder !== 'string' || tools?.check === undefined) continue
    const errors = (await tools.check(folder)).filter(({ level }) => level === 'error')
    const what = `data of ${name} in ${resolve(folder)}`
    const advice = `${errors.length} errors; see nonet check ${name} ${folder}`
    findings.push(errors.length === 0 ? { ok: true, what } : { ok: false, what, advice })
  }
  return findings
}
