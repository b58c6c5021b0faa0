/** Runs commands of nonet one after the other, for `command-runner.ts`. */
import { setTimeout as wait } from 'node:timers/promises'
import { runCommandLine } from '../../src/cli/command-line.ts'
import { type Command, type CommandEnd, MARK } from './command-runner.ts'

const GRACE_MS = 30_000
/** Created when first used, and open from then on. */
const OUTPUTS = [process.stdout, process.stderr]
/** What commands listen to until their process ends. */
const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'warning']

// Its parent has ended.
process.once('disconnect', () => process.exit())

process.on('message', async ({ args, cwd, env }: Command) => {
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) {
    if (!Object.hasOwn(env, name)) delete process.env[name]
  }
  Object.assign(process.env, env)
  const resources = openResources()
  const listeners = EVENTS.map((name) => [name, process.listeners(name as 'SIGINT')] as const)
  const exitCode = process.exitCode
  const code = await runCommandLine(args)
  await waitForResources(resources)
  for (const [name, kept] of listeners) {
    process.removeAllListeners(name)
    for (const listener of kept) process.on(name, listener)
  }
  for (const stream of OUTPUTS) {
    stream.removeAllListeners('error')
    await new Promise((written) => stream.write(MARK, written))
  }
  const end: CommandEnd = { code, isReusable: process.exitCode === exitCode }
  process.send?.(end)
})

/** A process that exits by itself ends only when nothing keeps it alive. */
async function waitForResources(before: string): Promise<void> {
  const start = performance.now()
  while (openResources() !== before) {
    if (performance.now() - start > GRACE_MS) {
      process.stderr.write(`the command is over, but not closed: ${openResources()}\n`)
      process.exit(1)
    }
    await wait(1, undefined, { ref: false })
  }
}

function openResources(): string {
  return process.getActiveResourcesInfo().sort().join()
}
