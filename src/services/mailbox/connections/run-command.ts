import { CommandTimeout } from '../contract.ts'
import type { CommandOptions } from './connections.ts'
import { RequestEnded } from './contract.ts'

/** A download whose client reads nothing for so long is ended. */
const MIN_PROGRESS_MS = 30_000
/** No connection is closed before: short timeouts of clients must not cause many sign-ins. */
const MIN_RUN_MS = 10_000

export interface Command<T> {
  readonly start: () => Promise<T>
  /** The request has ended: what has not begun does not begin any more. */
  readonly abandon: () => void
  /** Closes the connection. */
  readonly interrupt: () => void
  /** Grows while a download goes on. */
  readonly progress: () => number
}

/** The error of a request that its signal has ended. */
export function endOf({ reason }: AbortSignal): Error {
  return reason instanceof CommandTimeout ? reason : new RequestEnded()
}

/**
 * Runs a command. `result` is for the request, which ends at `deadline` or with its signal; `done`
 * resolves when the connection is free again. A command is not interrupted when its client is gone:
 * it would remain half done, and the connection would be lost.
 */
export function runCommand<T>(
  { signal, timeoutMs, isDownload = false }: CommandOptions,
  deadline: number,
  command: Command<T>
): { result: Promise<T>; done: Promise<void> } {
  const { promise: result, resolve, reject } = Promise.withResolvers<T>()
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  const startedAt = performance.now()
  let seen = command.progress()
  let timer = setTimeout(check, deadline - performance.now())

  function check(): void {
    const progress = command.progress()
    if (isDownload && progress > seen) {
      seen = progress
      timer = setTimeout(check, Math.max(timeoutMs, MIN_PROGRESS_MS))
      return
    }
    command.abandon()
    reject(new CommandTimeout())
    timer = setTimeout(stop, Math.max(0, startedAt + MIN_RUN_MS - performance.now()))
  }

  function stop(): void {
    command.interrupt()
    end()
  }

  function leave(): void {
    const error = endOf(signal)
    if (isDownload && !(error instanceof RequestEnded)) return
    command.abandon()
    reject(error)
  }

  function end(): void {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    finish()
  }

  signal.addEventListener('abort', leave, { once: true })
  command.start().then(resolve, reject).finally(end)
  return { result, done }
}
