import type { ClaimedJob } from './claim.ts'
import type { Lease } from './marks.ts'

export interface RunningJob {
  claimed: ClaimedJob
  controller: AbortController
  /** Whether the handler has ended, so that only the mark is missing. */
  isEnded: boolean
  leaseUntil: number
}

/** The jobs on which this process has a lease, by id, until their marks are written. */
export interface RunningJobs {
  readonly size: number
  add: (claimed: ClaimedJob, leaseUntil: number) => RunningJob
  /** False if the lease was lost, or a later one replaced it. */
  has: (job: RunningJob) => boolean
  remove: (id: string) => void
  /** Another process has the job, or it was removed. */
  lose: (job: RunningJob) => void
  /** All leases if one of them needs it, else none. */
  leasesToExtend: (time: number) => readonly Lease[]
  noteExtended: (extended: readonly Lease[], valid: readonly Lease[], until: number) => void
  /** When the next lease must be extended; infinity if no job runs. */
  nextExtension: () => number
  unfinished: () => readonly RunningJob[]
  /** Jobs of a kind, without those that are just being marked. */
  countOf: (kind: string, marked: ReadonlySet<string>) => number
}

export function createRunningJobs(leaseMs: number): RunningJobs {
  const jobs = new Map<string, RunningJob>()

  function unfinished(): readonly RunningJob[] {
    return [...jobs.values()].filter(({ isEnded }) => !isEnded)
  }

  function has(job: RunningJob): boolean {
    return jobs.get(job.claimed.id) === job
  }

  function lose(job: RunningJob): void {
    if (has(job)) jobs.delete(job.claimed.id)
    job.controller.abort(new Error('The lease was lost'))
  }

  /** A third of the lease is over. */
  function nextExtension(): number {
    const ends = unfinished().map(({ leaseUntil }) => leaseUntil)
    return Math.min(...ends) - (leaseMs * 2) / 3
  }

  return {
    get size() {
      return jobs.size
    },
    add(claimed, leaseUntil) {
      const former = jobs.get(claimed.id)
      if (former !== undefined) lose(former)
      const job = { claimed, leaseUntil, controller: new AbortController(), isEnded: false }
      jobs.set(claimed.id, job)
      return job
    },
    has,
    remove: (id) => jobs.delete(id),
    lose,
    leasesToExtend: (time) =>
      nextExtension() <= time ? unfinished().map(({ claimed }) => claimed) : [],
    noteExtended(extended, valid, until) {
      const validIds = new Set(valid.map(({ id }) => id))
      for (const { id } of extended) {
        const job = jobs.get(id)
        if (job === undefined) continue
        if (validIds.has(id)) job.leaseUntil = until
        else if (!job.isEnded) lose(job)
      }
    },
    nextExtension,
    unfinished,
    countOf(kind, marked) {
      const own = [...jobs.values()].filter(({ claimed }) => claimed.kind === kind)
      return own.filter(({ claimed }) => !marked.has(claimed.id)).length
    }
  }
}
