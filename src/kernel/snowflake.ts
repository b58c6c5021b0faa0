import { randomInt } from 'node:crypto'

/** 2010-11-04T01:42:54.657Z, from which the ids of X count their milliseconds. */
const EPOCH_MS = 1288834974657n
const WORKER_BITS = 10n
const SEQUENCE_BITS = 12n
const LOWER_BITS = WORKER_BITS + SEQUENCE_BITS
const LAST_SEQUENCE = (1n << SEQUENCE_BITS) - 1n
/** Ids are signed numbers of 64 bits. */
const LARGEST = (1n << 63n) - 1n

const MAX_WORKER = (1 << Number(WORKER_BITS)) - 1

/** For processes that do not know of each other. */
export function randomWorker(): number {
  return randomInt(MAX_WORKER + 1)
}

export interface SnowflakeOptions {
  now: () => Date
  /** 0 to 1023; processes with the same one can make the same id, which a unique key decides. */
  worker: number
}

export interface Snowflake {
  /**
   * An id as text, greater than those before it and greater than `after`, such as the greatest id
   * that is stored: if the clock was set back, the time of that id continues.
   */
  next: (after?: string) => string
}

/** Ids that begin with their time: 41 bits of milliseconds, 10 of the worker, 12 of a sequence. */
export function createSnowflake({ now, worker }: SnowflakeOptions): Snowflake {
  if (!Number.isInteger(worker) || worker < 0 || worker > MAX_WORKER) {
    throw new RangeError(`The worker must be a whole number from 0 to ${MAX_WORKER}`)
  }
  const workerPart = BigInt(worker) << SEQUENCE_BITS
  let last = 0n

  function firstOf(time: bigint): bigint {
    return (time << LOWER_BITS) | workerPart
  }

  /** The smallest id of this worker that is greater. */
  function idAfter(id: bigint): bigint {
    const time = id >> LOWER_BITS
    const first = firstOf(time)
    if (first > id) return first
    return id < first + LAST_SEQUENCE ? id + 1n : firstOf(time + 1n)
  }

  return {
    next(after = '0') {
      const elapsed = BigInt(now().getTime()) - EPOCH_MS
      const given = BigInt(after)
      const floor = given > last ? given : last
      const current = firstOf(elapsed > 0n ? elapsed : 0n)
      const id = current > floor ? current : idAfter(floor)
      if (id > LARGEST) throw new RangeError('There is no greater id')
      last = id
      return String(id)
    }
  }
}
