import { randomUUID } from 'node:crypto'
import { UserError } from '../errors.ts'

/** An import by upload, as pages show it. */
export interface ImportJob<Report> {
  readonly id: string
  readonly state: 'running' | 'done' | 'failed'
  /** Bytes of the imported files; all zero while the upload is checked. */
  readonly done: number
  readonly total: number
  readonly report?: Report
  /** Why it failed. */
  readonly message?: string
}

type Show = (done: number, total: number) => void

/** Jobs that ended; their reports are kept until the process ends. */
const MAX_JOBS = 10
const STOPPED = 'nonet ended during the import; import it again'

/** Imports by upload, of which one runs at a time. */
export class ImportJobs<Report> {
  readonly #jobs = new Map<string, ImportJob<Report>>()
  #isBusy = false
  #isStopped = false
  readonly #report: (error: unknown) => void
  readonly #running: () => Error

  /** `report` gets errors that are bugs; `running` is thrown while another import runs. */
  constructor({ report, running }: { report: (error: unknown) => void; running: () => Error }) {
    this.#report = report
    this.#running = running
  }

  find(id: string): ImportJob<Report> | undefined {
    return this.#jobs.get(id)
  }

  /** The one that runs, otherwise undefined. */
  get current(): ImportJob<Report> | undefined {
    return [...this.#jobs.values()].find(({ state }) => state === 'running')
  }

  /** Runs `work`, the upload included, unless another import does. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) throw this.#running()
    this.#isBusy = true
    try {
      return await work()
    } finally {
      this.#isBusy = false
    }
  }

  /**
   * Calls `started` with the new job. Resolves when it has ended, also with an error, to a function
   * that makes the end known: after the files are removed, when another import may begin.
   */
  async run(
    started: (job: ImportJob<Report>) => void,
    work: (show: Show) => Promise<Report>
  ): Promise<() => void> {
    const id = randomUUID()
    const job: ImportJob<Report> = { id, state: 'running', done: 0, total: 0 }
    this.#set(job)
    started(job)
    try {
      const report = await work((done, total) => {
        if (this.#isStopped) throw new UserError(STOPPED)
        this.#set({ id, state: 'running', done, total })
      })
      return () => this.#set({ ...(this.find(id) ?? job), state: 'done', report })
    } catch (error) {
      const message = this.#describe(error)
      return () => this.#set({ ...(this.find(id) ?? job), state: 'failed', message })
    }
  }

  /** Ends the running import at its next step. */
  stop(): void {
    this.#isStopped = true
  }

  #set(job: ImportJob<Report>): void {
    this.#jobs.set(job.id, job)
    const [oldest] = this.#jobs.keys()
    if (this.#jobs.size > MAX_JOBS && oldest !== undefined) this.#jobs.delete(oldest)
  }

  #describe(error: unknown): string {
    if (error instanceof UserError) return error.message
    this.#report(error)
    return 'The import ended with an internal error; the log of nonet tells more'
  }
}
