/** Runs in its own thread, so that a hook that never ends can be terminated. */
import { parentPort, workerData } from 'node:worker_threads'
import { HOOK_NAMES, type Hooks } from './hooks.ts'

/** `ping` checks whether the thread is blocked. */
export type ToWorker =
  | { kind: 'ping' }
  | { kind: 'call'; id: number; name: keyof Hooks; message: unknown; request: unknown }

export type FromWorker =
  | { kind: 'ready'; names: readonly (keyof Hooks)[] }
  | { kind: 'pong' }
  | { kind: 'done'; id: number; value: unknown }
  | { kind: 'failed'; id: number; reason: string; stack: string | undefined }

const hooks: Hooks = await import(workerData.href)
const names = HOOK_NAMES.filter((name) => typeof hooks[name] === 'function')

function tell(message: FromWorker): void {
  parentPort?.postMessage(message)
}

/** A hook may change the message in place or return another one. */
async function call({ id, name, message, request }: ToWorker & { kind: 'call' }): Promise<void> {
  try {
    const hook = hooks[name] as (message: unknown, request: unknown) => unknown
    tell({ kind: 'done', id, value: (await hook(message, request)) ?? message })
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined
    tell({ kind: 'failed', id, reason: String(error), stack })
  }
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'ping') tell({ kind: 'pong' })
  else call(message)
})
tell({ kind: 'ready', names })
