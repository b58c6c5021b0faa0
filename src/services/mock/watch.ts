import { stat } from 'node:fs/promises'
import { filePathOf } from './document/reference-folders.ts'

const POLL_MS = 300
const GONE = 'gone'

export interface Watch {
  /** Replaces the set of watched files. */
  follow: (files: readonly string[]) => Promise<void>
  stop: () => void
}

/**
 * Polls the files instead of using events of the operating system, because editors replace files,
 * folders get renamed, and network drives send no events.
 */
export function createWatch(changed: () => Promise<void>, failed: (error: unknown) => void): Watch {
  let marks: ReadonlyMap<string, string> = new Map()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function poll(): Promise<void> {
    try {
      await look()
    } catch (error) {
      failed(error)
    }
    schedule()
  }

  async function look(): Promise<void> {
    const files = [...marks.keys()]
    if (isOther(marks, await marksOf(files))) {
      // The file may still be being written; changes after this delay are found by the next poll.
      await new Promise((resolve) => setTimeout(resolve, POLL_MS / 3).unref())
      marks = await marksOf(files)
      await changed()
    }
  }

  function schedule(): void {
    if (!stopped) timer = setTimeout(poll, POLL_MS).unref()
  }

  return {
    async follow(urls) {
      const files = urls.flatMap((href) => filePathOf(href) ?? [])
      const fresh = await marksOf(files.filter((file) => !marks.has(file)))
      // Marks taken before a file was read are kept, so that a save in between is not missed.
      marks = new Map(files.map((file) => [file, marks.get(file) ?? fresh.get(file) ?? GONE]))
      if (timer === undefined) schedule()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    }
  }
}

function isOther(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): boolean {
  return [...now].some(([file, mark]) => before.get(file) !== mark)
}

async function marksOf(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const marks = files.map((file) =>
    stat(file).then(
      ({ mtimeMs, size, ino }): [string, string] => [file, `${mtimeMs} ${size} ${ino}`],
      (): [string, string] => [file, GONE]
    )
  )
  return new Map(await Promise.all(marks))
}
