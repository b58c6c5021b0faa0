import { stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { UserError } from '../../../kernel/errors.ts'
import { Problem } from '../contract.ts'
import { describeFailure, locationIn } from './describe-failure.ts'
import type { FromWorker, ToWorker } from './hook-worker.ts'
import { HOOK_NAMES, type HookName } from './hooks.ts'

/** A hook call that takes longer fails. */
const CALL_TIMEOUT_MS = 5000
/** A thread that does not respond to a ping within this time is terminated. */
const PING_TIMEOUT_MS = 1000
const CLOSE_STEP_MS = 20
const LOAD_TIMEOUT_MS = 10_000

/** Runs the operator's hooks module in its own thread. */
export interface HookRunner {
  has: (name: HookName) => boolean
  /**
   * Returns the message as changed by the hook; throws a problem if the hook fails or times out.
   */
  call: (name: HookName, message: unknown, request?: unknown) => Promise<unknown>
  close: () => Promise<void>
}

interface Thread {
  worker: Worker
  names: readonly HookName[]
  pending: Map<number, { resolve: (value: unknown) => void; reject: (problem: Problem) => void }>
  /** Terminates the thread unless it responds to the ping in progress. */
  deadline: NodeJS.Timeout | undefined
}

/** `warn` is called with errors that belong to no request, such as those of a timer. */
export async function openHooks(
  path: string,
  callTimeoutMs = CALL_TIMEOUT_MS,
  warn: (text: string) => void = () => {}
): Promise<HookRunner> {
  await rejectUnreadable(path)
  const { href } = pathToFileURL(path)
  let opening: Promise<Thread> | undefined
  let lastId = 0

  /** The current thread; if it has exited, a new one is started. */
  function current(): Promise<Thread> {
    if (opening !== undefined) return opening
    const opened = openThread(href, path, warn)
    const forget = () => {
      if (opening === opened) opening = undefined
    }
    opened.then(({ worker }) => worker.once('exit', forget), forget)
    opening = opened
    return opened
  }

  const { names, worker: first } = await current()
  if (names.length === 0) {
    await first.terminate()
    throw new UserError(`${path} exports no hook; known hooks: ${HOOK_NAMES.join(' or ')}`)
  }

  return {
    has: (name) => names.includes(name),
    async call(name, message, request) {
      const thread = await current().catch((error) => {
        throw failed(error instanceof Error ? error.message : String(error))
      })
      const id = ++lastId
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          giveUp(thread, id, failed(`${name} did not finish within ${callTimeoutMs} ms`))
        }, callTimeoutMs).unref()
        const settle = <T>(act: (value: T) => void) => {
          return (value: T) => {
            clearTimeout(timer)
            thread.pending.delete(id)
            act(value)
          }
        }
        thread.pending.set(id, { resolve: settle(resolve), reject: settle(reject) })
        thread.worker.postMessage({ kind: 'call', id, name, message, request } satisfies ToWorker)
      })
    },
    async close() {
      const thread = await opening?.catch(() => undefined)
      // Every pending call ends, because each has a timeout.
      while (thread !== undefined && thread.pending.size > 0) await wait(CLOSE_STEP_MS)
      await thread?.worker.terminate()
    }
  }
}

async function rejectUnreadable(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new UserError(`${path} cannot be loaded: file not found`)
  if (found.isDirectory()) throw new UserError(`${path} is a folder, not a file`)
}

function openThread(href: string, path: string, warn: (text: string) => void): Promise<Thread> {
  const own = import.meta.url
  const worker = new Worker(new URL(`./hook-worker${extname(own)}`, own), { workerData: { href } })
  worker.unref()
  const pending: Thread['pending'] = new Map()
  const thread: Thread = { worker, names: [], pending, deadline: undefined }
  return new Promise((ready, reject) => {
    const timer = setTimeout(() => {
      reject(new UserError(`${path} did not load within ${LOAD_TIMEOUT_MS} ms`))
      worker.terminate()
    }, LOAD_TIMEOUT_MS)
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') {
        clearTimeout(timer)
        thread.names = message.names
        ready(thread)
      } else if (message.kind === 'pong') {
        clearTimeout(thread.deadline)
        thread.deadline = undefined
      } else if (message.kind === 'done') pending.get(message.id)?.resolve(message.value)
      else pending.get(message.id)?.reject(failed(message.reason, message.stack))
    })
    worker.once('error', (error) => {
      clearTimeout(timer)
      const stack = error instanceof Error ? error.stack : undefined
      const reason = error instanceof Error ? error.message : String(error)
      const location = locationIn(stack ?? '')
      const where = location?.startsWith(resolve(path)) ? ` (${location})` : ''
      reject(new UserError(`${path} cannot be loaded: ${reason}${where}`, { cause: error }))
      // Without a call there is no response that could tell it.
      if (thread.names.length > 0 && pending.size === 0) {
        warn(describeFailure(`The hooks failed outside of a request: ${error}`, stack))
      }
      failAll(thread, reason, stack)
    })
    worker.once('exit', () => {
      clearTimeout(timer)
      reject(new UserError(`${path} exited while loading`))
      failAll(thread, 'the hook thread has exited')
    })
  })
}

/** Rejects one call; the thread is terminated only if it does not respond to a ping. */
function giveUp(thread: Thread, id: number, late: Problem): void {
  thread.pending.get(id)?.reject(late)
  // The response to the ping in progress also holds for this call.
  if (thread.deadline !== undefined) return
  thread.deadline = setTimeout(() => thread.worker.terminate(), PING_TIMEOUT_MS).unref()
  thread.worker.postMessage({ kind: 'ping' } satisfies ToWorker)
}

function failAll({ pending }: Thread, reason: string, stack?: string): void {
  for (const { reject } of [...pending.values()]) reject(failed(reason, stack))
}

/** The stack of the hook is for the log; clients do not see it. */
export function failed(reason: string, stack?: string): Problem {
  const problem = new Problem('HOOK_FAILED', `The hook failed: ${reason}.`)
  problem.cause = stack
  return problem
}
