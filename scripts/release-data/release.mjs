import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { launch } from '../compare/servers.mjs'

const runFile = promisify(execFile)

/** The nonet of a clone, with all its services. `flags` select the data. */
export function openRelease(clone, settings) {
  async function command(flags, ...args) {
    const launcher = join(clone, 'bin', 'nonet.mjs')
    const { stdout } = await runFile(process.execPath, [launcher, ...args, ...flags])
    return stdout
  }

  /** Runs `use` with the URLs of the services; the process must end without an error. */
  async function run(flags, folder, use) {
    const args = ['up', '--json', '--port-base=0', '--quiet', ...settings, ...flags]
    const nonet = launch(clone, args, folder)
    try {
      const { services } = await nonet.ready
      return await use(services)
    } finally {
      await nonet.stop()
      if (nonet.exitCode() !== 0) {
        process.stderr.write(`nonet ended with ${nonet.exitCode()}: ${nonet.log()}\n`)
        process.exitCode = 1
      }
    }
  }

  return { command, run }
}

/** Services of the release with migrations, as the release declares them. */
export async function storedServices(clone) {
  const { allServices } = await import(join(clone, 'src', 'host', 'service-registry.ts'))
  return allServices.filter(({ migrations }) => migrations !== undefined)
}
