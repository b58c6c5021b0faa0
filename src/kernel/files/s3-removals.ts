import { setTimeout as delay } from 'node:timers/promises'
import type { S3Requests } from './s3-requests.ts'

/** Older marks are of killed processes: a request to delete has ended by then. */
export const MARK_MS = 30_000
/** A removal that has not begun to delete within this part of the time does not delete. */
const DECISION_SHARE = 1 / 6
const POLL_MS = 250

/**
 * S3 cannot delete an object only if it is unchanged. So a removal is announced by an object
 * `<root>/<hash>` before it is decided: who stores the same content meanwhile either is seen by
 * the decision or sees the mark, waits for its end and looks at the object again.
 */
export function createRemovals(root: string, { call }: Pick<S3Requests, 'call'>, markMs: number) {
  async function ageOfMark(hash: string): Promise<number | undefined> {
    const response = await call({ method: 'HEAD', key: `${root}/${hash}` }, 404)
    if (response.status === 404) return undefined
    const now = Date.parse(response.headers.get('date') ?? '')
    return now - Date.parse(response.headers.get('last-modified') ?? '')
  }

  return {
    /** Deletes the object unless it is in use after the removal was announced. */
    async remove(hash: string, key: string, isUnused: () => Promise<boolean>): Promise<boolean> {
      if (!(await isUnused())) return false
      const mark = `${root}/${hash}`
      const begun = performance.now()
      await call({ method: 'PUT', key: mark })
      try {
        if (!(await isUnused()) || performance.now() - begun > markMs * DECISION_SHARE) return false
        // A repeated request could arrive after the mark has lost its meaning.
        await call({ method: 'DELETE', key, attempts: 1 })
        return true
      } finally {
        await call({ method: 'DELETE', key: mark }, 404)
      }
    },
    /** To be called after an object was stored: whether it has to be stored again. */
    async mayHaveRemoved(hash: string, exists: () => Promise<boolean>): Promise<boolean> {
      let age = await ageOfMark(hash)
      if (age === undefined) return false
      const begun = performance.now()
      while (age !== undefined && age <= markMs && performance.now() - begun < markMs) {
        await delay(POLL_MS)
        age = await ageOfMark(hash)
      }
      return !(await exists())
    }
  }
}
