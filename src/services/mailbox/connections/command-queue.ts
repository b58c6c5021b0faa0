import { CommandTimeout } from '../contract.ts'
import type { CommandOptions } from './connections.ts'
import { TOO_MANY_COMMANDS, WorkerNotAvailable } from './contract.ts'
import { type Command, endOf, runCommand } from './run-command.ts'

const MAX_WAITING = 100

export interface CommandQueue {
  run: <T>(options: CommandOptions, command: Command<T>) => Promise<T>
  /** Rejects all that waits. */
  clear: (error: Error) => void
  /** Whether a command waits or runs. */
  isBusy: () => boolean
}

interface WaitingCommand {
  readonly begin: () => Promise<void>
  readonly reject: (error: Error) => void
}

/** Runs commands one after another; `onIdle` is called when no command is left. */
export function createCommandQueue(onIdle: () => void): CommandQueue {
  const waiting = new Set<WaitingCommand>()
  let isRunning = false

  async function runNext(): Promise<void> {
    const [next] = waiting
    if (isRunning || next === undefined) return
    isRunning = true
    waiting.delete(next)
    await next.begin()
    isRunning = false
    if (waiting.size === 0) onIdle()
    else void runNext()
  }

  function enqueue<T>(options: CommandOptions, command: Command<T>): Promise<T> {
    const { signal, timeoutMs } = options
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const deadline = performance.now() + timeoutMs
    const timer = setTimeout(() => entry.reject(new CommandTimeout()), timeoutMs)
    const leave = () => entry.reject(endOf(signal))
    const stopWaiting = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      waiting.delete(entry)
    }
    const entry: WaitingCommand = {
      begin() {
        stopWaiting()
        const { result, done } = runCommand(options, deadline, command)
        result.then(resolve, reject)
        return done
      },
      reject(error) {
        stopWaiting()
        reject(error)
      }
    }
    signal.addEventListener('abort', leave, { once: true })
    waiting.add(entry)
    void runNext()
    return promise
  }

  return {
    async run(options, command) {
      if (options.signal.aborted) throw endOf(options.signal)
      if (waiting.size >= MAX_WAITING) throw new WorkerNotAvailable(TOO_MANY_COMMANDS)
      return enqueue(options, command)
    },
    clear(error) {
      for (const entry of [...waiting]) entry.reject(error)
    },
    isBusy: () => isRunning || waiting.size > 0
  }
}
