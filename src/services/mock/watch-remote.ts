import { createHash } from 'node:crypto'
import { UserError } from '../../kernel/errors.ts'
import { isLoopbackHost } from './document/read-amendments.ts'

/** A file that was read from a URL. */
export interface RemoteFile {
  url: URL
  digest: string
  /** Reads it again, by the rules that applied the first time. */
  read: () => Promise<string>
}

export interface RemoteWatch {
  /** Replaces the set of watched files. */
  follow: (files: readonly RemoteFile[]) => void
  stop: () => void
}

/** A server of this machine is often under development; others are called rarely. */
const LOCAL_POLL_MS = 2000
const OTHER_POLL_MS = 60_000

/** Reads documents of URLs again and again, because servers do not tell when one changes. */
export function createRemoteWatch(
  changed: () => Promise<void>,
  failed: (error: unknown) => void
): RemoteWatch {
  const timers = new Map<RemoteFile, NodeJS.Timeout>()
  let round = 0

  function watch(file: RemoteFile, own: number, digest: string): void {
    const pause = isLoopbackHost(file.url) ? LOCAL_POLL_MS : OTHER_POLL_MS
    const poll = () => look(file, own, digest).catch(failed)
    timers.set(file, setTimeout(poll, pause).unref())
  }

  async function look(file: RemoteFile, own: number, before: string): Promise<void> {
    const digest = await digestNow(file, before)
    if (own !== round) return
    // A version that can be served replaces the watched files; another one is not tried again.
    if (digest !== before) await changed().catch(failed)
    if (own === round) watch(file, own, digest)
  }

  function clear(): void {
    round += 1
    for (const timer of timers.values()) clearTimeout(timer)
    timers.clear()
  }

  return {
    follow(files) {
      clear()
      for (const file of files) watch(file, round, file.digest)
    },
    stop: clear
  }
}

/** A server that cannot be reached has not changed its document. */
async function digestNow({ read }: RemoteFile, before: string): Promise<string> {
  try {
    return digestOf(await read())
  } catch (error) {
    if (error instanceof UserError) return before
    throw error
  }
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
