import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const POLL_MS = 300

export interface Watch {
  /** Looks at these from now on. */
  follow: (files: readonly string[]) => Promise<void>
  stop: () => void
}

/**
 * Looks at the files themselves instead of asking the operating system for events: editors replace
 * files, folders get renamed, and network drives send no events.
 */
export function createWatch(changed: () => Promise<void>): Watch {
  let files: readonly string[] = []
  let known = ''
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function look(): Promise<void> {
    const seen = await marksOf(files)
    if (seen !== known) {
      // A file that is still being written changes again until the next look.
      await new Promise((resolve) => setTimeout(resolve, POLL_MS / 3).unref())
      known = await marksOf(files)
      await changed()
    }
    plan()
  }

  function plan(): void {
    if (!stopped) timer = setTimeout(look, POLL_MS).unref()
  }

  return {
    async follow(addresses) {
      files = addresses
        .filter((href) => href.startsWith('file:'))
        .map((href) => fileURLToPath(href))
      known = await marksOf(files)
      if (timer === undefined) plan()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    }
  }
}

async function marksOf(files: readonly string[]): Promise<string> {
  const marks = files.map((file) =>
    stat(file).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => 'gone'
    )
  )
  return (await Promise.all(marks)).join('\n')
}
