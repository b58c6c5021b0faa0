import type { RunningInstance } from '../host/data-folder.ts'
import { UserError } from '../kernel/errors.ts'

/** Headers that authorise a request to the console of a running nonet process. */
export function consoleHeaders({ token }: RunningInstance): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

/** Sends a request to the console of the nonet process that uses the data folder. */
export async function fetchConsole(
  running: RunningInstance,
  path: string,
  options: { method?: string } = {}
): Promise<Response> {
  const { pid } = running
  const url = consoleUrl(running)
  return fetch(url + path, { ...options, headers: consoleHeaders(running) }).catch((cause) => {
    throw new UserError(
      `Process ${pid} uses the data folder, but ${url} does not respond: stop it first`,
      { cause }
    )
  })
}

export function consoleUrl({ pid, console }: RunningInstance): string {
  if (console !== undefined) return console
  throw new UserError(`nonet is running without a console (process ${pid}): stop it first`)
}
