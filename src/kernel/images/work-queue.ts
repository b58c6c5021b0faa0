/** Too many images wait already. The message is one sentence for the user. */
export class ImagesBusy extends Error {
  override name = 'ImagesBusy'
}

/** Runs some jobs at the same time and lets a limited number of others wait, first come first. */
export function createWorkQueue({ workers, waiting }: { workers: number; waiting: number }) {
  const queue: (() => void)[] = []
  let running = 0

  async function acquire(): Promise<void> {
    if (running < workers) {
      running++
      return
    }
    if (queue.length >= waiting) {
      throw new ImagesBusy('Too many images are being processed; try again in a few seconds.')
    }
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  /** The next job takes over the worker. */
  function release(): void {
    const next = queue.shift()
    if (next === undefined) running--
    else next()
  }

  return async function run<Result>(job: () => Promise<Result>): Promise<Result> {
    await acquire()
    try {
      return await job()
    } finally {
      release()
    }
  }
}
