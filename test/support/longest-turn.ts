/** The longest turn of the event loop of a nonet process, measured inside of it. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { until } from './delivery-receiver.ts'

/** Environment of a process that measures its turns and writes them to the file. */
export function turnsTo(file: string): Record<string, string> {
  const preload = pathToFileURL(join(import.meta.dirname, 'tell-turns.mjs'))
  return { NODE_OPTIONS: `--import=${preload}`, TELL_TURNS_TO: file }
}

/** Since the last call, in milliseconds. */
export async function longestTurn(pid: number, file: string): Promise<number> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  await until(() => read().endsWith('\n'), 'the longest turn')
  return Number(read())
}
